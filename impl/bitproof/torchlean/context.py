"""What a forward pass carries along: the state, whether it trains, random draws, and buffers to update afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import torch

from bitproof.torchlean.random_session import RandomSession


@dataclass
class Context:
    """One forward pass. `updates` holds (index of a state tensor, its new value), installed after the backward pass."""

    training: bool
    session: RandomSession
    updates: list[tuple[int, torch.Tensor]] = field(default_factory=list)


@dataclass(frozen=True)
class Own:
    """A layer's part of a forward pass: its own state tensors, by index from 0, and the pass."""

    state: Sequence[torch.Tensor]
    at: int
    context: Context

    def __getitem__(self, index: int) -> torch.Tensor:
        return self.state[self.at + index]

    def update(self, index: int, value: torch.Tensor) -> None:
        """Give a buffer a new value once the pass is over."""
        self.context.updates.append((self.at + index, value.detach()))
