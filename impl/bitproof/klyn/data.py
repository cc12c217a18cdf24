"""Samples and targets as a caller gives them, checked against a model, and their batches as torch tensors.

TypeError or ValueError names what doesn't fit. A batch lies in torch's own aligned memory, so that kernels give equal
bits whatever the caller's arrays look like.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray

from bitproof.klyn.dtypes import TORCH, training_dtype
from bitproof.klyn.network import Network
from bitproof_spec.klyn.constants import Loss

Array: TypeAlias = "NDArray[np.generic]"
Shape: TypeAlias = tuple[int, ...]
Values: TypeAlias = "ArrayLike | torch.Tensor"
_FLOATS = (np.float16, np.float32, np.float64)


def array_of(name: str, values: Values) -> Array:
    """Numbers as an array; a tensor of any device by its logical values. TypeError for what holds no real numbers."""
    if isinstance(values, torch.Tensor):
        if values.dtype is torch.bfloat16:
            raise TypeError(f"{name}: bfloat16 is no precision of Klyn; convert it first")
        values = values.detach().resolve_conj().resolve_neg().cpu().numpy()
    array = np.asarray(values)
    if not (np.issubdtype(array.dtype, np.integer) or array.dtype.type in _FLOATS):
        raise TypeError(f"{name}: {array.dtype} isn't an integer or binary16, 32 or 64 type")
    return array


def sample_shape(x: Values) -> Shape:
    """The shape of one sample; ValueError without at least two axes, samples first."""
    array = array_of("x", x)
    if array.ndim < 2:
        raise ValueError(f"x has shape {array.shape}: samples first, then at least one axis")
    return array.shape[1:]


class Batches:
    """Samples and, for training and evaluation, targets that fit a model."""

    def __init__(self, network: Network, device: torch.device, x: Values) -> None:
        self._precision = network.precision
        self._output = network.shapes[-1]
        self._device = device
        self._x = array_of("x", x)
        self._y: Array | None = None
        owed = network.shapes[0]
        if self._x.ndim < 1 or self._x.shape[1:] != owed:
            raise ValueError(f"x has shape {self._x.shape}; this model takes (samples, {', '.join(map(str, owed))})")

    def __len__(self) -> int:
        return len(self._x)

    def add_targets(self, y: Values, loss: Loss) -> None:
        """Integer classes for cross-entropy, floats of the output's shape for mean squared error; at least one."""
        array = array_of("y", y)
        if not len(self):
            raise ValueError("there are no samples")
        if loss == "mean_squared_error":
            self._y = _regression(array, (len(self), *self._output))
        else:
            self._y = _classes(array, len(self), self._output)

    def samples(self, index: slice | NDArray[np.int64]) -> torch.Tensor:
        """Some samples in the model's precision."""
        return _tensor(self._x[index], TORCH[self._precision]).to(self._device)

    def targets(self, index: slice | NDArray[np.int64]) -> torch.Tensor:
        """Their targets: int64 classes, or floats in the training precision."""
        assert self._y is not None
        floating = np.issubdtype(self._y.dtype, np.floating)
        dtype = training_dtype(self._precision) if floating else torch.int64
        return _tensor(self._y[index], dtype).to(self._device)


def _regression(y: Array, owed: Shape) -> Array:
    if not np.issubdtype(y.dtype, np.floating):
        raise TypeError(f"y is {y.dtype}: mean squared error takes floating targets")
    if y.shape != owed:
        raise ValueError(f"y has shape {y.shape}; mean squared error takes the output's shape {owed}")
    return y


def _classes(y: Array, samples: int, output: Shape) -> Array:
    if not np.issubdtype(y.dtype, np.integer):
        raise TypeError(f"y is {y.dtype}: cross-entropy takes integer classes")
    owed = (samples, *output[:-1])
    if y.shape not in (owed, (*owed, 1)):
        raise ValueError(f"y has shape {y.shape}; cross-entropy takes {owed} or {(*owed, 1)}")
    if y.size and not (int(y.min()) >= 0 and int(y.max()) < output[-1]):
        raise ValueError(f"y has classes {int(y.min())} … {int(y.max())}; this model has 0 … {output[-1] - 1}")
    return y.reshape(owed)


def _tensor(chosen: Array, dtype: torch.dtype) -> torch.Tensor:
    """A copy in torch's memory; values are rounded once, to nearest even, and beyond the format are infinities."""
    tensor = torch.empty(chosen.shape, dtype=dtype, device="cpu")
    with np.errstate(over="ignore"):
        tensor.numpy()[...] = chosen
    return tensor
