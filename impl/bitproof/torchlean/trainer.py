"""`Trainer`: trains a fresh module of a model; its results are saved as Float tensors in JSON, whatever the device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

import torch

from bitproof import tensors
from bitproof.paths import FilePathLike, escape_path
from bitproof.torchlean import files
from bitproof.torchlean.canonical_nans import owe_canonical
from bitproof.torchlean.context import Context
from bitproof.torchlean.errors import StateError
from bitproof.torchlean.module import Module
from bitproof.torchlean.state_io import JsonTarget
from bitproof.torchlean.widening import widened
from bitproof.views import open_view
from bitproof_spec.document import Block
from bitproof_spec.target import load
from bitproof_spec.torchlean.encodings import FLOAT
from bitproof_spec.torchlean.json_state import TLJSON, JsonState

S = TypeVar("S")
Batch: TypeAlias = "tuple[torch.Tensor, torch.Tensor]"


@dataclass(frozen=True)
class Trained(Generic[S]):
    """A trained module, the steps done for this result, and the loss on the data after them."""

    module: Module[S]
    steps: int
    loss: float

    def save(self, path: FilePathLike) -> None:
        """Save the state as Float tensors, JSON under `torchlean_state_bits_v1`; binary32 values are widened exactly.

        StateError for a NaN that JSON can't hold, tensor and index named; OSError.
        """
        document = JsonState(FLOAT.tag, tuple(_float_block(t) for t in self.module.parameters().tensors))
        owe_canonical(document, path)
        files.write(path, TLJSON, document)


class Trainer(Generic[S]):
    """Trains one module on batches of (inputs, targets)."""

    def __init__(self, module: Module[S]) -> None:
        self.module = module

    def train(self, data: Batch, steps: int) -> Trained[S]:
        """Train `steps` times on the data, in place; ValueError for a negative number."""
        if steps < 0:
            raise ValueError(f"steps are counted from 0, not {steps}")
        for _ in range(steps):
            self.module.backend.step(self.module, data)
        return Trained(self.module, steps, self.evaluate(data))

    def load(self, path: FilePathLike, data: Batch) -> Trained[S]:
        """A result with 0 steps done: the state of a saved result in this trainer's module, evaluated once on the data.

        StateError with every finding and nothing changed; a value that a binary32 module doesn't hold is one; OSError.
        """
        with open_view(path, keep=True) as view:
            load(JsonTarget(self.module.parameters()), TLJSON, view, error=StateError, subject=escape_path(path))
        return Trained(self.module, 0, self.evaluate(data))

    def evaluate(self, data: Batch) -> float:
        """The loss on the data, without training."""
        module = self.module
        with torch.no_grad():
            return float(module.loss(module.parameters().tensors, data, Context(False, module.backend.session)))


def _float_block(tensor: torch.Tensor) -> Block:
    block = tensors.block_of(tensor)
    return block if block.tag == FLOAT.storage else widened(block)
