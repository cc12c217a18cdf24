"""The contract of the quotient that rounding is made of, for CrossHair, and the same contract on a broken twin."""

from __future__ import annotations

from bitproof_spec.rounding import nearest_integer


def quotient(numerator: int, denominator: int) -> int:
    """The heart of rounding, for all numbers: at most half away, and even where it is exactly half.

    pre: numerator >= 0 and denominator >= 1
    post: -denominator <= 2 * (__return__ * denominator - numerator) <= denominator
    post: 2 * (numerator % denominator) != denominator or __return__ % 2 == 0
    """
    return nearest_integer(numerator, denominator)


def quotient_ties_up(numerator: int, denominator: int) -> int:
    """A twin that rounds every half up.

    pre: numerator >= 0 and denominator >= 1
    post: -denominator <= 2 * (__return__ * denominator - numerator) <= denominator
    post: 2 * (numerator % denominator) != denominator or __return__ % 2 == 0
    """
    return (2 * numerator + denominator) // (2 * denominator)
