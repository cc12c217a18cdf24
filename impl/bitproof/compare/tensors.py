"""The elements in which two tensors of one size differ, found at the speed of memory without any array library."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from bitproof_spec.document import Data

CHUNK = 1 << 16  # bytes compared at once; equal chunks cost one memcmp


def count_differing(a: Data, b: Data, width: int) -> int:
    """How many of the words of `width` bytes differ; both sides have one length, a multiple of `width`."""
    return sum(_marks(a, b, width, *chunk).bit_count() for chunk in _unequal_chunks(a, b, width))


def differing(a: Data, b: Data, width: int) -> Iterator[int]:
    """The flat indices of the words that differ, in order."""
    for start, length in _unequal_chunks(a, b, width):
        flags = _marks(a, b, width, start, length).to_bytes(length, "little")[::width]
        index = flags.find(1)
        while index >= 0:
            yield start // width + index
            index = flags.find(1, index + 1)


def _marks(a: Data, b: Data, width: int, start: int, length: int) -> int:
    """One number for the run of bytes: the lowest bit of each word is set where the words differ, no other is."""
    left, right = (int.from_bytes(side[start : start + length], "little") for side in (a, b))
    return _fold(left ^ right, width) & _low_bits(width, length)


def _unequal_chunks(a: Data, b: Data, width: int) -> Iterator[tuple[int, int]]:
    """(start, length) of the chunks that aren't equal, each of whole words."""
    size = CHUNK - CHUNK % width
    for start in range(0, len(a), size):
        if bytes(a[start : start + size]) != bytes(b[start : start + size]):  # memoryviews compare item by item
            yield start, min(size, len(a) - start)


def _fold(bits: int, width: int) -> int:
    """Brings to the lowest bit of each word the disjunction of its bits; its other bits mean nothing.

    Shifts that add up to one less than the word's width carry every bit of the word to its lowest and none further.
    """
    left = 8 * width - 1
    while left:
        shift = (left + 1) // 2
        bits |= bits >> shift
        left -= shift
    return bits


@lru_cache(maxsize=16)
def _low_bits(width: int, length: int) -> int:
    """The lowest bit of every word in `length` bytes."""
    return int.from_bytes((b"\x01" + bytes(width - 1)) * (length // width), "little")
