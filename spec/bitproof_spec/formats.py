"""Binary formats: the four parameters of each, and what words they leave for zeros, infinities and NaNs.

A word is sign, exponent code and fraction, from the highest bit down. What a word means is in `meaning`, which word
a value rounds to in `rounding`; here is only what both need, in integers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from bitproof_spec.words import Fields, join, split


class Specials(Enum):
    """Which words are no ordinary numbers; the value is the text in a tag."""

    IEEE = "ieee"
    """Infinities and NaNs at the exponent of all ones."""

    FINITE_MAX_NAN = "finite-max-nan"
    """No infinity; exponent and fraction of all ones is the NaN, of either sign."""

    FINITE_UNSIGNED_ZERO = "finite-unsigned-zero"
    """No infinity and no -0; the word with only the sign set is the one NaN."""

    FINITE = "finite"
    """Numbers only."""


def default_bias(exponent_bits: int, specials: Specials) -> int:
    """2^(exponent_bits - 1) - 1, and one more for a format without -0."""
    return (1 << exponent_bits - 1) - 1 + (specials is Specials.FINITE_UNSIGNED_ZERO)


@dataclass(frozen=True)
class BinaryFormat:
    """A binary format of any width.

    `exponent_bits` >= 2; `fraction_bits` >= 1, without the hidden bit; 0 < `bias` <= the largest exponent code of a
    finite number. ValueError for other parameters.
    """

    exponent_bits: int
    fraction_bits: int
    bias: int
    specials: Specials = Specials.IEEE

    def __post_init__(self) -> None:
        if self.exponent_bits < 2:
            raise ValueError(f"a binary format has at least 2 exponent bits, not {self.exponent_bits}")
        if self.fraction_bits < 1:
            raise ValueError(f"a binary format has at least 1 fraction bit, not {self.fraction_bits}")
        if not 0 < self.bias <= self.top_exponent:
            raise ValueError(f"a bias is in 1..{self.top_exponent} here, not {self.bias}")

    @property
    def tag(self) -> str:
        """`binary_{exponent bits}_{fraction bits}_{bias}_{specials}`, different for different formats."""
        return f"binary_{self.exponent_bits}_{self.fraction_bits}_{self.bias}_{self.specials.value}"

    @property
    def bits(self) -> int:
        """The width of a word in bits."""
        return 1 + self.exponent_bits + self.fraction_bits

    @property
    def top_exponent(self) -> int:
        """The largest exponent code of a finite number."""
        return (1 << self.exponent_bits) - (2 if self.specials is Specials.IEEE else 1)

    @property
    def largest(self) -> int:
        """The word of the largest finite number."""
        top_fraction = (1 << self.fraction_bits) - (2 if self.specials is Specials.FINITE_MAX_NAN else 1)
        return self.join(Fields(0, self.top_exponent, top_fraction))

    @property
    def sign_word(self) -> int:
        """The word with only the sign set: -0, or the NaN of a format without -0."""
        return 1 << self.exponent_bits + self.fraction_bits

    @property
    def least_exponent(self) -> int:
        """The exponent of the smallest normal number, 2^least_exponent."""
        return 1 - self.bias

    @property
    def greatest_exponent(self) -> int:
        """The exponent of the largest finite numbers: they lie in [2^greatest_exponent, 2^(greatest_exponent + 1))."""
        return self.top_exponent - self.bias

    @property
    def has_infinity(self) -> bool:
        """Whether there are words for infinities."""
        return self.specials is Specials.IEEE

    @property
    def has_nan(self) -> bool:
        """Whether there is a word for NaN."""
        return self.specials is not Specials.FINITE

    @property
    def has_negative_zero(self) -> bool:
        """Whether there is a word for -0."""
        return self.specials is not Specials.FINITE_UNSIGNED_ZERO

    def split(self, word: int) -> Fields:
        """The fields of a word; ValueError when it has more bits than the format."""
        return split(word, self.exponent_bits, self.fraction_bits)

    def join(self, fields: Fields) -> int:
        """The word of its fields; ValueError when one of them doesn't fit."""
        return join(fields, self.exponent_bits, self.fraction_bits)


BINARY16 = BinaryFormat(5, 10, 15)
BFLOAT16 = BinaryFormat(8, 7, 127)
TF32 = BinaryFormat(8, 10, 127)
BINARY32 = BinaryFormat(8, 23, 127)
BINARY64 = BinaryFormat(11, 52, 1023)
BINARY128 = BinaryFormat(15, 112, 16383)
BINARY256 = BinaryFormat(19, 236, 262143)
E5M2 = BinaryFormat(5, 2, 15)
E4M3FN = BinaryFormat(4, 3, 7, Specials.FINITE_MAX_NAN)
E4M3FNUZ = BinaryFormat(4, 3, 8, Specials.FINITE_UNSIGNED_ZERO)
E5M2FNUZ = BinaryFormat(5, 2, 16, Specials.FINITE_UNSIGNED_ZERO)
E2M1 = BinaryFormat(2, 1, 1, Specials.FINITE)
E2M3 = BinaryFormat(2, 3, 1, Specials.FINITE)
E3M2 = BinaryFormat(3, 2, 3, Specials.FINITE)

NAMED: Mapping[str, BinaryFormat] = {
    "binary16": BINARY16,
    "bfloat16": BFLOAT16,
    "tf32": TF32,
    "binary32": BINARY32,
    "binary64": BINARY64,
    "binary128": BINARY128,
    "binary256": BINARY256,
    "e5m2": E5M2,
    "e4m3fn": E4M3FN,
    "e4m3fnuz": E4M3FNUZ,
    "e5m2fnuz": E5M2FNUZ,
    "e2m1": E2M1,
    "e2m3": E2M3,
    "e3m2": E3M2,
}
