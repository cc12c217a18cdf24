"""What each stage computes, on torch by the formulas of the specification; samples first, channels last.

Torch's kernels are wrong or raise for some inputs without elements, so these never reach them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import TypeAlias

import torch
import torch.nn.functional as functional

from bitproof.klyn.arguments import float_of
from bitproof.klyn.dtypes import rounded
from bitproof_spec.klyn import stages as spec
from bitproof_spec.klyn.constants import Activation
from bitproof_spec.klyn.shapes import Misfit, output_shape, padding_cells, transposed_size

Tensor: TypeAlias = torch.Tensor
Keep: TypeAlias = Callable[[float, Tensor], Tensor]  # (rate, like) to the elements that a Dropout keeps


def forward(stage: spec.Stage, x: Tensor, parameters: Mapping[str, Tensor], keep: Keep | None) -> Tensor:
    """The output of a stage for a batch.

    `parameters` holds the stage's own by the last part of their ids; `keep` draws a Dropout's masks, and is None
    outside training.
    """
    match stage:
        case spec.Dense() | spec.Conv2D() | spec.Conv2DTranspose():
            return activate(stage.activation, _affine(stage, x, parameters))
        case spec.MaxPooling2D() | spec.AveragePooling2D():
            return _pool(stage, x)
        case spec.Flatten():
            return x.reshape(len(x), prod(x.shape[1:]))
        case spec.Dropout():
            return x if keep is None else dropout(x, float_of(stage.rate), keep)
        case spec.ReLU() | spec.Sigmoid() | spec.Tanh() | spec.Softmax():
            return activate(_ACTIVATIONS[stage.type], x)
        case spec.Input():
            return x


_ACTIVATIONS: Mapping[str, Activation] = {"ReLU": "relu", "Sigmoid": "sigmoid", "Tanh": "tanh", "Softmax": "softmax"}


def activate(activation: Activation, x: Tensor) -> Tensor:
    """An activation, element by element; softmax over the last axis."""
    match activation:
        case "linear":
            return x
        case "relu":
            return torch.relu(x)
        case "sigmoid":
            return torch.sigmoid(x)
        case "tanh":
            return torch.tanh(x)
        case "softmax":
            return torch.softmax(x, -1)


def dropout(x: Tensor, rate: float, keep: Keep) -> Tensor:
    """Kept elements times 1/(1 - rate), the others +0; rate 0 and an empty tensor draw nothing."""
    if not rate or not x.numel():
        return x
    scaled = x * rounded(1 / (1 - rate), x.dtype)
    return torch.where(keep(rate, x), scaled, torch.zeros_like(x))


def _affine(
    stage: spec.Dense | spec.Conv2D | spec.Conv2DTranspose, x: Tensor, parameters: Mapping[str, Tensor]
) -> Tensor:
    """The product with the kernel, plus the bias; a product without terms is zero."""
    kernel, bias = parameters["kernel"], parameters.get("bias")
    if not x.numel() or not kernel.numel():
        product = x.new_zeros((len(x), *_shape(stage, x)))
    elif isinstance(stage, spec.Dense):
        product = torch.matmul(x, kernel)
    elif isinstance(stage, spec.Conv2D):
        product = _convolution(stage, x, kernel)
    else:
        product = _transposed_convolution(stage, x, kernel)
    return product if bias is None else product + bias


def _convolution(stage: spec.Conv2D, x: Tensor, kernel: Tensor) -> Tensor:
    """Kernel [kh, kw, c, filters]; torch wants channels first and [filters, c, kh, kw].

    A window of one cell is a product at every stride-th cell: torch 2.13's own backward pass of it, with strides,
    writes beyond its memory on CPUs. Its CPU kernel for halves also refuses some strides of a kernel in that pass, so
    kernels are contiguous.
    """
    strides = _reaching(stage.strides, x, 1)
    if stage.kernel_size == (1, 1):
        return torch.matmul(x[:, :: strides[0], :: strides[1]], kernel[0, 0])
    padded = _padded(x, stage.kernel_size, strides, stage.padding == "same", 0.0)
    return _last(functional.conv2d(padded, kernel.permute(3, 2, 0, 1).contiguous(), stride=strides))


def _transposed_convolution(stage: spec.Conv2DTranspose, x: Tensor, kernel: Tensor) -> Tensor:
    """Kernel [kh, kw, filters, c]: the gradient of the convolution, its padding cut off; cells it can't reach are 0."""
    whole = functional.conv_transpose2d(_first(x), kernel.permute(3, 2, 0, 1).contiguous(), stride=stage.strides)
    for axis, (n, k, s) in enumerate(zip(x.shape[1:3], stage.kernel_size, stage.strides, strict=True), start=2):
        size = transposed_size(n, k, s, stage.padding)
        assert size is not None  # only without cells, and those don't come here
        before = padding_cells(size, k, s, stage.padding)[0]
        reached = min(whole.shape[axis] - before, size)
        whole = whole.narrow(axis, before, reached)
        if reached < size:
            whole = functional.pad(whole, (0, size - reached) if axis == 3 else (0, 0, 0, size - reached))
    return _last(whole)


