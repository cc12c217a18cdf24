"""Alignment: where a block may start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

ALIGNMENT = 64


def align_up(offset: int, alignment: int = ALIGNMENT) -> int:
    """The least multiple of `alignment` that is at least `offset`, in bytes.

    ValueError for a negative offset or an alignment below 1.
    """
    if offset < 0 or alignment < 1:
        raise ValueError(f"no offset {offset} is aligned to {alignment}")
    return offset + -offset % alignment


def place(lengths: Iterable[int], start: int = 0) -> Iterator[tuple[int, int]]:
    """The (offset, length) of each block: the first from `start`, each next from the end of the one before, aligned.

    An empty block has the offset that this gives and may share it with the next. All in bytes.
    """
    end = start
    for length in lengths:
        offset = align_up(end)
        yield offset, length
        end = offset + length
