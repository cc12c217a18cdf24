"""Tensors as exact numbers and words, and arithmetic in a binary format: exact results, each rounded once."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import Any, NamedTuple

import torch

from bitproof.klyn import Float16, Float32, Float64
from bitproof_spec.formats import BINARY16, BINARY32, BINARY64, BinaryFormat
from bitproof_spec.meaning import Finite, meaning
from bitproof_spec.rounding import nearest_even

PRECISIONS = (Float16, Float32, Float64)
FORMATS = {"binary16": BINARY16, "binary32": BINARY32, "binary64": BINARY64}
DTYPES = {torch.float16: BINARY16, torch.float32: BINARY32, torch.float64: BINARY64}
INTEGERS = {torch.float16: torch.int16, torch.float32: torch.int32, torch.float64: torch.int64}


def words(tensor: torch.Tensor) -> list[int]:
    """The bits of each element, row-major, as unsigned integers."""
    width = 8 * tensor.element_size()
    signed: list[int] = tensor.detach().contiguous().view(INTEGERS[tensor.dtype]).flatten().tolist()
    return [word % (1 << width) for word in signed]


def value(format: BinaryFormat, word: int) -> Fraction:
    """The number of a word."""
    found = meaning(format, word)
    assert isinstance(found, Finite), found
    return found.fraction


def numbers(tensor: torch.Tensor) -> list[Fraction]:
    """Each element as an exact number, row-major."""
    return [value(DTYPES[tensor.dtype], word) for word in words(tensor)]


def tensor_of(format: BinaryFormat, values: Any) -> list[int]:
    """Exact numbers as words, each rounded once; zeros are +0."""
    return [nearest_even(format, Fraction(each)) for each in values]


class Rounded(NamedTuple):
    """A number of a format; operators give the exact result rounded once, to nearest even."""

    format: BinaryFormat
    number: Fraction

    @staticmethod
    def of(format: BinaryFormat, number: Fraction | float) -> Rounded:
        """A number rounded to the format; a float stands for its exact value."""
        return Rounded(format, value(format, nearest_even(format, Fraction(number))))

    def to(self, format: BinaryFormat) -> Rounded:
        """Rounded to another format."""
        return Rounded.of(format, self.number)

    def plus(self, other: Rounded) -> Rounded:
        """The sum."""
        return Rounded.of(self.format, self.number + other.number)

    def minus(self, other: Rounded) -> Rounded:
        """The difference."""
        return Rounded.of(self.format, self.number - other.number)

    def times(self, other: Rounded) -> Rounded:
        """The product."""
        return Rounded.of(self.format, self.number * other.number)

    def over(self, other: Rounded) -> Rounded:
        """The quotient."""
        return Rounded.of(self.format, self.number / other.number)

    def root(self) -> Rounded:
        """The square root, rounded from enough digits that more wouldn't matter."""
        scaled = self.number * 4**1100
        floor = isqrt(scaled.numerator // scaled.denominator)
        inexact = floor * floor != scaled
        return Rounded.of(self.format, Fraction(2 * floor + inexact, 2 * 2**1100))
