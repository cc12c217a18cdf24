"""What a word means: an exact number, an infinity or a NaN. `rounding.word_of` is the way back.

A number is kept as sign, odd significand and power of two, so that -0 is distinct and no format is too wide for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import TypeAlias

from bitproof_spec.formats import BinaryFormat, Specials


@dataclass(frozen=True, slots=True)
class Finite:
    """The number (-1)^sign * significand * 2^exponent; the significand is odd, or 0 with exponent 0.

    Equal numbers are equal values, and -0 differs from 0. `finite` makes one of any significand.
    """

    sign: int
    significand: int
    exponent: int

    def __post_init__(self) -> None:
        reduced = self.significand % 2 == 1 or self.significand == self.exponent == 0
        if self.sign not in (0, 1) or self.significand < 0 or not reduced:
            raise ValueError(f"{self.sign}, {self.significand}, {self.exponent} are no reduced binary number")

    @property
    def magnitude(self) -> Fraction:
        """The exact absolute value; as large in memory as its exponent says."""
        if self.exponent < 0:
            return Fraction(self.significand, 1 << -self.exponent)
        return Fraction(self.significand << self.exponent)

    @property
    def fraction(self) -> Fraction:
        """The exact number; the sign of a zero is lost."""
        return -self.magnitude if self.sign else self.magnitude


@dataclass(frozen=True, slots=True)
class Infinity:
    """An infinity of a sign."""

    sign: int


@dataclass(frozen=True, slots=True)
class NaN:
    """Not a number: the sign bit, whether it signals, and the fraction bits below the quiet bit.

    In a format with one NaN a sign these are the sign, False and 0; in one with a single NaN all are 0.
    """

    sign: int
    signalling: bool
    payload: int


Value: TypeAlias = Finite | Infinity | NaN


class WordClass(Enum):
    """The classes of words. A NaN of a format without a quiet bit is quiet."""

    ZERO = "zero"
    SUBNORMAL = "subnormal"
    NORMAL = "normal"
    INFINITY = "infinity"
    QUIET_NAN = "quiet NaN"
    SIGNALLING_NAN = "signalling NaN"


def finite(sign: int, significand: int, exponent: int = 0) -> Finite:
    """The number (-1)^sign * significand * 2^exponent, reduced; ValueError for a sign or significand out of range."""
    if significand <= 0:
        return Finite(sign, significand, 0)
    zeros = (significand & -significand).bit_length() - 1
    return Finite(sign, significand >> zeros, exponent + zeros)


def classify(format: BinaryFormat, word: int) -> WordClass:
    """The class of a word; ValueError when it has more bits than the format."""
    _, exponent, fraction = format.split(word)
    match format.specials:
        case Specials.IEEE if exponent > format.top_exponent:
            if fraction == 0:
                return WordClass.INFINITY
            quiet = fraction >> format.fraction_bits - 1
            return WordClass.QUIET_NAN if quiet else WordClass.SIGNALLING_NAN
        case Specials.FINITE_MAX_NAN if word % format.sign_word > format.largest:
            return WordClass.QUIET_NAN
        case Specials.FINITE_UNSIGNED_ZERO if word == format.sign_word:
            return WordClass.QUIET_NAN
    if exponent > 0:
        return WordClass.NORMAL
    return WordClass.SUBNORMAL if fraction else WordClass.ZERO


def meaning(format: BinaryFormat, word: int) -> Value:
    """The exact value of a word; different words of a format have different ones.

    ValueError when the word has more bits than the format.
    """
    sign, exponent, fraction = format.split(word)
    match classify(format, word):
        case WordClass.INFINITY:
            return Infinity(sign)
        case WordClass.SIGNALLING_NAN:
            return NaN(sign, True, fraction)
        case WordClass.QUIET_NAN:
            return _quiet(format, sign, fraction)
        case WordClass.NORMAL:
            hidden = 1 << format.fraction_bits
            return finite(sign, hidden + fraction, exponent - format.bias - format.fraction_bits)
        case WordClass.SUBNORMAL | WordClass.ZERO:
            return finite(sign, fraction, format.least_exponent - format.fraction_bits)


def _quiet(format: BinaryFormat, sign: int, fraction: int) -> NaN:
    """The quiet NaN of a word; only an IEEE format has payloads, and the unsigned zero's NaN has no sign either."""
    match format.specials:
        case Specials.IEEE:
            return NaN(sign, False, fraction % (1 << format.fraction_bits - 1))
        case Specials.FINITE_MAX_NAN:
            return NaN(sign, False, 0)
        case _:
            return NaN(0, False, 0)
