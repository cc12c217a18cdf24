"""What the stages compute, written out cell by cell in exact numbers; slow, and independent of torch and of Keras."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

import numpy as np

Exact: TypeAlias = "np.ndarray[Any, Any]"  # of Fractions or ints


def window_places(n: int, window: int, stride: int, padding: str) -> list[int]:
    """Where along an axis of n cells each place of a window starts; negative before the first cell."""
    if padding == "valid":
        return list(range(0, n - window + 1, stride))
    count = -(-n // stride)
    return [index * stride - max((count - 1) * stride + window - n, 0) // 2 for index in range(count)]


def covered(shape: tuple[int, ...], window: Any, strides: Any, padding: str) -> Iterator[tuple[int, int, list[Any]]]:
    """Each output place with the (window cell, input cell) pairs that are real."""
    rows = window_places(shape[0], window[0], strides[0], padding)
    columns = window_places(shape[1], window[1], strides[1], padding)
    for (i, top), (j, left) in product(enumerate(rows), enumerate(columns)):
        cells = [
            ((a, b), (top + a, left + b))
            for a, b in product(range(window[0]), range(window[1]))
            if 0 <= top + a < shape[0] and 0 <= left + b < shape[1]
        ]
        yield i, j, cells


def convolution(x: Exact, kernel: Exact, strides: Any, padding: str) -> Exact:
    """x [h, w, c], kernel [kh, kw, c, f] to [h', w', f]."""
    places = list(covered(x.shape, kernel.shape[:2], strides, padding))
    y = np.zeros((places[-1][0] + 1, places[-1][1] + 1, kernel.shape[3]), object)
    for i, j, cells in places:
        for inside, cell in cells:
            y[i, j] += x[cell] @ kernel[inside]
    return y


def transposed(x: Exact, kernel: Exact, strides: Any, padding: str) -> Exact:
    """x [h, w, c], kernel [kh, kw, f, c]: what the convolution with that padding would send back to its input."""
    window = kernel.shape[:2]
    sizes = [
        n * s + (max(k - s, 0) if padding == "valid" else 0) for n, k, s in zip(x.shape, window, strides, strict=False)
    ]
    y = np.zeros((*sizes, kernel.shape[2]), object)
    for i, j, cells in covered(y.shape, window, strides, padding):
        for inside, cell in cells:
            y[cell] += kernel[inside] @ x[i, j]
    return y


def pooling(x: Exact, window: Any, strides: Any, padding: str, *, largest: bool) -> Exact:
    """x [h, w, c] to [h', w', c]: the largest, or the mean as a Fraction, of each window's real cells."""
    places = list(covered(x.shape, window, strides, padding))
    y = np.zeros((places[-1][0] + 1, places[-1][1] + 1, x.shape[2]), object)
    for i, j, cells in places:
        for channel in range(x.shape[2]):
            found = [Fraction(int(x[cell][channel])) for _, cell in cells]
            y[i, j, channel] = max(found) if largest else sum(found, Fraction(0)) / len(found)
    return y
