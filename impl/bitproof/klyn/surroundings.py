"""The caller's torch settings, set aside while a model works, so that the same work gives the same bits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def ordinary() -> Iterator[None]:
    """No inference mode (its tensors can't train), no autocast, and on CUDA only kernels that repeat themselves."""
    kernels = torch.backends.cudnn.flags(enabled=True, benchmark=False, deterministic=True, allow_tf32=False)
    with kernels, torch.inference_mode(False), torch.autocast("cpu", enabled=False):
        if not torch.cuda.is_available():
            yield
            return
        with torch.autocast("cuda", enabled=False):
            yield
