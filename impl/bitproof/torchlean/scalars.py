"""The runtime's scalars as dtypes: Float is binary64, mirrored as binary32 on a CUDA device; Float32 is binary32."""

from __future__ import annotations

import torch

from bitproof_spec.torchlean.encodings import Float as Float
from bitproof_spec.torchlean.encodings import Float32 as Float32


def dtype_of(scalar: type[object], *, use_cuda: bool) -> torch.dtype:
    """The dtype of a scalar's tensors, with the device's mirror where `use_cuda`; TypeError for another scalar."""
    if scalar is Float32 or (scalar is Float and use_cuda):
        return torch.float32
    if scalar is Float:
        return torch.float64
    raise TypeError(f"the runtime's scalars are Float and Float32, not {scalar.__name__}")
