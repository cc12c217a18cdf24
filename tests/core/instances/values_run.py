"""A run of training as a program keeps it: a model, its optimizer, steps done, the last loss, whether it has ended."""

from __future__ import annotations

from typing import ClassVar

import torch

from bitproof.tensors import block_of
from bitproof_spec.target import Commit
from bitproof_spec.violations import Violations
from tests.core.instances.values_document import FloatValue, ModelValue, OptimizerValue, Values
from tests.core.instances.values_format import word_of
from tests.core.instances.values_types import AdamW, Fields, Model, types

END = 1000


class Mlp(Model):
    """Two weights and a buffer that counts."""

    fields: ClassVar[Fields] = {"w1": ("binary32", (3, 4)), "w2": ("binary32", (4, 2)), "seen": ("int64", ())}


def new_mlp() -> Mlp:
    """A model before its first update; no weight is like another."""
    w1 = (torch.arange(12, dtype=torch.float32) / 11 - 0.4).reshape(3, 4)
    w2 = (torch.arange(8, dtype=torch.float32) / 7 - 0.3).reshape(4, 2)
    return Mlp({"w1": w1, "w2": w2, "seen": torch.zeros((), dtype=torch.int64)})


def update(optimizer: AdamW[Mlp]) -> None:
    """One update of the model that the optimizer is bound to, its step growing smaller with the count."""
    optimizer.updates += 1
    for name, moment in optimizer.moments.items():
        weight = optimizer.model.tensors[name]
        moment.add_((torch.cos(weight) - moment) * 0.1)
        weight.sub_(moment * (optimizer.rate / optimizer.updates))
    optimizer.model.tensors["seen"] += 3


class Run:
    """`Trainable[Values]`: five values, which are saved together and loaded by their types."""

    def __init__(self) -> None:
        self.model = new_mlp()
        moments = {name: torch.zeros_like(tensor) for name, tensor in self.model.tensors.items() if name != "seen"}
        self.optimizer = AdamW(self.model, 0.0625 + 2**-30, 0, moments)
        self.done, self.loss, self.ended = 0, 3.5, False

    def capture(self) -> Values:
        fields = tuple((name, block_of(tensor)) for name, tensor in self.model.tensors.items())
        moments = tuple((name, block_of(tensor)) for name, tensor in self.optimizer.moments.items())
        optimizer = OptimizerValue("AdamW[Mlp]", word_of(self.optimizer.rate), self.optimizer.updates, moments)
        scalars = (self.done, FloatValue(word_of(self.loss)), self.ended)
        return Values((ModelValue("Mlp", fields), optimizer, *scalars))

    def stage(self, document: Values, /) -> Commit[None] | Violations:
        load = types(Mlp, AdamW[Mlp], int, float, bool).stage(document)
        if isinstance(load, Violations):
            return load
        make = load

        def commit() -> None:
            self.model, self.optimizer, self.done, self.loss, self.ended = make()

        return commit

    def advance(self, steps: int, /) -> None:
        for _ in range(steps):
            update(self.optimizer)
            self.loss = self.loss * 0.75 + float(self.model.tensors["w1"].sum()) / 64
            self.done += 1
            self.ended = self.done >= END
