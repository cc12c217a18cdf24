"""SGD and Adam: their settings, and one update, whose every operation rounds once in the order of the specification.

An update works on tensors in the training precision; binary16 parameters are rounded from them, to nearest even.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import TypeAlias

import torch

from bitproof.arithmetic import root
from bitproof.klyn.arguments import choice, flag, float_of, real, word_of
from bitproof.klyn.dtypes import rounded
from bitproof_spec.encoding import Binary64
from bitproof_spec.klyn import training as spec
from bitproof_spec.klyn.constants import TRAINING_PRECISION, Precision
from bitproof_spec.klyn.reals import DECAY, EPSILON, LEARNING_RATE, ONE

Tensor: TypeAlias = torch.Tensor
Tensors: TypeAlias = Mapping[str, Tensor]


@dataclass(frozen=True, slots=True)
class SGD:
    """Stochastic gradient descent; with momentum exactly 0 it keeps no state."""

    learning_rate: float = 0.01
    momentum: float = 0.0
    nesterov: bool = False


@dataclass(frozen=True, slots=True)
class Adam:
    """Adam, its epsilon outside the root of the bias correction, as Keras has it."""

    learning_rate: float = 0.001
    beta1: float = 0.9
    beta2: float = 0.999
    epsilon: float = 1e-7


Settings: TypeAlias = SGD | Adam


def started(settings: Settings | str, precision: Precision) -> spec.Optimizer:
    """The optimizer before its first update; "sgd" and "adam" stand for the defaults.

    TypeError for anything else, subclasses included; TypeError or ValueError for a setting that no file can hold.
    """
    if isinstance(settings, str):
        settings = SGD() if choice("optimizer", settings, ("sgd", "adam")) == "sgd" else Adam()
    if type(settings) is SGD:
        return spec.Sgd(
            word_of(real("learning_rate", settings.learning_rate, LEARNING_RATE)),
            word_of(real("momentum", settings.momentum, DECAY)),
            flag("nesterov", settings.nesterov),
        )
    if type(settings) is Adam:
        return spec.Adam(
            word_of(real("learning_rate", settings.learning_rate, LEARNING_RATE)),
            word_of(real("beta1", settings.beta1, DECAY)),
            word_of(real("beta2", settings.beta2, DECAY)),
            word_of(real("epsilon", settings.epsilon, EPSILON[TRAINING_PRECISION[precision]])),
            Binary64(ONE),
            Binary64(ONE),
        )
    raise TypeError(f"optimizer is SGD(…), Adam(…) or one of their names, not {settings!r}")


def restarted(optimizer: spec.Optimizer) -> spec.Optimizer:
    """The optimizer as it was before its first update, its settings kept."""
    if isinstance(optimizer, spec.Adam):
        return optimizer._replace(beta1_power=Binary64(ONE), beta2_power=Binary64(ONE))
    return optimizer


def update(optimizer: spec.Optimizer, parameters: Tensors, tensors: Tensors, gradients: Tensors) -> spec.Optimizer:
    """Apply one update in place and return the optimizer's next state.

    `parameters` and `gradients` are by parameter id, gradients in the training precision; `tensors` are the training
    tensors by their ids.
    """
    if isinstance(optimizer, spec.Sgd):
        for id, parameter in parameters.items():
            _sgd(optimizer, parameter, gradients[id], tensors.get(f"{id}/momentum"))
        return optimizer
    power1 = float_of(optimizer.beta1_power) * float_of(optimizer.beta1)
    power2 = float_of(optimizer.beta2_power) * float_of(optimizer.beta2)
    factor = float_of(optimizer.learning_rate) * sqrt(1 - power2) / (1 - power1)
    for id, parameter in parameters.items():
        master = tensors.get(f"{id}/master", parameter)
        _adam(optimizer, factor, master, gradients[id], tensors[f"{id}/adam_m"], tensors[f"{id}/adam_v"])
        if master is not parameter:
            parameter.copy_(master)
    return optimizer._replace(beta1_power=word_of(power1), beta2_power=word_of(power2))


def _sgd(optimizer: spec.Sgd, parameter: Tensor, gradient: Tensor, velocity: Tensor | None) -> None:
    """v = momentum v + g; w -= lr (g + momentum v) with nesterov, else lr v; without momentum lr g."""
    rate, momentum = (rounded(float_of(word), gradient.dtype) for word in (optimizer.learning_rate, optimizer.momentum))
    direction = gradient
    if velocity is not None:
        velocity.mul_(momentum).add_(gradient)
        direction = velocity * momentum + gradient if optimizer.nesterov else velocity
    wide = parameter.to(gradient.dtype)
    wide.sub_(direction * rate)
    if wide is not parameter:
        parameter.copy_(wide)


def _adam(optimizer: spec.Adam, factor: float, weight: Tensor, gradient: Tensor, m: Tensor, v: Tensor) -> None:
    """m += (g - m)(1 - beta1); v += (g^2 - v)(1 - beta2); w -= (factor m) / (sqrt v + epsilon)."""
    decay1, decay2, epsilon, step = (
        rounded(value, gradient.dtype)
        for value in (
            1 - float_of(optimizer.beta1),
            1 - float_of(optimizer.beta2),
            float_of(optimizer.epsilon),
            factor,
        )
    )
    m.add_((gradient - m) * decay1)
    v.add_((gradient * gradient - v) * decay2)
    weight.sub_((m * step) / (root(v) + epsilon))
