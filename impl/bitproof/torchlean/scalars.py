"""The runtime's scalars: `Float` (binary64, mirrored as binary32 on a CUDA device) and `Float32` (binary32)."""

from __future__ import annotations

from typing import ClassVar, TypeAlias

import torch


class Float:
    """Binary64 on the CPU; a module on CUDA holds a binary32 mirror, and its checkpoints hold the mirror's words."""

    name: ClassVar[str] = "Float"


class Float32:
    """Binary32 on every device."""

    name: ClassVar[str] = "Float32"


AnyScalar: TypeAlias = "type[Float] | type[Float32]"


def dtype_of(scalar: type[object], *, use_cuda: bool) -> torch.dtype:
    """The dtype of a scalar's tensors, with the device's mirror where `use_cuda`; TypeError for another scalar."""
    if scalar is Float32 or (scalar is Float and use_cuda):
        return torch.float32
    if scalar is Float:
        return torch.float64
    raise TypeError(f"the runtime's scalars are Float and Float32, not {scalar.__name__}")
