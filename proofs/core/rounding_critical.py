"""Rounding from binary32 to binary16 by the words at which it changes: the bound between each two halves."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from bitproof_spec.formats import BINARY16, BINARY32
from bitproof_spec.meaning import Finite, finite
from bitproof_spec.rounding import exact_word
from proofs.core.nearest import magnitude

SIGN_16, SIGN_32 = BINARY16.sign_word, BINARY32.sign_word
INFINITY_16, INFINITY_32 = BINARY16.largest + 1, BINARY32.largest + 1


class Rounded(NamedTuple):
    """A binary32 word and the binary16 word that it rounds to."""

    word: int
    half: int


@cache
def bounds() -> tuple[int, ...]:
    """For each half above 0, infinity last: the least positive binary32 word that rounds to it.

    A half with an even fraction takes the midpoint below it, an odd one what is above that midpoint.
    """
    midpoints = ((magnitude(BINARY16, half - 1) + magnitude(BINARY16, half)) / 2 for half in range(1, INFINITY_16 + 1))
    words = (exact_word(BINARY32, _finite(middle.numerator, middle.denominator)) for middle in midpoints)
    return tuple(word + half % 2 for half, word in enumerate(words, 1))


@cache
def critical_words() -> tuple[Rounded, ...]:
    """The midpoint between each two halves, its two neighbours and both halves themselves, with either sign."""
    return tuple(_critical_words())


def _critical_words() -> Iterator[Rounded]:
    for half, bound in enumerate(bounds(), 1):
        middle = bound - half % 2
        for word in (middle - 1, middle, middle + 1):
            owed = half if word >= bound else half - 1
            yield Rounded(word, owed)
            yield Rounded(SIGN_32 + word, SIGN_16 + owed)
    for half in range(INFINITY_16):
        value = magnitude(BINARY16, half)
        word = exact_word(BINARY32, _finite(value.numerator, value.denominator))
        yield Rounded(word, half)
        yield Rounded(SIGN_32 + word, SIGN_16 + half)


def _finite(numerator: int, denominator: int) -> Finite:
    """A fraction whose denominator is a power of two."""
    return finite(0, numerator, 1 - denominator.bit_length())
