"""Backends: what runs a training step. Only the eager native one keeps Adam or AdamW state that a checkpoint can hold.

The real system's owner of optimizer state is its eager CUDA backend; `EagerNative` on the CPU is this project's
extension, with the same files. `PlainEager` and `Graph` update generically and own none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import torch
from torch.func import grad_and_value

from bitproof.torchlean.context import Context
from bitproof.torchlean.objective import Backend, Objective
from bitproof.torchlean.optimizers import Adam, AdamW, Moments, Optimizer, Sgd, adam_update, descend
from bitproof.torchlean.params import ParamList
from bitproof.torchlean.random_session import RandomSession
from bitproof_spec.torchlean.optimizer_document import Config

S = TypeVar("S")


def taped(
    objective: Objective[object], params: ParamList[object], batch: Sequence[torch.Tensor], session: RandomSession
) -> tuple[dict[int, torch.Tensor], Context, float]:
    """Gradients by owning slot from autograd's tape, the pass with its buffer updates, and the loss."""
    leaves = {index: tensor.requires_grad_() for index, tensor in owned(params).items()}
    context = Context(True, session)
    loss = objective.loss(substituted(params, leaves), batch, context)
    if not leaves:
        return {}, context, float(loss)
    gradients = torch.autograd.grad(loss, list(leaves.values()), allow_unused=True, materialize_grads=True)
    return dict(zip(leaves, gradients, strict=True)), context, float(loss.detach())


def owned(params: ParamList[object]) -> dict[int, torch.Tensor]:
    """The trained tensors by the slot that owns them, detached."""
    return {i: params.tensors[i].detach() for i, slot in enumerate(params.schema()) if slot.owner == i}


def substituted(params: ParamList[object], leaves: dict[int, torch.Tensor]) -> list[torch.Tensor]:
    """The state with each trained tensor, tied ones too, replaced by its owner's leaf."""
    pairs = zip(params.tensors, params.schema(), strict=True)
    return [tensor if slot.owner is None else leaves[slot.owner] for tensor, slot in pairs]


def install(params: ParamList[object], context: Context) -> None:
    """Give the buffers the values that the pass computed."""
    for index, value in context.updates:
        params.params[index].tensor.copy_(value)


class EagerNative(Backend):
    """Eager training whose Adam or AdamW moments and random counter it owns, keyed by state slot, in binary32.

    The configuration is bound by the first update or by a loaded checkpoint, whichever comes first; from then on the
    constructor's hyperparameters but the learning rate have no say. TypeError for another optimizer.
    """

    name = "eager native"

    def __init__(self, optimizer: Adam | AdamW, *, seed: int = 0) -> None:
        _owe_kind(self.name, optimizer, Adam, AdamW)
        self.optimizer = optimizer
        self.session = RandomSession(seed)
        self.bound: Config | None = None
        self.moments: dict[int, Moments] = {}

    def step(self, objective: Objective[object], batch: Sequence[torch.Tensor]) -> float:
        """One update. TypeError for tensors that aren't binary32, which is what the moments are."""
        params = self.parameters_of(objective)
        if not self.owns(params):
            raise TypeError(f"the {self.name} backend updates binary32 tensors, not {params.tag}")
        gradients, context, loss = taped(objective, params, batch, self.session)
        self.apply(params, gradients)
        install(params, context)
        return loss

    @staticmethod
    def owns(params: ParamList[S]) -> bool:
        """Whether moments of these tensors are kept here, in binary32 as they are."""
        return params.tag in ("binary32", None)

    def apply(self, params: ParamList[object], gradients: dict[int, torch.Tensor]) -> None:
        """Update every owning slot by its gradient, in place; binds the configuration."""
        self.bound = self.bound or self.optimizer.config
        with torch.no_grad():
            for index, gradient in gradients.items():
                p = params.params[index].tensor
                if index not in self.moments:
                    self.moments[index] = Moments(0, torch.zeros_like(p), torch.zeros_like(p))
                adam_update(p, gradient, self.moments[index], self.bound, self.optimizer.lr)


class PlainEager(Backend):
    """Eager training with a generic update path; a checkpoint can't hold its optimizer state."""

    name = "plain eager"

    def __init__(self, optimizer: Optimizer, *, seed: int = 0) -> None:
        self.optimizer = optimizer
        self.session = RandomSession(seed)
        self._moments: dict[int, Moments] = {}

    def step(self, objective: Objective[object], batch: Sequence[torch.Tensor]) -> float:
        """One update by autograd's tape."""
        params = self.parameters_of(objective)
        gradients, context, loss = taped(objective, params, batch, self.session)
        self._update(params, gradients)
        install(params, context)
        return loss

    def _update(self, params: ParamList[object], gradients: dict[int, torch.Tensor]) -> None:
        with torch.no_grad():
            for index, gradient in gradients.items():
                p = params.params[index].tensor
                if isinstance(self.optimizer, Sgd):
                    descend(p, gradient, self.optimizer.lr)
                    continue
                moments = self._moments.setdefault(index, Moments(0, torch.zeros_like(p), torch.zeros_like(p)))
                adam_update(p, gradient, moments, self.optimizer.config, self.optimizer.lr)


class Graph(Backend):
    """Training through a functional transform of the whole loss, with gradient descent; it owns no optimizer state.

    TypeError for another optimizer.
    """

    name = "graph"

    def __init__(self, optimizer: Sgd, *, seed: int = 0) -> None:
        _owe_kind(self.name, optimizer, Sgd)
        self.optimizer = optimizer
        self.session = RandomSession(seed)

    def step(self, objective: Objective[object], batch: Sequence[torch.Tensor]) -> float:
        """One update by the transformed loss."""
        params = self.parameters_of(objective)
        moved: list[int] = []  # which buffers: a transform hands out nothing but tensors

        def loss_of(leaves: dict[int, torch.Tensor]) -> tuple[torch.Tensor, list[torch.Tensor]]:
            context = Context(True, self.session)
            loss = objective.loss(substituted(params, leaves), batch, context)
            moved[:] = [index for index, _ in context.updates]
            return loss, [value for _, value in context.updates]

        gradients, (loss, values) = grad_and_value(loss_of, has_aux=True)(owned(params))
        with torch.no_grad():
            for index, gradient in gradients.items():
                descend(params.tensors[index], gradient, self.optimizer.lr)
        install(params, Context(True, self.session, list(zip(moved, values, strict=True))))
        return float(loss)


def _owe_kind(name: str, optimizer: object, *kinds: type[object]) -> None:
    if not isinstance(optimizer, kinds):
        owed = " or ".join(kind.__name__ for kind in kinds)
        raise TypeError(f"the {name} backend updates by {owed}, not {type(optimizer).__name__}")
