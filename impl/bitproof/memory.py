"""Memory of our own for what is read from files, without numpy: aligned, private to the process, freed with its users.

Unlike a mapping of the file, it can't change or vanish when the file does.
"""

from __future__ import annotations

import mmap
from collections.abc import Sequence

ALIGNMENT = 64  # of all memory that values are computed in: kernels may give other bits for other alignments
HUGE = 1 << 22  # from here on huge pages save more page faults than they waste


def owned(nbytes: int) -> memoryview:
    """New writable zeroed memory that starts at a page; OSError when there is none left."""
    if not nbytes:
        return memoryview(bytearray())
    pages = mmap.mmap(-1, nbytes, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if nbytes >= HUGE and hasattr(mmap, "MADV_HUGEPAGE"):
        pages.madvise(mmap.MADV_HUGEPAGE)
    return memoryview(pages)


def owned_each(sizes: Sequence[int]) -> list[memoryview]:
    """New writable memory of each size, every one aligned to 64 bytes, in one allocation for all of them."""
    starts = [0]
    for size in sizes:
        starts.append(starts[-1] + size + -size % ALIGNMENT)
    whole = owned(starts.pop())
    return [whole[start : start + size] for start, size in zip(starts, sizes, strict=True)]
