"""Random words on the CPU: Philox4x64-10 by (key, index of the block), so that a draw is a function of both alone.

numpy's generator adds one to its counter before its first block; here a counter is the index of the next block.
"""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

COUNTERS = 2**256
WORDS_PER_BLOCK = 4
SHUFFLE_KEY = 2**32  # beyond every stage index, so that no stage shares a stream with the shuffling
EPOCH_BLOCKS = 2**128  # blocks that each epoch's permutation has to itself


def words(key: tuple[int, int], counter: int, count: int) -> NDArray[np.uint64]:
    """The first `count` words from block `counter` on."""
    generator = np.random.Philox(counter=(counter - 1) % COUNTERS, key=np.array(key, np.uint64))
    drawn: NDArray[np.uint64] = generator.random_raw(count)
    return drawn


def uniform(key: tuple[int, int], counter: int, count: int) -> NDArray[np.float64]:
    """Multiples of 2^-53 in [0, 1), one a word."""
    return (words(key, counter, count) >> np.uint64(11)).astype(np.float64) * 2.0**-53


def blocks(count: int) -> int:
    """Whole blocks that hold `count` words."""
    return -(-count // WORDS_PER_BLOCK)


def permutation(seed: int, epoch: int, count: int) -> NDArray[np.int64]:
    """Fisher-Yates from the top: place i takes from place word mod (i + 1), a word a place."""
    places = np.arange(count - 1, 0, -1, dtype=np.uint64)
    drawn = words((seed, SHUFFLE_KEY), epoch * EPOCH_BLOCKS, len(places)) % (places + np.uint64(1))
    order = list(range(count))
    for place, other in zip(places.tolist(), drawn.tolist(), strict=True):
        order[place], order[other] = order[other], order[place]
    return np.array(order, np.int64)


class Stream:
    """The generator of one Dropout: its key is (seed, stage index), `counter` the index of its next block."""

    __slots__ = ("counter", "key")

    def __init__(self, key: tuple[int, int], counter: int = 0) -> None:
        self.key = key
        self.counter = counter

    def keep(self, rate: float, like: torch.Tensor) -> torch.Tensor:
        """Which elements of a tensor to keep; takes whole blocks for as many elements as it has, row-major."""
        count = like.numel()
        mask = uniform(self.key, self.counter, count) >= rate
        self.counter = (self.counter + blocks(count)) % COUNTERS
        return torch.from_numpy(mask).reshape(like.shape).to(like.device)
