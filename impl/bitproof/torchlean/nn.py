"""TorchLean's layers on torch: Linear, activations, Dropout, BatchNorm, LayerNorm, each step rounded in the scalar."""

from __future__ import annotations

from math import sqrt
from typing import TypeVar

import torch

from bitproof.torchlean.context import Own
from bitproof.torchlean.layers import Fill, FiveTensors, OneTensor, Stateless, StateSlot, TwoTensors

N = TypeVar("N", bound=int)
O = TypeVar("O", bound=int)  # noqa: E741  # the number of outputs, beside N of inputs
H = TypeVar("H", bound=tuple[int, ...])

EPSILON = 1e-5


class Linear(TwoTensors[tuple[N], tuple[O], tuple[O, N], tuple[O]]):
    """x · weightᵀ + bias; state weight [outputs, inputs], bias [outputs]."""

    def __init__(self, inputs: N, outputs: O) -> None:
        super().__init__((inputs,), (outputs,))

    @property
    def slots(self) -> tuple[StateSlot, ...]:
        """Weight and bias, uniform within ±1/√inputs."""
        (inputs,), (outputs,) = self.input_shape, self.output_shape
        bound = 1 / sqrt(max(int(inputs), 1))
        return (StateSlot((outputs, inputs), True, uniform(bound)), StateSlot((outputs,), True, uniform(bound)))

    def forward(self, x: torch.Tensor, own: Own) -> torch.Tensor:
        """[batch, inputs] to [batch, outputs]."""
        return torch.nn.functional.linear(x, own[0], own[1])


class ReLU(Stateless[H, H]):
    """max(x, 0), any shape."""

    def __init__(self, shape: H) -> None:
        super().__init__(shape, shape)

    def forward(self, x: torch.Tensor, own: Own) -> torch.Tensor:
        """Unchanged shape."""
        return torch.relu(x)


class Tanh(Stateless[H, H]):
    """The hyperbolic tangent, any shape."""

    def __init__(self, shape: H) -> None:
        super().__init__(shape, shape)

    def forward(self, x: torch.Tensor, own: Own) -> torch.Tensor:
        """Unchanged shape."""
        return torch.tanh(x)


class Sigmoid(Stateless[H, H]):
    """1/(1 + exp(-x)), any shape."""

    def __init__(self, shape: H) -> None:
        super().__init__(shape, shape)

    def forward(self, x: torch.Tensor, own: Own) -> torch.Tensor:
        """Unchanged shape."""
        return torch.sigmoid(x)


class Dropout(OneTensor[H, H, tuple[()]]):
    """Drops each element with probability p, in [0, 1], and scales the others; state p as a frozen [].

    Evaluation and a p of 0 or 1 draw nothing: these branches go by the constructor's p, mask and
    scale by the stored one.
    """

    def __init__(self, shape: H, p: float) -> None:
        super().__init__(shape, shape)
        if not 0 <= p <= 1:
            raise ValueError(f"a drop probability is in [0, 1], not {p}")
        self.p = p

    @property
    def slots(self) -> tuple[StateSlot, ...]:
        """The drop probability."""
        return (StateSlot((), False, constant(self.p)),)

    def forward(self, x: torch.Tensor, own: Own) -> torch.Tensor:
        """(x · mask) · (1 / (1 - p · mask)), each step rounded."""
        if not own.context.training or self.p == 0:
            return x
        p = own[0]
        mask = torch.zeros_like(x) if self.p == 1 else self._mask(1 - p, x, own)
        return (x * mask) * (1 / (1 - p * mask))

    def _mask(self, keep: torch.Tensor, x: torch.Tensor, own: Own) -> torch.Tensor:
        """1 where kept; a keep that isn't above 0 keeps nothing, one that isn't below 1 everything."""
        units = own.context.session.units(tuple(x.shape), x.dtype).to(x.device)
        return torch.where(keep > 0, torch.where(keep < 1, keep > units, True), False).to(x.dtype)


class LayerNorm(TwoTensors[tuple[N], tuple[N], tuple[N], tuple[N]]):
    """(x - mean) / √(variance + 1e-5) · scale + bias over the features; state scale, bias."""

    def __init__(self, features: N) -> None:
        super().__init__((features,), (features,))

    @property
    def slots(self) -> tuple[StateSlot, ...]:
        """Scale 1 and bias 0."""
        return (StateSlot(self.input_shape, True, constant(1)), StateSlot(self.input_shape, True, constant(0)))

    def forward(self, x: torch.Tensor, own: Own) -> torch.Tensor:
        """[batch, features], each sample by itself."""
        mean, variance = x.mean(-1, keepdim=True), x.var(-1, correction=0, keepdim=True)
        return (x - mean) / torch.sqrt(variance + EPSILON) * own[0] + own[1]


class BatchNorm(FiveTensors[tuple[N], tuple[N], tuple[N], tuple[N], tuple[N], tuple[N], tuple[()]]):
    """Normalises each feature over the batch; state scale, bias, running mean, running variance, momentum []."""

    def __init__(self, features: N, momentum: float = 0.1) -> None:
        super().__init__((features,), (features,))
        self.momentum = momentum

    @property
    def slots(self) -> tuple[StateSlot, ...]:
        """Scale 1, bias 0, mean 0, variance 1 and the momentum; the first two are trained."""
        first = ((1, True), (0, True), (0, False), (1, False))
        features = tuple(StateSlot(self.input_shape, trainable, constant(value)) for value, trainable in first)
        return (*features, StateSlot((), False, constant(self.momentum)))

    def forward(self, x: torch.Tensor, own: Own) -> torch.Tensor:
        """By the batch's mean and variance in training, which also move the running ones; by the running ones else."""
        scale, bias, mean, variance, momentum = (own[index] for index in range(5))
        if own.context.training:
            batch_mean, batch_variance = x.mean(0), x.var(0, correction=0)
            n = x.shape[0]
            unbiased = batch_variance * (n / (n - 1)) if n > 1 else batch_variance
            for slot, running, batch in ((2, mean, batch_mean), (3, variance, unbiased)):
                own.update(slot, (1 - momentum) * running + momentum * batch.detach())
            mean, variance = batch_mean, batch_variance
        return (x - mean) / torch.sqrt(variance + EPSILON) * scale + bias


def uniform(bound: float) -> Fill:
    """Uniform within ±bound, in binary64."""
    return lambda shape, generator: (torch.rand(shape, dtype=torch.float64, generator=generator) * 2 - 1) * bound


def constant(value: float) -> Fill:
    """One value everywhere, in binary64."""
    return lambda shape, _: torch.full(shape, value, dtype=torch.float64)
