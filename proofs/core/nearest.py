"""What rounding to nearest even owes, by definition: of all magnitudes the nearest, of two equally near the even one.

Shares nothing with `bitproof_spec.rounding`, nor with `meaning`: a magnitude is computed from its code, as if the
format went on for one more code beyond its largest number.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction

from bitproof_spec.formats import BinaryFormat, Specials


def magnitude(format: BinaryFormat, code: int) -> Fraction:
    """The value of a positive word, or of the code beyond the largest number."""
    exponent, fraction = divmod(code, 1 << format.fraction_bits)
    significand = fraction if exponent == 0 else (1 << format.fraction_bits) + fraction
    scale = max(exponent, 1) - format.bias - format.fraction_bits
    return Fraction(significand << scale) if scale >= 0 else Fraction(significand, 1 << -scale)


def owed_code(format: BinaryFormat, value: Fraction) -> int:
    """The code whose magnitude is nearest to `value` >= 0, found by bisection; largest + 1 stands for overflow."""
    codes = range(format.largest + 2)
    below = bisect_right(codes, value, key=lambda code: magnitude(format, code)) - 1
    if below == format.largest + 1:
        return below
    to_below, to_above = value - magnitude(format, below), magnitude(format, below + 1) - value
    if to_below == to_above:
        return below + below % 2
    return below if to_below < to_above else below + 1


def word_of_code(format: BinaryFormat, code: int, sign: int) -> int:
    """The word of a code under a sign; overflow and a negative zero by the format's specials."""
    sign_word = 1 << format.exponent_bits + format.fraction_bits
    match format.specials:
        case Specials.FINITE_UNSIGNED_ZERO if code == 0:
            return 0
        case Specials.FINITE_UNSIGNED_ZERO if code > format.largest:
            return sign_word
        case Specials.FINITE:
            return sign * sign_word + min(code, format.largest)
        case _:
            return sign * sign_word + code


def critical(format: BinaryFormat, code: int) -> Iterator[tuple[Fraction, int]]:
    """Values from a code up to the next one, each with the code that it rounds to.

    Rounding is monotonic, so these settle it for all values between: the number itself, the midpoint, and the nearest
    that this is to both.
    """
    here, above = magnitude(format, code), magnitude(format, code + 1)
    middle, hair = (here + above) / 2, (above - here) / 2**30
    yield from ((here, code), (here + hair, code), (middle - hair, code))
    yield middle, code + code % 2
    yield from ((middle + hair, code + 1), (above - hair, code + 1))
