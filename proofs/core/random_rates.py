"""The threshold that a dropout rate is, and the index that a word is: exact rationals and contracts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from bitproof_spec import random as spec
from bitproof_spec.random import BINARY64_ONE
from proofs.law import Result
from proofs.sampling import exhaust


def rates() -> Iterator[int]:
    """Every exponent of a rate below 1, with the fractions at its ends and in between."""
    for exponent in range(BINARY64_ONE >> 52):
        for fraction in (0, 1, 2, (1 << 51) - 1, 1 << 51, (1 << 51) + 1, 0x999999999999A, (1 << 52) - 2, (1 << 52) - 1):
            yield exponent << 52 | fraction


def value(rate: int) -> Fraction:
    """The exact value of a binary64 word below that of 1, by the definition of IEEE 754."""
    exponent, fraction = rate >> 52, Fraction(rate & (1 << 52) - 1, 1 << 52)
    return (1 + fraction) / (1 << 1023 - exponent) if exponent else fraction / (1 << 1022)


def is_the_least(threshold: Callable[[int], int]) -> Result:
    """At every such rate the threshold times 2^-53 is at least the rate, and one less is not."""

    def holds(rate: int) -> bool:
        least = threshold(rate)
        return Fraction(least - 1, 1 << 53) < value(rate) <= Fraction(least, 1 << 53)

    return exhaust(holds, rates())


def threshold_down(rate: int) -> int:
    """A twin that rounds down: it keeps words below the rate."""
    return int(value(rate) * (1 << 53))


def threshold_without_subnormals(rate: int) -> int:
    """A twin that takes a subnormal rate for 0."""
    return spec.threshold(rate if rate >> 52 else 0)


def ceiling(numerator: int, denominator: int) -> int:
    """The ceiling that the threshold is, for all numbers.

    pre: numerator >= 0 and denominator >= 1
    post: (__return__ - 1) * denominator < numerator <= __return__ * denominator
    """
    return spec.ceiling(numerator, denominator)


def ceiling_of_the_next(numerator: int, denominator: int) -> int:
    """A twin that is one too many where the division is exact.

    pre: numerator >= 0 and denominator >= 1
    post: (__return__ - 1) * denominator < numerator <= __return__ * denominator
    """
    return numerator // denominator + 1


def index(word: int, bound: int) -> int:
    """A word reduced to an index.

    pre: 0 <= word < 2**64 and bound >= 1
    post: 0 <= __return__ < bound
    """
    return spec.bounded(word, bound)


def index_with_the_bound(word: int, bound: int) -> int:
    """A twin that can give the bound itself.

    pre: 0 <= word < 2**64 and bound >= 1
    post: 0 <= __return__ < bound
    """
    return word % (bound + 1)
