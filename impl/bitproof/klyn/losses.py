"""The two losses, in the training precision: scalars whose gradient torch derives."""

from __future__ import annotations

import torch

from bitproof.klyn.dtypes import rounded
from bitproof_spec.klyn.constants import Loss

LEAST = 1e-7  # probabilities are clipped to [LEAST, 1 - LEAST]


def loss_of(loss: Loss, output: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """The loss of a batch; `output` is in the training precision already, `targets` are as `Data.batch` gives them."""
    if loss == "mean_squared_error":
        return (output - targets).square().mean()
    return cross_entropy(output, targets)


def cross_entropy(output: torch.Tensor, classes: torch.Tensor) -> torch.Tensor:
    """Mean over samples and positions of -log(clip(y / sum y)[class]); output [..., C], classes [...] integers."""
    share = output / output.sum(-1, keepdim=True)
    chosen = share.gather(-1, classes.unsqueeze(-1))
    clipped = chosen.clamp(rounded(LEAST, output.dtype), rounded(1 - LEAST, output.dtype))
    return -clipped.log().mean()
