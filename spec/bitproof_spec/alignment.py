"""Alignment: where a block may start."""

from __future__ import annotations

ALIGNMENT = 64


def align_up(offset: int, alignment: int = ALIGNMENT) -> int:
    """The least multiple of `alignment` that is at least `offset`, in bytes.

    ValueError for a negative offset or an alignment below 1.
    """
    if offset < 0 or alignment < 1:
        raise ValueError(f"no offset {offset} is aligned to {alignment}")
    return offset + -offset % alignment


def is_aligned_up(aligned: int, offset: int, alignment: int = ALIGNMENT) -> bool:
    """The law of `align_up`: `aligned` is a multiple, not below `offset`, and the multiple before it is below."""
    return aligned % alignment == 0 and aligned - alignment < offset <= aligned
