"""Where a model computes. A device is never part of a file."""

from __future__ import annotations

from enum import Enum

import torch


class Device(Enum):
    """`auto` is CUDA where there is one, else the CPU."""

    cpu = "cpu"
    cuda = "cuda"
    auto = "auto"


def torch_device(device: Device) -> torch.device:
    """The torch device; TypeError for what is no Device, RuntimeError for CUDA where there is none."""
    if not isinstance(device, Device):
        raise TypeError(f"a device is Device.cpu, Device.cuda or Device.auto, not {device!r}")
    present = torch.cuda.is_available()
    if device is Device.cuda and not present:
        raise RuntimeError("Device.cuda: there is no CUDA device that torch can use")
    if device is Device.cpu or not present:
        return torch.device("cpu")
    return torch.device("cuda", torch.cuda.current_device())
