"""Trained modules, their two files, and all bits that a load may change; shared by the TorchLean tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bitproof.tensors import words
from bitproof.torchlean import checkpoint
from bitproof.torchlean.backends import EagerNative
from bitproof.torchlean.module import Module
from bitproof.torchlean.objective import Objective
from bitproof.torchlean.optimizers import Adam
from bitproof.torchlean.scalars import Float32
from tests.torchlean.builders import batch, bits, native
from tests.torchlean.two_branches import TwoBranches


def trained(steps: int = 3, seed: int = 5, draws: int = 7) -> Module[Float32]:
    """Every layer after some updates by AdamW."""
    module = native(seed, draws)
    for _ in range(steps):
        module.backend.step(module, batch())
    return module


def two(seed: int = 6) -> TwoBranches:
    """Two branches under Adam, not yet trained."""
    return TwoBranches(EagerNative(Adam(0.02, 0.8, 0.95, 2e-7), seed=3), seed)


def saved(objective: Objective[Any], folder: Path) -> tuple[Path, Path]:
    """Its two files."""
    checkpoint.save(objective, folder / "m")
    checkpoint.optimizer.save(objective, folder / "o")
    return folder / "m", folder / "o"


def everything(objective: Objective[Any]) -> object:
    """Weights, and where the backend owns them moments, configuration and counter."""
    backend = objective.backend
    if not isinstance(backend, EagerNative):
        return bits(objective.parameters())
    moments = {k: (m.step, words(m.first).tolist(), words(m.second).tolist()) for k, m in backend.moments.items()}
    return bits(objective.parameters()), moments, backend.bound, backend.session.counter
