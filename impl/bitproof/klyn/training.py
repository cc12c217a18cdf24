"""The training state of a compiled model and one training step: a function of state and batch, in place."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import torch

from bitproof.klyn.arguments import float_of
from bitproof.klyn.dtypes import training_dtype
from bitproof.klyn.loss_scale import after
from bitproof.klyn.losses import loss_of
from bitproof.klyn.network import Network, Tensors, aligned
from bitproof.klyn.optimizers import update
from bitproof_spec.klyn import training as spec
from bitproof_spec.klyn.constants import Loss
from bitproof_spec.klyn.tensors import training_suffixes


@dataclass(slots=True)
class TrainingState:
    """What a file's training member holds, and the training tensors by id; these exist once the model is built."""

    optimizer: spec.Optimizer
    step: int
    loss: Loss
    loss_scale: spec.LossScale | None
    tensors: Tensors


def training_tensors(network: Network, optimizer: spec.Optimizer) -> Tensors:
    """Training tensors before the first update: zeros, and masters that are the exact values of their parameters."""
    dtype, suffixes = training_dtype(network.precision), training_suffixes(network.precision, optimizer)
    return {
        f"{id}/{suffix}": parameter.to(dtype, copy=True)
        if suffix == "master"
        else torch.zeros_like(parameter, dtype=dtype)
        for id, parameter in network.parameters.items()
        for suffix in suffixes
    }


@torch.enable_grad()
def train(network: Network, state: TrainingState, x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, bool]:
    """One training step; the batch's loss, and whether the update was applied.

    With loss scaling, a gradient that isn't finite when widened and divided by the scale skips the update.
    """
    leaves = {id: aligned(parameter).requires_grad_() for id, parameter in network.parameters.items()}
    output = network.forward(leaves, x, training=True)
    loss = loss_of(state.loss, output.to(training_dtype(network.precision)), y)
    if state.loss_scale is None:
        gradients = _gradients(loss, leaves)
    else:
        # A tensor, since torch may multiply by the reciprocal of a number instead of dividing by it.
        scale = torch.tensor(float_of(state.loss_scale.scale), dtype=loss.dtype, device=loss.device)
        gradients = {id: gradient.float() / scale for id, gradient in _gradients(loss * scale, leaves).items()}
        finite = _all_finite(gradients.values())
        state.loss_scale = after(state.loss_scale, overflow=not finite)
        if not finite:
            return loss.detach(), False
    with torch.no_grad():
        state.optimizer = update(state.optimizer, network.parameters, state.tensors, gradients)
    state.step += 1
    return loss.detach(), True


def _gradients(loss: torch.Tensor, leaves: Tensors) -> Tensors:
    """The gradient of every leaf; zeros for one that the loss doesn't depend on."""
    if not loss.requires_grad:
        return {id: torch.zeros_like(leaf) for id, leaf in leaves.items()}
    found = torch.autograd.grad(loss, list(leaves.values()), allow_unused=True, materialize_grads=True)
    return dict(zip(leaves, found, strict=True))


def _all_finite(tensors: Iterable[torch.Tensor]) -> bool:
    return all(bool(torch.isfinite(tensor).all()) for tensor in tensors)
