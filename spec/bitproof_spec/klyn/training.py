"""The training state of a compiled model, without its tensors, as immutable values. Reals are binary64 words."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from bitproof_spec.encoding import Binary64
from bitproof_spec.klyn.constants import Loss


class Sgd(NamedTuple):
    """Stochastic gradient descent; momentum exactly 0 has no momentum tensors."""

    learning_rate: Binary64
    momentum: Binary64
    nesterov: bool
    type: Literal["SGD"] = "SGD"


class Adam(NamedTuple):
    """Adam; the powers are beta1 and beta2 multiplied once for each update applied."""

    learning_rate: Binary64
    beta1: Binary64
    beta2: Binary64
    epsilon: Binary64
    beta1_power: Binary64
    beta2_power: Binary64
    type: Literal["Adam"] = "Adam"


Optimizer: TypeAlias = Sgd | Adam


class LossScale(NamedTuple):
    """Dynamic loss scaling, of binary16 models only."""

    scale: Binary64
    initial_scale: Binary64
    growth_factor: Binary64
    backoff_factor: Binary64
    growth_interval: int
    good_steps: int


class RandomState(NamedTuple):
    """The generator of one Dropout: `counter` is the index of its next Philox block, a 256-bit number."""

    stage: str
    counter: int


class Training(NamedTuple):
    """Everything that a resume needs besides tensors; `step` counts applied updates."""

    optimizer: Optimizer
    step: int
    loss: Loss
    loss_scale: LossScale | None
    random: tuple[RandomState, ...]
