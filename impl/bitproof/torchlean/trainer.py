"""`Trainer`: trains a fresh module of a model; its results are saved as Float tensors in JSON, whatever the device."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import torch

from bitproof import tensors
from bitproof.paths import FilePathLike, escape_path
from bitproof.torchlean import files
from bitproof.torchlean.canonical_nans import owe_canonical
from bitproof.torchlean.context import Context
from bitproof.torchlean.errors import StateError
from bitproof.torchlean.objective import Objective, parameters_of
from bitproof.torchlean.state_io import JsonTarget
from bitproof.torchlean.widening import widened
from bitproof.views import open_view
from bitproof_spec.document import Block
from bitproof_spec.target import load
from bitproof_spec.torchlean.encodings import FLOAT
from bitproof_spec.torchlean.json_state import TLJSON, JsonState

S = TypeVar("S")


@dataclass(frozen=True)
class Trained:
    """A result: its state as Float tensors, out of reach of later training; the steps done for it; its loss."""

    state: JsonState
    steps: int
    loss: float

    def save(self, path: FilePathLike) -> None:
        """Save the state as Float tensors, JSON under `torchlean_state_bits_v1`; binary32 values are widened exactly.

        StateError for a NaN that JSON can't hold, tensor and index named; OSError.
        """
        owe_canonical(self.state, path)
        files.publish_document(path, TLJSON, self.state)


class Trainer(Generic[S]):
    """Trains one objective on batches: its inputs, then its data inputs."""

    def __init__(self, objective: Objective[S]) -> None:
        self.objective = objective

    def train(self, data: Sequence[torch.Tensor], steps: int) -> Trained:
        """Train `steps` times on the data, in place; ValueError for a negative number."""
        if steps < 0:
            raise ValueError(f"steps are counted from 0, not {steps}")
        for _ in range(steps):
            self.objective.backend.step(self.objective, data)
        return self._result(data, steps)

    def load(self, path: FilePathLike, data: Sequence[torch.Tensor]) -> Trained:
        """A result with 0 steps done: the state of a saved one in this trainer's module, evaluated once on the data.

        StateError with every finding and nothing changed; a value that a binary32 module doesn't hold is one; OSError.
        """
        target = JsonTarget(parameters_of(self.objective))
        with open_view(path, keep=True) as view:
            load(target, TLJSON, view, error=StateError, subject=escape_path(path))
        return self._result(data, 0)

    def evaluate(self, data: Sequence[torch.Tensor]) -> float:
        """The loss on the data, without training."""
        objective = self.objective
        with torch.no_grad():
            return float(
                objective.loss(objective.parameters().tensors, data, Context(False, objective.backend.session))
            )

    def _result(self, data: Sequence[torch.Tensor], steps: int) -> Trained:
        blocks = tuple(map(_float_block, parameters_of(self.objective).tensors))
        return Trained(JsonState(FLOAT.tag, blocks), steps, self.evaluate(data))


def _float_block(tensor: torch.Tensor) -> Block:
    """A copy of the tensor's values as binary64 words."""
    block = tensors.block_view(tensor)
    if block.tag != FLOAT.storage:
        block = widened(block)
    return Block(block.tag, block.shape, bytes(block.data))
