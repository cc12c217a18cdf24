"""Binary32 words to binary64 words and back, exactly: sign kept, a NaN's payload shifted by 29, signalling kept.

In integers, so that no processor mode that flushes subnormals and no conversion that quiets a NaN comes near a word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bitproof.buffers import aligned
from bitproof_spec.document import Block

X = TypeVar("X", bound=np.generic)
Y = TypeVar("Y", bound=np.generic)

PIECE = 1 << 14


def widened(block: Block) -> Block:
    """A binary64 block with the values of a binary32 block, in new aligned memory."""
    source = np.frombuffer(block.data, "<u4")
    memory = aligned(8 * source.size)
    _fill(memory.view("<u8"), source, widen_words)
    return Block("binary64", block.shape, memory.data)


def narrowed(block: Block) -> Block:
    """A binary32 block with the values of a binary64 block that `inexact` has nothing against."""
    source = np.frombuffer(block.data, "<u8")
    memory = aligned(4 * source.size)
    _fill(memory.view("<u4"), source, narrow_words)
    return Block("binary32", block.shape, memory.data)


def _fill(target: NDArray[X], source: NDArray[Y], convert: Callable[[NDArray[Y]], NDArray[X]]) -> None:
    for piece in pieces(source.size):
        target[piece] = convert(source[piece])


def widen_words(words: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """The binary64 word of each binary32 word."""
    wide = words.astype(np.uint64)
    sign, code, fraction = wide >> 31 << 63, wide >> 23 & 0xFF, wide & 0x7FFFFF
    result = (sign | code + 896 << 52 | fraction << 29).astype(np.uint64)
    special = code == 0xFF
    result[special] = (sign | np.uint64(0x7FF) << 52 | fraction << 29)[special]
    tiny = code == 0
    result[tiny] = sign[tiny] | _subnormal(fraction[tiny])
    return result


def _subnormal(fraction: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The word of fraction · 2^-149: an integer below 2^23 is exact in binary64, and its exponent code moves by 149."""
    exact = fraction.astype(np.float64).view(np.uint64)
    return np.where(fraction == 0, np.uint64(0), exact - (np.uint64(149) << np.uint64(52)))


def inexact(block: Block) -> Iterator[int]:
    """The flat indices of the words of a binary64 block that no binary32 word means."""
    source = np.frombuffer(block.data, "<u8")
    for piece in pieces(source.size):
        words = source[piece]
        yield from (piece.start + int(at) for at in np.flatnonzero(widen_words(narrow_words(words)) != words))


def pieces(size: int) -> Iterator[slice]:
    """Runs of a long array, so that what is computed on the way stays in the processor's cache."""
    return (slice(start, min(start + PIECE, size)) for start in range(0, size, PIECE))


def narrow_words(words: NDArray[np.uint64]) -> NDArray[np.uint32]:
    """The binary32 word of each binary64 word that has one; of the others, a word that means something else."""
    code, fraction = (words >> 52 & 0x7FF).astype(np.int64), words & 0xFFFFFFFFFFFFF
    sign = (words >> 63 << 31).astype(np.uint32)
    normal = (np.clip(code - 896, 0, 254).astype(np.uint64) << 23 | fraction >> 29).astype(np.uint32)
    special = (np.uint64(0xFF) << np.uint64(23) | fraction >> 29).astype(np.uint32)
    shift = np.clip(926 - code, 0, 63).astype(np.uint64)  # 2^-126 has the code 897 and needs a shift of 29
    tiny = ((fraction | np.uint64(1 << 52)) >> shift).astype(np.uint32)
    magnitude = np.where(code == 0x7FF, special, np.where(code > 896, normal, np.where(code == 0, 0, tiny)))
    result: NDArray[np.uint32] = sign | magnitude.astype(np.uint32)
    return result
