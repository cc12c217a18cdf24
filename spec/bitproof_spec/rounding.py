"""Which word a value has in a format: round to nearest, ties to even, in exact integers.

Words of one sign are ordered like the magnitudes they mean, so the next number up is the next word up and a carry out
of the fraction needs no case of its own. Overflow gives the infinity (ieee), the format's NaN (finite-max-nan,
finite-unsigned-zero) or the largest number of that sign (finite).
"""

from __future__ import annotations

from fractions import Fraction

from bitproof_spec.formats import BinaryFormat, Specials
from bitproof_spec.meaning import Finite, Infinity, NaN, Value, meaning
from bitproof_spec.words import Fields


def nearest_even(format: BinaryFormat, value: Fraction | int, sign: int | None = None) -> int:
    """The word of the number nearest to an exact rational; of two equally near, the one with an even fraction.

    The sign of a zero result is the value's; `sign` gives that of a value that is 0 itself.
    """
    negative = int(value < 0) if value or sign is None else sign
    return _signed(format, negative, _nearest(format, abs(value.numerator), value.denominator, 0))


def word_of(format: BinaryFormat, value: Value) -> int:
    """The word of a value, rounded to nearest even when it is a number, overflowing when it is an infinity.

    ValueError for a NaN that the format has no word for.
    """
    match value:
        case Finite(sign, significand, exponent):
            return _signed(format, sign, _nearest(format, significand, 1, exponent))
        case Infinity(sign):
            return _signed(format, sign, None)
        case NaN():
            return _nan(format, value)


def exact_word(format: BinaryFormat, value: Value) -> int:
    """The one word that means this value; ValueError when the format has none."""
    word = word_of(format, value)
    if meaning(format, word) != value:
        raise ValueError(f"{value} has no word in {format.tag}")
    return word


def _nearest(format: BinaryFormat, numerator: int, denominator: int, exponent: int) -> int | None:
    """The word of numerator/denominator * 2^exponent >= 0, rounded; None on overflow."""
    if numerator == 0:
        return 0
    scale = numerator.bit_length() - denominator.bit_length()
    below = numerator << max(-scale, 0) < denominator << max(scale, 0)
    leading = scale - below + exponent  # 2^leading <= value < 2^(leading + 1)
    if leading > format.greatest_exponent:
        return None
    if leading < format.least_exponent - format.fraction_bits - 1:
        return 0  # less than half of the smallest number: never scaled, however small it is
    binade = max(leading, format.least_exponent)
    shift = exponent - (binade - format.fraction_bits)
    word = nearest_integer(numerator << max(shift, 0), denominator << max(-shift, 0))
    word += (binade - format.least_exponent) << format.fraction_bits
    return word if word <= format.largest else None


def nearest_integer(numerator: int, denominator: int) -> int:
    """The integer nearest to a quotient, ties to even."""
    below, rest = divmod(numerator, denominator)
    return below + (2 * rest > denominator or (2 * rest == denominator and below % 2 == 1))


def _signed(format: BinaryFormat, sign: int, magnitude: int | None) -> int:
    """The word of a rounded magnitude under its sign; of the overflow when there is none."""
    if magnitude is None:
        return _overflow(format, sign)
    if magnitude == 0 and not format.has_negative_zero:
        return 0
    return sign * format.sign_word + magnitude


def _overflow(format: BinaryFormat, sign: int) -> int:
    """The word for a number beyond the largest, by the format's specials."""
    match format.specials:
        case Specials.IEEE | Specials.FINITE_MAX_NAN:  # the infinity, or the NaN: the word after the largest number
            return sign * format.sign_word + format.largest + 1
        case Specials.FINITE_UNSIGNED_ZERO:
            return format.sign_word
        case Specials.FINITE:
            return sign * format.sign_word + format.largest


def _nan(format: BinaryFormat, nan: NaN) -> int:
    """The word of a NaN; ValueError when the format has none for it."""
    if format.specials is Specials.IEEE:
        quiet_bit = 1 << format.fraction_bits - 1
        if not nan.signalling <= nan.payload < quiet_bit:  # a signalling NaN without payload would be an infinity
            raise ValueError(f"{nan} has no word in {format.tag}")
        fraction = nan.payload + (0 if nan.signalling else quiet_bit)
        return format.join(Fields(nan.sign, format.top_exponent + 1, fraction))
    if not format.has_nan or nan.signalling or nan.payload:
        raise ValueError(f"{nan} has no word in {format.tag}")
    return _overflow(format, nan.sign)
