"""A KNN-like model: half weights, binary32 masters and moments, an accumulated binary64 power, a dropout counter."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from bitproof.tensors import block_of, tensor_of
from bitproof_spec.document import Block
from bitproof_spec.layout import TensorSpec, misfits
from bitproof_spec.target import Commit
from bitproof_spec.violations import Violation, Violations
from tests.core.instances.knn_document import STORAGES, Knn

PRECISION = "binary16"
SHAPES = {"dense/kernel": (3, 2), "dense/bias": (2,)}
BETA1, BETA2, RATE = 0.9, 0.99, 0.01


class HalfModel:
    """`Trainable[Knn]`: one dense layer under Adam, each weight with its master and two moments in binary32."""

    def __init__(self) -> None:
        self.tensors = {id: tensor for name, shape in SHAPES.items() for id, tensor in _accumulated(name, shape)}
        self.power = torch.ones((), dtype=torch.float64)
        self.counter = 0

    def capture(self) -> Knn:
        tensors = tuple((id, block_of(tensor)) for id, tensor in self.tensors.items())
        return Knn(PRECISION, int.from_bytes(block_of(self.power).data, "little"), self.counter, tensors)

    def stage(self, document: Knn, /) -> Commit[None] | Violations:
        found = tuple(self._misfits(document))
        if found:
            return Violations(found)
        staged = [staged_tensor(block) for _, block in document.tensors]
        power = tensor_of(Block("binary64", (), document.power.to_bytes(8, "little")))

        def commit() -> None:
            for tensor, new in zip((*self.tensors.values(), self.power), (*staged, power), strict=True):
                tensor.copy_(new)  # one dtype, one shape: a copy of bytes, and the tensor keeps its identity
            self.counter = document.counter

        return commit

    def advance(self, steps: int, /) -> None:
        for _ in range(steps):
            self.power.mul_(BETA1)
            for name in SHAPES:
                self._update(name, _mask(self.counter, self.tensors[name]))
            self.counter += 1

    def _update(self, name: str, mask: torch.Tensor) -> None:
        weight, master, m, v = (self.tensors[name + role] for role in ("", "/master", "/adam_m", "/adam_v"))
        gradient = (weight * mask).to(torch.float32) * 0.37 + 0.11
        m.add_((gradient - m) * (1 - BETA1))
        v.add_((gradient * gradient - v) * (1 - BETA2))
        master.sub_((RATE / (1 - self.power)).to(torch.float32) * m / (v.sqrt() + 1e-6))
        weight.copy_(master)  # rounded once, to nearest even

    def _misfits(self, document: Knn) -> Iterator[Violation]:
        if document.precision != PRECISION:
            yield Violation("KNL-PRECISION", "/precision", document.precision, PRECISION)
        ids = [id for id, _ in document.tensors]
        if ids != list(self.tensors):
            yield Violation("KNL-TABLE", "/tensors", str(ids), str(list(self.tensors)))
        else:
            yield from misfits(self.specs(), [block for _, block in document.tensors])

    def specs(self) -> list[TensorSpec]:
        return [
            TensorSpec(id, STORAGES["binary16" if id in SHAPES else "binary32"], tuple(tensor.shape))
            for id, tensor in self.tensors.items()
        ]


def staged_tensor(block: Block) -> torch.Tensor:
    """One tensor of a document that is being staged; where a fault can be planted."""
    return tensor_of(block)


def _accumulated(name: str, shape: tuple[int, ...]) -> Iterator[tuple[str, torch.Tensor]]:
    """A weight and what Adam accumulates for it; the numbers are no multiples of a half, so that rounding shows."""
    master = torch.arange(torch.Size(shape).numel(), dtype=torch.float32).reshape(shape) / 7 - 0.31
    yield name, master.to(torch.float16)
    yield f"{name}/master", master
    yield f"{name}/adam_m", torch.zeros(shape)
    yield f"{name}/adam_v", torch.zeros(shape)


def _mask(counter: int, tensor: torch.Tensor) -> torch.Tensor:
    """A dropout mask: a function of the counter and nothing else."""
    bits = ((counter + 1) * 0x9E3779B97F4A7C15 + index * 0x2545F4914F6CDD1D for index in range(tensor.numel()))
    return torch.tensor([(word >> 40) % 4 > 0 for word in bits]).reshape(tensor.shape)
