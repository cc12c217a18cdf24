"""Binary64 words as real numbers, without a float: order, classes and the ranges of manifest members."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from bitproof_spec.klyn.constants import Precision

SIGN = 1 << 63
INFINITY = 0x7FF << 52
MINUS_ZERO = SIGN
ZERO = 0
ONE = 1023 << 52
HEX_WORD = re.compile("[0-9a-f]{16}")

BINARY32_LEAST_NORMAL = (1023 - 126) << 52  # 2^-126
BINARY32_LARGEST = (1023 + 127) << 52 | (2**52 - 2**29)  # (2 - 2^-23) * 2^127
BINARY32_TO_ZERO = (1023 - 150) << 52  # 2^-150, the largest number that rounds to zero
BINARY32_TO_INFINITY = (1023 + 127) << 52 | (2**52 - 2**28)  # (2 - 2^-24) * 2^127, the least that rounds to infinity


class Range(NamedTuple):
    """Numbers between two words, both included, as the clause `rule` owes them."""

    rule: str
    least: int
    largest: int
    owed: str


RATE = Range("KNN-MEM-16", ZERO, ONE - 1, "in [0, 1)")
LEARNING_RATE = Range("KNN-TRN-02", ZERO, INFINITY - 1, "at least 0")
DECAY = Range("KNN-TRN-03", ZERO, ONE - 1, "in [0, 1)")
POWER = Range("KNN-TRN-05", ZERO, ONE, "in [0, 1]")
SCALE = Range("KNN-TRN-08", BINARY32_LEAST_NORMAL, BINARY32_LARGEST, "in [2^-126, the largest finite binary32]")
GROWTH = Range("KNN-TRN-09", ONE, INFINITY - 1, "at least 1")
BACKOFF = Range("KNN-TRN-10", ZERO + 1, ONE, "in (0, 1]")
EPSILON: Mapping[Precision, Range] = {
    "binary32": Range(
        "KNN-TRN-04", BINARY32_TO_ZERO + 1, BINARY32_TO_INFINITY - 1, "finite and above 0 when rounded to binary32"
    ),
    "binary64": Range("KNN-TRN-04", ZERO + 1, INFINITY - 1, "above 0"),
}


def is_finite(word: int) -> bool:
    """Whether a word is neither infinite nor NaN."""
    return word & INFINITY != INFINITY


def order(word: int) -> int:
    """An integer that orders numbers as their values do; both zeros are 0."""
    return word if word < SIGN else SIGN - word


def within(word: int, range: Range) -> bool:
    """Whether the number of a word lies in a range."""
    return range.least <= order(word) <= range.largest
