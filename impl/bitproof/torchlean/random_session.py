"""The random counter of a session, and dropout's draws: SplitMix64, vectorised and equal to the specification's."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB


class RandomSession:
    """A seed and the number of random operations so far; it survives tape resets and is saved with the optimizer."""

    def __init__(self, seed: int = 0, counter: int = 0) -> None:
        self.seed = seed & _MASK
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
        with np.errstate(over="ignore"):
            key = _mix(np.array([(self.seed + self.counter) & _MASK], np.uint64))
            mixed = _mix((key + np.arange(count, dtype=np.uint64)).astype(np.uint64))
        return (mixed & 0xFFFFFFFF).astype(np.uint32)


def _mix(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    z = words + np.uint64(_STEP)
    z = (z ^ z >> np.uint64(30)) * np.uint64(_FIRST)
    z = (z ^ z >> np.uint64(27)) * np.uint64(_SECOND)
    return z ^ z >> np.uint64(31)
