"""Checkpoints to measure with: few large tensors, and many small ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from bitproof import klyn
from bitproof_spec.document import Block
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.stages import Dense, Input, Stage
from bitproof_spec.klyn.tensors import table
from bitproof_spec.klyn.training import Training
from bitproof_spec.klyn.vectors.models import ADAM

WIDTH = 2048


def many_large(nbytes: int) -> Checkpoint:
    """Kernels of 16 MiB that take `nbytes` together, any bits."""
    return _dense(nbytes // (4 * WIDTH * WIDTH), WIDTH, None)


def many_small(count: int) -> Checkpoint:
    """About `count` tensors: kernels of 1 KiB and biases of 64 bytes, each with its two moments."""
    return _dense(count // 6, 16, Training(ADAM, 5, "mean_squared_error", None, ()))


def write_anew(path: Path, checkpoint: Checkpoint) -> None:
    """Write without waiting for the disk, where no file was: what is compared with doesn't replace one either."""
    path.unlink(missing_ok=True)
    klyn.write(path, checkpoint, durable=False)


def _dense(count: int, width: int, training: Training | None) -> Checkpoint:
    """Stages of one width; those that are trained have biases."""
    stages: list[Stage] = [Input("input", (width,))]
    stages += [Dense(f"dense-{index}", width, training is not None, "relu", index) for index in range(count)]
    specs = table("binary32", stages, training.optimizer if training else None)
    noise = np.random.Generator(np.random.Philox(7))
    tensors = tuple((spec.name, Block("binary32", spec.shape, noise.bytes(spec.nbytes))) for spec in specs)
    return Checkpoint("binary32", tuple(stages), training, tensors)
