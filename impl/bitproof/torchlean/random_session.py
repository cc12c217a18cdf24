"""The random counter of a session, and dropout's draws: SplitMix64, vectorised and equal to the specification's."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from bitproof_spec.random import GOLDEN, MASK, SPLITMIX, split_key


class RandomSession:
    """A seed and the number of random operations so far; it survives tape resets and is saved with the optimizer."""

    def __init__(self, seed: int = 0, counter: int = 0) -> None:
        self.seed = seed & MASK
        self.counter = counter

    def units(self, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
        """One random operation: draws / 2^32 in row-major order, each rounded once to binary32 or binary64."""
        draws = self._draws(int(np.prod(shape, dtype=np.int64)))
        self.counter += 1
        if dtype is torch.float32:
            return torch.from_numpy(draws.astype(np.float32) * np.float32(2**-32)).reshape(shape)
        return torch.from_numpy(draws.astype(np.float64) * 2**-32).reshape(shape)

    def _draws(self, count: int) -> NDArray[np.uint32]:
        """The low 32 bits of mix(key + i), with key = mix(seed + counter)."""
        key = np.uint64(split_key(self.seed, self.counter))
        return (_mix(key + np.arange(count, dtype=np.uint64)) & np.uint64(0xFFFFFFFF)).astype(np.uint32)


def _mix(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """SplitMix64's output for each state; arrays wrap at 2^64."""
    z = words + np.uint64(GOLDEN)
    z = (z ^ z >> np.uint64(30)) * np.uint64(SPLITMIX[0])
    z = (z ^ z >> np.uint64(27)) * np.uint64(SPLITMIX[1])
    return z ^ z >> np.uint64(31)
