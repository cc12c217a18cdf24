"""First values of parameters: Glorot-uniform kernels and zero biases, as Keras has them; the words are Philox's."""

from __future__ import annotations

from math import prod, sqrt

import torch

from bitproof.klyn.dtypes import NUMPY, TORCH
from bitproof.klyn.streams import uniform
from bitproof_spec.klyn.constants import Precision
from bitproof_spec.klyn.stages import Stage
from bitproof_spec.klyn.tensors import parameter_shapes


def initial(precision: Precision, index: int, stage: Stage, shape: tuple[int, ...]) -> dict[str, torch.Tensor]:
    """The parameters of a stage that gets samples of `shape`, by "kernel" and "bias"; each in memory of its own.

    Element i of the kernel uses word i of the stream with key (seed, stage index), from block 0.
    """
    seed = getattr(stage, "seed", 0)
    return {
        name: _kernel(precision, (seed, index), extents)
        if name == "kernel"
        else torch.zeros(extents, dtype=TORCH[precision], device="cpu")
        for name, extents in parameter_shapes(stage, shape)
    }


def _kernel(precision: Precision, key: tuple[int, int], extents: tuple[int, ...]) -> torch.Tensor:
    """(2u - 1) * sqrt(6 / (fan in + fan out)), in binary64 and rounded once; the fans count the cells of a window."""
    *window, rows, columns = extents
    limit = sqrt(6 / (prod(window) * (rows + columns)))
    drawn = (2 * uniform(key, 0, prod(extents)) - 1) * limit
    return torch.from_numpy(drawn.astype(NUMPY[precision]).reshape(extents)).clone()
