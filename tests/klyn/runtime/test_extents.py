"""Strides and pools beyond the cells that there are, as large as a file may state them: legal, and computed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from bitproof.klyn import SGD, AveragePooling2D, Conv2D, Input, LossScaling, MaxPooling2D, Sequential, Stage
from bitproof_spec.klyn.constants import INTEGER_LIMIT
from tests.klyn.runtime import formulas
from tests.klyn.runtime.exact import FORMATS, PRECISIONS, numbers, tensor_of, words

EACH = pytest.mark.parametrize("precision", PRECISIONS)
SAMPLE = (4, 3, 2)
CELLS = np.random.default_rng(5).integers(-3, 4, (2, *SAMPLE))
SIZES = [((2, 3), (INTEGER_LIMIT, 4)), ((4, 1), (1, INTEGER_LIMIT)), ((1, 1), (4, 3)), ((2, 2), (5, 2**31))]
POOLS = [
    ((INTEGER_LIMIT, 2), (1, 1)),
    ((7, 5), (3, 2)),  # the largest that don't cover everything from everywhere
    ((8, 6), (3, 2)),
    ((9, 2**31), (INTEGER_LIMIT, 1)),
    ((INTEGER_LIMIT, INTEGER_LIMIT), (2, INTEGER_LIMIT)),
]
ENOUGH = 20  # cells of a window, or of a stride, that reach beyond all there is


def model_of(precision: Any, *stages: Stage[Any]) -> Sequential[Any]:
    made: Sequential[Any] = Sequential[precision]([Input(SAMPLE), *stages])
    return made


def cut(extents: tuple[int, int]) -> tuple[int, int]:
    """Extents that the formulas can walk through, with the same windows' real cells; parity kept for the padding."""
    high, across = (extent if extent <= ENOUGH else ENOUGH + extent % 2 for extent in extents)
    return high, across


@EACH
@pytest.mark.parametrize("padding", ["valid", "same"])
@pytest.mark.parametrize(("window", "strides"), SIZES)
def test_a_stride_beyond_the_last_cell_leaves_one_window(
    precision: Any, window: tuple[int, int], strides: tuple[int, int], padding: Any
) -> None:
    model = model_of(precision, Conv2D(2, window, strides, padding, seed=1))
    kernel = np.random.default_rng(6).integers(-3, 4, (*window, 2, 2))
    model.parameters["conv2d_1/kernel"].copy_(torch.from_numpy(kernel))
    expected = [formulas.convolution(x, kernel.astype(object), cut(strides), padding) for x in CELLS.astype(object)]
    assert numbers(model.predict(CELLS)) == np.array(expected).flatten().tolist()
    pooled = model_of(precision, MaxPooling2D(window, strides, padding)).predict(CELLS)
    largest = [formulas.pooling(x, window, cut(strides), padding, largest=True) for x in CELLS]
    assert numbers(pooled) == np.array(largest).flatten().tolist()


@EACH
@pytest.mark.parametrize(("pool", "strides"), POOLS)
def test_a_pool_larger_than_the_data_takes_its_real_cells(
    precision: Any, pool: tuple[int, int], strides: tuple[int, int]
) -> None:
    for stage, largest in ((MaxPooling2D, True), (AveragePooling2D, False)):
        found = model_of(precision, stage(pool, strides, "same")).predict(CELLS)
        exact = [formulas.pooling(x, cut(pool), cut(strides), "same", largest=largest) for x in CELLS]
        expected = [value for each in exact for value in each.flatten()]
        assert words(found + 0.0) == tensor_of(FORMATS[precision.format], expected), stage


@EACH
def test_gradients_flow_through_them(precision: Any) -> None:
    far = (INTEGER_LIMIT, INTEGER_LIMIT)
    model = model_of(
        precision, Conv2D(2, 2, far, "same"), AveragePooling2D(far, far, "same"), MaxPooling2D(2, far, "same")
    )
    scaling = LossScaling(4.0) if precision.format == "binary16" else None
    model.compile(SGD(0.5), "mean_squared_error", loss_scaling=scaling)
    before = {id: tensor.clone() for id, tensor in model.parameters.items()}
    model.fit(CELLS, np.ones((2, 1, 1, 2)), seed=1, verbose=0)
    assert all(not tensor.equal(before[id]) for id, tensor in model.parameters.items())
