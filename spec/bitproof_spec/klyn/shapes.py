"""Shape inference: what each stage makes of a sample's shape, channels last, the batch not counted.

All arithmetic is on exact integers; bounds on the results are rules of their own (`inference`).
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

from bitproof_spec.klyn.constants import Padding
from bitproof_spec.klyn.stages import (
    AveragePooling2D,
    Conv2D,
    Conv2DTranspose,
    Dense,
    Flatten,
    Input,
    MaxPooling2D,
    Stage,
)

Shape = tuple[int, ...]


class Misfit(NamedTuple):
    """Why a stage can't take an input: the clause that says so, what was found, what is owed."""

    rule: str
    found: str
    owed: str


def window_size(n: int, kernel: int, stride: int, padding: Padding) -> int | None:
    """Places of a window along an axis of n cells, None when none fits.

    valid: floor((n - kernel) / stride) + 1, and n >= kernel; same: ceil(n / stride), so 0 stays 0.
    """
    if padding == "same":
        return -(-n // stride)
    return (n - kernel) // stride + 1 if n >= kernel else None


def transposed_size(n: int, kernel: int, stride: int, padding: Padding) -> int | None:
    """Cells that the gradient of such a window writes; None for no input cells under "valid".

    valid: n * stride + max(kernel - stride, 0), and n >= 1; same: n * stride, so 0 stays 0.
    """
    if padding == "same":
        return n * stride
    return n * stride + max(kernel - stride, 0) if n else None


def padding_cells(n: int, kernel: int, stride: int, padding: Padding) -> tuple[int, int]:
    """Cells added before and after an axis of n cells: none for valid; for same the smaller half stands before."""
    total = max((-(-n // stride) - 1) * stride + kernel - n, 0) if padding == "same" else 0
    return total // 2, total - total // 2


def output_shape(stage: Stage, shape: Shape) -> Shape | Misfit:
    """The shape that a stage makes of an input shape; an Input makes its own, whatever it is given."""
    if isinstance(stage, Input):
        return stage.shape
    if isinstance(stage, Dense):
        return (*shape[:-1], stage.units)
    if isinstance(stage, Flatten):
        return shape if len(shape) == 1 else (prod(shape),)
    if isinstance(stage, Conv2D | Conv2DTranspose):
        return _spatial(stage, shape, stage.kernel_size, stage.filters)
    if isinstance(stage, MaxPooling2D | AveragePooling2D):
        return _spatial(stage, shape, stage.pool_size, None)
    return shape


def _spatial(
    stage: Conv2D | Conv2DTranspose | MaxPooling2D | AveragePooling2D,
    shape: Shape,
    window: tuple[int, int],
    filters: int | None,
) -> Shape | Misfit:
    """[h, w, c] to [h', w', filters], or c channels where the stage has no filters."""
    if len(shape) != 3:
        return Misfit("KNN-SHP-01", f"rank {len(shape)}: {list(shape)}", "rank 3: [h, w, c]")
    size = transposed_size if isinstance(stage, Conv2DTranspose) else window_size
    sizes = [size(n, k, s, stage.padding) for n, k, s in zip(shape, window, stage.strides, strict=False)]
    placed = [n for n in sizes if n is not None]
    if len(placed) != 2:
        least = [1, 1] if isinstance(stage, Conv2DTranspose) else list(window)
        return Misfit("KNN-SHP-02", f"{list(shape[:2])} cells under valid", f"at least {least}")
    return (*placed, shape[2] if filters is None else filters)