def _pool(stage: spec.MaxPooling2D | spec.AveragePooling2D, x: Tensor) -> Tensor:
    """The largest or the mean of each window's real cells; there is at least one in each."""
    if not x.numel():
        return x.new_zeros((len(x), *_shape(stage, x)))
    same = stage.padding == "same"
    window, strides = _reaching(stage.pool_size, x, 2), _reaching(stage.strides, x, 1)
    if isinstance(stage, spec.MaxPooling2D):
        padded = _padded(x, window, strides, same, float("-inf"))
        return _last(functional.max_pool2d(padded, window, strides))
    wide = x.float() if x.dtype is torch.float16 else x  # a sum of halves may be beyond what their mean is
    padded = _padded(wide, window, strides, same, 0.0)
    sums = _last(functional.avg_pool2d(padded, window, strides, divisor_override=1))
    high, across = (
        torch.tensor(_real_cells(n, k, s, same), dtype=wide.dtype, device=x.device)
        for n, k, s in zip(x.shape[1:3], window, strides, strict=True)
    )
    return (sums / (high[:, None] * across)[:, :, None]).to(x.dtype)


def _reaching(extents: tuple[int, int], x: Tensor, times: int) -> tuple[int, int]:
    """Strides (once) or a pool (twice) cut to the cells that an axis has, since torch has no room for larger ones.

    A stride of n cells or more leaves one window. A window of 2n or more covers all n cells wherever it stands.
    """
    high, across = (min(extent, times * n) for extent, n in zip(extents, x.shape[1:3], strict=True))
    return high, across


def _real_cells(n: int, window: int, stride: int, same: bool) -> list[int]:
    """How many of the n cells of an axis each place of a window covers."""
    before, after = padding_cells(n, window, stride, "same" if same else "valid")
    starts = range(-before, n + after - window + 1, stride)
    return [min(start + window, n) - max(start, 0) for start in starts]


def _padded(x: Tensor, window: tuple[int, int], strides: tuple[int, int], same: bool, value: float) -> Tensor:
    """Channels first, with the cells that "same" adds around the two axes."""
    if not same:
        return _first(x)
    (top, bottom), (left, right) = (
        padding_cells(n, k, s, "same") for n, k, s in zip(x.shape[1:3], window, strides, strict=True)
    )
    return functional.pad(_first(x), (left, right, top, bottom), value=value)


def _first(x: Tensor) -> Tensor:
    return x.permute(0, 3, 1, 2).contiguous()


def _last(x: Tensor) -> Tensor:
    return x.permute(0, 2, 3, 1)


def _shape(stage: spec.Stage, x: Tensor) -> tuple[int, ...]:
    """The inferred shape of a sample's output; building the model has shown that there is one."""
    shape = output_shape(stage, tuple(x.shape[1:]))
    assert not isinstance(shape, Misfit)
    return shape
