"""Arithmetic on tensors whose every result is the exact one rounded once, where torch's own may not be."""

from __future__ import annotations

import numpy as np
import torch


def root(tensor: torch.Tensor) -> torch.Tensor:
    """The square root of each element, rounded to nearest; torch's own on CPUs can be a unit in the last place off."""
    if tensor.device.type != "cpu":
        return tensor.sqrt()
    with np.errstate(invalid="ignore"):
        return torch.from_numpy(np.sqrt(tensor.numpy()))
