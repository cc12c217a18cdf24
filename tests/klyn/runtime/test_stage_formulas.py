"""Every stage against its formula in exact numbers, at three precisions, over the grid; and stages without cells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from bitproof.klyn import (
    SGD,
    AveragePooling2D,
    Conv2D,
    Conv2DTranspose,
    Dense,
    Flatten,
    Float16,
    Float32,
    Input,
    LossScaling,
    MaxPooling2D,
    ReLU,
    Sequential,
    Sigmoid,
    Softmax,
    Stage,
    Tanh,
    ValueException,
)
from tests.klyn.runtime import formulas
from tests.klyn.runtime.exact import FORMATS, PRECISIONS, numbers, tensor_of, words
from tests.klyn.runtime.oracle_grid import Option, convolutions, poolings

EACH = pytest.mark.parametrize("precision", PRECISIONS)


def model_of(precision: Any, sample: tuple[int, ...], *stages: Stage[Any]) -> Sequential[Any]:
    made: Sequential[Any] = Sequential[precision]([Input(sample), *stages])
    return made


def whole(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    return rng.integers(-3, 4, shape)


def fits(option: Option, window: tuple[int, int]) -> bool:
    valid = option.arguments["padding"] == "valid" and option.type != "Conv2DTranspose"
    return not valid or all(n >= k for n, k in zip(option.sample, window, strict=False))


@EACH
def test_convolutions_equal_their_formula(precision: Any) -> None:
    rng = np.random.default_rng(1)
    for option in convolutions():
        window, strides, padding = (option.arguments[name] for name in ("kernel_size", "strides", "padding"))
        if not fits(option, window):
            continue
        model = model_of(precision, option.sample, option.stage)
        kernel, *bias = (whole(rng, tuple(tensor.shape)) for tensor in model.parameters.values())
        for tensor, values in zip(model.parameters.values(), (kernel, *bias), strict=True):
            tensor.copy_(torch.from_numpy(values))
        x = whole(rng, (1, *option.sample))
        formula = formulas.convolution if option.type == "Conv2D" else formulas.transposed
        expected = formula(x[0].astype(object), kernel.astype(object), strides, padding) + sum(bias)
        found = model.predict(x)[0]
        assert tuple(found.shape) == expected.shape, option
        assert numbers(found) == expected.flatten().tolist(), option


@EACH
def test_poolings_equal_their_formula_with_unequal_padding_too(precision: Any) -> None:
    rng = np.random.default_rng(2)
    for option in poolings():
        window, padding = option.arguments["pool_size"], option.arguments["padding"]
        if not fits(option, window):
            continue
        x = whole(rng, (1, *option.sample))
        strides = option.arguments["strides"] or window
        largest = option.type == "MaxPooling2D"
        expected = formulas.pooling(x[0], window, strides, padding, largest=largest)
        found = model_of(precision, option.sample, option.stage).predict(x)[0]
        assert tuple(found.shape) == expected.shape, option
        # A sum of a few small integers is exact, so the mean is one rounding away from the formula.
        assert words(found) == tensor_of(FORMATS[precision.format], expected.flatten().tolist()), option


def test_a_mean_of_halves_is_finite_where_their_sum_is_not() -> None:
    model = model_of(Float16, (2, 2, 1), AveragePooling2D(2))
    assert words(model.predict(np.full((1, 2, 2, 1), 65504.0))) == [0x7BFF]


def test_the_gradient_of_a_convolution_by_one_cell_with_strides_is_its_formula() -> None:
    model = model_of(Float32, (4, 4, 2), Conv2D(2, 1, strides=2))
    model.compile(SGD(1.0), loss="mean_squared_error")
    rng = np.random.default_rng(4)
    kernel, x, y = (whole(rng, shape).astype(float) for shape in ((1, 1, 2, 2), (2, 4, 4, 2), (2, 2, 2, 2)))
    model.parameters["conv2d_1/kernel"].copy_(torch.from_numpy(kernel))
    seen = x[:, ::2, ::2]
    error = 2 * (seen @ kernel[0, 0] - y) / 16
    model.fit(x, y, shuffle=False, verbose=0)
    updated = kernel - np.einsum("bijc,bijf->cf", seen, error)
    assert words(model.parameters["conv2d_1/kernel"]) == words(torch.from_numpy(updated).float())
    assert words(model.parameters["conv2d_1/bias"]) == words(torch.from_numpy(-error.sum((0, 1, 2))).float())


EMPTY: list[tuple[str, tuple[int, ...], Stage[Any], tuple[int, ...]]] = [
    ("dense without inputs", (0,), Dense(3), (3,)),
    ("dense on no positions", (0, 4), Dense(3), (0, 3)),
    ("convolution without channels", (3, 4, 0), Conv2D(2, 2), (2, 3, 2)),
    ("convolution of no rows", (0, 4, 2), Conv2D(2, 2, padding="same"), (0, 4, 2)),
    ("convolution of one cell without channels", (3, 4, 0), Conv2D(2, 1, strides=2), (2, 2, 2)),
    ("transposed without channels", (3, 4, 0), Conv2DTranspose(2, 3, strides=2), (7, 9, 2)),
    ("transposed of no columns", (3, 0, 2), Conv2DTranspose(2, 3, strides=2, padding="same"), (6, 0, 2)),
    ("largest of no channels", (4, 4, 0), MaxPooling2D(2), (2, 2, 0)),
    ("largest of no rows", (0, 4, 2), MaxPooling2D(2, padding="same"), (0, 2, 2)),
    ("mean of no columns", (4, 0, 2), AveragePooling2D(2, padding="same"), (2, 0, 2)),
    ("flatten nothing", (3, 0, 2), Flatten(), (0,)),
    ("softmax over nothing", (3, 0), Softmax(), (3, 0)),
    ("relu of nothing", (0,), ReLU(), (0,)),
    ("sigmoid of nothing", (0, 2), Sigmoid(), (0, 2)),
    ("tanh of nothing", (2, 0), Tanh(), (2, 0)),
]


@EACH
@pytest.mark.parametrize(("sample", "stage", "output"), [row[1:] for row in EMPTY], ids=[row[0] for row in EMPTY])
def test_a_stage_without_cells_gives_zeros_plus_bias_in_the_inferred_shape(
    precision: Any, sample: tuple[int, ...], stage: Stage[Any], output: tuple[int, ...]
) -> None:
    model = model_of(precision, sample, stage)
    for id, tensor in model.parameters.items():
        tensor.fill_(1.5 if id.endswith("bias") else 3)
    found = model.predict(np.zeros((2, *sample)))
    assert tuple(found.shape) == (2, *output)
    assert set(numbers(found)) <= {1.5}


@EACH
def test_training_moves_the_biases_behind_an_empty_kernel(precision: Any) -> None:
    model = model_of(precision, (3, 3, 0), Conv2D(1, 2), Flatten())
    scaling = LossScaling(initial_scale=8) if precision is Float16 else None
    model.compile(SGD(0.5), loss="mean_squared_error", loss_scaling=scaling)
    model.fit(np.zeros((1, 3, 3, 0)), np.ones((1, 4)), verbose=0)
    assert numbers(model.parameters["conv2d_1/bias"]) == [1]  # 0 - 0.5 * sum of 2 (0 - 1) / 4 over 4 elements


@EACH
def test_a_batch_without_samples_is_predicted_in_the_right_shape(precision: Any) -> None:
    model = model_of(precision, (5, 5, 2), Conv2D(3, 2), MaxPooling2D(2), Flatten(), Dense(4, "softmax"))
    assert tuple(model.predict(np.zeros((0, 5, 5, 2))).shape) == (0, 4)


def test_k_v16_a_valid_convolution_of_an_empty_axis_is_refused_by_name() -> None:
    with pytest.raises(ValueException, match=r"/model/stages/1.*KNN-SHP|KNN-SHP-02"):
        model_of(Float32, (0, 4, 2), Conv2D(2, 1))
    with pytest.raises(ValueException, match="KNN-SHP-02"):
        model_of(Float32, (0, 4, 2), Conv2DTranspose(2, 1))
