"""Sgd, Adam and AdamW: hyperparameters, and the update of one binary32 or binary64 tensor in the documented order.

Constants are computed in binary64 and rounded once to the tensor's scalar; every operation is rounded by itself.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from math import isfinite
from typing import TypeAlias

import torch

from bitproof.arithmetic import root
from bitproof_spec.findings import Findings
from bitproof_spec.torchlean import optimizer_config
from bitproof_spec.torchlean.optimizer_document import ADAM, ADAMW, Config


@dataclass(frozen=True)
class Sgd:
    """p -= lr · g; it keeps no state. ValueError for a learning rate that isn't finite."""

    lr: float

    def __post_init__(self) -> None:
        _owe_finite(self.lr)


@dataclass(frozen=True)
class Adam:
    """Adam with bias correction by beta^t; the learning rate isn't part of a checkpoint.

    ValueError for a learning rate that isn't finite and for hyperparameters that no checkpoint may hold.
    """

    lr: float
    beta1: float = 0.9
    beta2: float = 0.999
    epsilon: float = 1e-8

    def __post_init__(self) -> None:
        _owe_valid(self.config, self.lr)

    @property
    def config(self) -> Config:
        """What a checkpoint holds of it, in binary64 words."""
        return Config(ADAM, word(self.beta1), word(self.beta2), word(self.epsilon), 0)


@dataclass(frozen=True)
class AdamW:
    """Adam after a decay of the weights by lr · weight_decay. ValueError as Adam."""

    lr: float
    beta1: float = 0.9
    beta2: float = 0.999
    epsilon: float = 1e-8
    weight_decay: float = 0.01

    def __post_init__(self) -> None:
        _owe_valid(self.config, self.lr)

    @property
    def config(self) -> Config:
        """What a checkpoint holds of it, in binary64 words."""
        return Config(ADAMW, word(self.beta1), word(self.beta2), word(self.epsilon), word(self.weight_decay))


Optimizer: TypeAlias = "Sgd | Adam | AdamW"


@dataclass
class Moments:
    """The state of one updated tensor: t updates so far, first and second moments of its shape."""

    step: int
    first: torch.Tensor
    second: torch.Tensor


def word(real: float) -> int:
    """The binary64 word of a Python float."""
    return int.from_bytes(struct.pack(">d", real), "big")


def real(word: int) -> float:
    """The Python float of a binary64 word that isn't a NaN."""
    return float(struct.unpack(">d", word.to_bytes(8, "big"))[0])


def constant(value: float, like: torch.Tensor) -> torch.Tensor:
    """A binary64 number rounded once to the scalar of a tensor, on its device.

    As a tensor, since a CUDA kernel that divides by a Python number multiplies by its reciprocal instead.
    """
    return torch.tensor(value, dtype=like.dtype, device=like.device)


def descend(p: torch.Tensor, gradient: torch.Tensor, lr: float) -> None:
    """p -= lr · g in place."""
    p.sub_(gradient * constant(lr, p))


def adam_update(p: torch.Tensor, gradient: torch.Tensor, moments: Moments, config: Config, lr: float) -> None:
    """One update of p and its moments in place, for both kinds.

    m = β1·m + (1-β1)·g, v = β2·v + (1-β2)·g²; AdamW: p -= (lr·wd)·p; p -= lr·m̂ / (√v̂ + ε), m̂ = m / (1-β1^t).
    """
    beta1, beta2 = real(config.beta1), real(config.beta2)
    moments.step += 1
    m, v, t = moments.first, moments.second, moments.step
    m.copy_(m * constant(beta1, p) + gradient * constant(1 - beta1, p))
    v.copy_(v * constant(beta2, p) + (gradient * gradient) * constant(1 - beta2, p))
    if config.kind == ADAMW:
        p.sub_(p * constant(lr * real(config.weight_decay), p))
    corrected_m, corrected_v = m / constant(1 - beta1**t, p), v / constant(1 - beta2**t, p)
    p.sub_(corrected_m * constant(lr, p) / (root(corrected_v) + constant(real(config.epsilon), p)))


def _owe_finite(lr: float) -> None:
    if not isfinite(lr):
        raise ValueError(f"a learning rate is finite, not {lr}")


def _owe_valid(config: Config, lr: float) -> None:
    """ValueError unless a checkpoint of that configuration would be accepted."""
    _owe_finite(lr)
    findings = Findings()
    optimizer_config.judge(config, findings, 0)
    verdict = findings.verdict()
    if verdict is not None:
        raise ValueError("; ".join(f"{each.found} isn't {each.owed} ({each.rule})" for each in verdict))
