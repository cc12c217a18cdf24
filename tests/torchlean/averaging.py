"""An objective whose running average has a flag of its own: whether it holds anything yet."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from bitproof.torchlean.context import Context
from bitproof.torchlean.objective import Backend, ShapeList
from bitproof.torchlean.params import Param, ParamList
from bitproof.torchlean.scalars import Float32

MOMENTUM = 0.25


class Averaging:
    """loss = mean((x·w - average - y)²); the first pass sets the average, later ones move it by a quarter.

    `in_state` says where the flag lives: in a 0-d buffer, as it must, or in a Python attribute, where it gets lost.
    """

    scalar = Float32
    use_cuda = False
    input_shapes: ShapeList = ((3,),)
    data_input_shapes: ShapeList = ((2,),)

    def __init__(self, backend: Backend, *, in_state: bool = True) -> None:
        self.backend = backend
        self.weight = torch.randn(3, 2, generator=torch.Generator().manual_seed(6))
        self.average = torch.zeros(2)
        self.started = torch.tensor(0.0)
        self.updates = torch.tensor(0.0)
        self.in_state = in_state
        self.remembered = False

    @property
    def state_shapes(self) -> ShapeList:
        """Weight, average, number of updates, and the flag when it is state."""
        return ((3, 2), (2,), (), *(((),) if self.in_state else ()))

    def parameters(self) -> ParamList[Float32]:
        """As in `state_shapes`; only the weight is trained."""
        buffers = [self.average, self.updates, *([self.started] if self.in_state else [])]
        return ParamList(Float32, [Param(self.weight, True), *(Param(buffer, False) for buffer in buffers)])

    def loss(self, state: Sequence[torch.Tensor], batch: Sequence[torch.Tensor], context: Context) -> torch.Tensor:
        """The squared error around the average."""
        x, y = batch
        outputs = x @ state[0]
        if context.training:
            seen = outputs.detach().mean(0)
            moved = (1 - MOMENTUM) * state[1] + MOMENTUM * seen
            started = bool(state[3] > 0) if self.in_state else self.remembered
            context.updates += [(1, moved if started else seen), (2, state[2] + 1)]
            context.updates += [(3, torch.tensor(1.0))] if self.in_state else []
            self.remembered = True
        difference = outputs - state[1] - y
        return (difference * difference).mean()
