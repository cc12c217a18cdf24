"""Precisions as torch and numpy dtypes, and the one rounding from a binary64 constant to a training precision."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch

from bitproof_spec.klyn.constants import TRAINING_PRECISION, Precision

TORCH: Mapping[Precision, torch.dtype] = {
    "binary16": torch.float16,
    "binary32": torch.float32,
    "binary64": torch.float64,
}
NUMPY: Mapping[Precision, type[np.floating]] = {
    "binary16": np.float16,
    "binary32": np.float32,
    "binary64": np.float64,
}
FORMAT: Mapping[torch.dtype, Precision] = {dtype: name for name, dtype in TORCH.items()}


def training_dtype(precision: Precision) -> torch.dtype:
    """The dtype of losses, moments, masters and updates: binary32 for binary16, else the model's own."""
    return TORCH[TRAINING_PRECISION[precision]]


def rounded(value: float, dtype: torch.dtype) -> float:
    """A binary64 value rounded once, to nearest even, to a dtype; what overflows is an infinity."""
    with np.errstate(over="ignore"):
        return float(NUMPY[FORMAT[dtype]](value))
