"""An objective that no chain of layers can be: two branches that share a weight, a persistent and a passing buffer."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from bitproof.torchlean.context import Context
from bitproof.torchlean.objective import Backend, ShapeList
from bitproof.torchlean.params import Param, ParamList
from bitproof.torchlean.scalars import Float32


class TwoBranches:
    """loss = mean((tanh(x·w) + relu(x·w)·s·noise - y)²): `w` is state twice (tied), `average` once, `seen` never."""

    scalar = Float32
    use_cuda = False
    state_shapes: ShapeList = ((3, 2), (2,), (3, 2), (2,))
    input_shapes: ShapeList = ((3,),)
    data_input_shapes: ShapeList = ((2,),)

    def __init__(self, backend: Backend, seed: int = 6) -> None:
        generator = torch.Generator().manual_seed(seed)
        self.backend = backend
        self.weight = torch.randn(3, 2, generator=generator)
        self.scale = torch.randn(2, generator=generator)
        self.average = torch.randn(2, generator=generator)
        self.seen = 0

    def parameters(self) -> ParamList[Float32]:
        """Weight, scale, the tied weight again, and the running average."""
        slots = ((self.weight, True), (self.scale, True), (self.weight, True), (self.average, False))
        return ParamList(Float32, [Param(tensor, trainable) for tensor, trainable in slots])

    def loss(self, state: Sequence[torch.Tensor], batch: Sequence[torch.Tensor], context: Context) -> torch.Tensor:
        """The squared error of both branches' sum; training moves the average and draws noise."""
        x, y = batch
        one, two = x @ state[0], torch.relu(x @ state[2]) * state[1]
        if context.training:
            self.seen += 1
            context.updates.append((3, (state[3] * 0.9 + one.detach().mean(0) * 0.1)))
            two = two * context.session.units((2,), torch.float32)
        difference = torch.tanh(one) + two - y
        return (difference * difference).mean()
