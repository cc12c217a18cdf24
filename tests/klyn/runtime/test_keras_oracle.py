"""Every stage, forward and in one training step, against Keras 3.15 on its torch backend.

Weights and inputs are small integers, so every sum is exact and the bits must agree. Mean squared error over a power
of two elements and a rate that is one keep a training step exact, too.
"""

from __future__ import annotations

import os
from typing import Any
from unittest import mock

import numpy as np
import pytest
import torch

from bitproof.klyn import SGD, Adam, Conv2D, Conv2DTranspose, Dense, Flatten, Float32, Input, Sequential
from tests.klyn.runtime.oracle_grid import GRID, Option

pytestmark = pytest.mark.filterwarnings("ignore")  # Keras's own


@pytest.fixture(scope="module")
def keras() -> Any:
    with mock.patch.dict(os.environ, {"KERAS_BACKEND": "torch"}):
        return pytest.importorskip("keras")


def unequal(option: Option) -> bool:
    """Whether Keras's torch backend counts cells that aren't there: average pooling, "same", unequal padding."""
    if option.type != "AveragePooling2D" or option.arguments["padding"] == "valid":
        return False
    window = option.arguments["pool_size"]
    strides = option.arguments["strides"] or window
    totals = [max((-(-n // s) - 1) * s + k - n, 0) for n, k, s in zip(option.sample, window, strides, strict=False)]
    return any(total % 2 for total in totals)


def fits(option: Option) -> bool:
    window = option.arguments.get("kernel_size", option.arguments.get("pool_size", (1, 1)))
    if option.type == "Conv2DTranspose" or option.arguments.get("padding") == "same":
        return True
    return all(n >= k for n, k in zip(option.sample, window, strict=False)) if len(option.sample) == 3 else True


def layer_of(keras: Any, option: Option) -> Any:
    if option.type in ("Sigmoid", "Tanh"):
        return keras.layers.Activation(option.type.lower())
    return getattr(keras.layers, option.type)(**option.arguments)


def whole(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    return rng.integers(-3, 4, shape).astype(np.float32)


def bits(tensor: Any) -> list[int]:
    words: list[int] = torch.as_tensor(tensor).detach().contiguous().view(torch.int32).flatten().tolist()
    return words


class Pair:
    """A stage of ours and a layer of Keras's of the same integer weights, each with a Flatten and a Dense behind it."""

    def __init__(self, keras: Any, option: Option) -> None:
        rng = np.random.default_rng(3)
        self.ours = Sequential[Float32]([Input(option.sample), option.stage, Flatten(), Dense(2)])
        self.theirs = [layer_of(keras, option), keras.layers.Flatten(), keras.layers.Dense(2)]
        self.x = whole(rng, (option.batch, *option.sample))
        self.y = whole(rng, (option.batch, 2))
        output = torch.as_tensor(self.x)
        for layer in self.theirs:
            output = layer(output)  # builds it
        for tensor, weight in zip(self.ours.parameters.values(), self.weights, strict=True):
            values = whole(rng, tuple(tensor.shape))
            weight.assign(values)
            tensor.copy_(torch.from_numpy(values))

    @property
    def weights(self) -> list[Any]:
        return [weight for layer in self.theirs for weight in layer.weights]

    def outputs(self, option: Option) -> tuple[torch.Tensor, torch.Tensor]:
        """What stage and layer make of the batch."""
        head = Sequential[Float32]([Input(option.sample), option.stage])
        for tensor, value in zip(head.parameters.values(), self.ours.parameters.values(), strict=False):
            tensor.copy_(value)
        return head.predict(self.x), self.theirs[0](torch.as_tensor(self.x)).detach()

    def train(self, keras: Any) -> list[tuple[torch.Tensor, torch.Tensor]]:
        """The parameters of both after one step of SGD at rate 1/2 on a mean over a power of two elements."""
        self.ours.compile(SGD(learning_rate=0.5), loss="mean_squared_error")
        self.ours.fit(self.x, self.y, shuffle=False, verbose=0)
        output = torch.as_tensor(self.x)
        for layer in self.theirs:
            output = layer(output)
        keras.losses.MeanSquaredError()(self.y, output).backward()
        with torch.no_grad():
            gradients = [weight.value.grad for weight in self.weights]
            keras.optimizers.SGD(learning_rate=0.5).apply(gradients, self.weights)
        values = (weight.value.detach() for weight in self.weights)
        return list(zip(self.ours.parameters.values(), values, strict=True))


def safe(option: Option) -> bool:
    """Not a convolution by one cell with strides: torch 2.13's backward pass of it, as Keras calls it, crashes."""
    window, strides = option.arguments.get("kernel_size"), option.arguments.get("strides", (1, 1))
    return option.type != "Conv2D" or window != (1, 1) or strides == (1, 1)


def exact(option: Option) -> bool:
    """Whether the stage's derivative is a sum of integers."""
    return option.type not in ("Sigmoid", "Tanh", "Softmax") and option.arguments.get("activation") not in (
        "sigmoid",
        "tanh",
        "softmax",
    )


OPTIONS = [option for option in GRID if fits(option) and not unequal(option)]


@pytest.mark.parametrize("type", sorted({option.type for option in OPTIONS}))
def test_forward_and_one_training_step_equal_keras_bit_for_bit(keras: Any, type: str) -> None:
    """Forward over the whole grid; the step where every sum is exact, else to a millionth."""
    for option in OPTIONS:
        if option.type == type:
            pair = Pair(keras, option)
            found, expected = pair.outputs(option)
            assert found.shape == expected.shape, option
            assert bits(found) == bits(expected), option
            if not safe(option):
                continue
            for found, expected in pair.train(keras):
                if exact(option):
                    assert bits(found) == bits(expected), option
                torch.testing.assert_close(found, expected, rtol=1e-6, atol=1e-6, msg=str(option))


@pytest.mark.parametrize("optimizer", ["sgd", "momentum", "nesterov", "adam"])
def test_random_classification_follows_keras_to_a_hundred_thousandth(keras: Any, optimizer: str) -> None:
    ours = Sequential[Float32](
        [Input((6, 6, 2)), Conv2D(3, 3, padding="same", activation="relu"), Flatten(), Dense(4, "softmax")]
    )
    layers = keras.layers
    theirs = keras.Sequential(
        [
            keras.Input((6, 6, 2)),
            layers.Conv2D(3, 3, padding="same", activation="relu"),
            layers.Flatten(),
            layers.Dense(4, activation="softmax"),
        ]
    )
    theirs.set_weights([tensor.numpy() for tensor in ours.parameters.values()])
    settings: dict[str, tuple[SGD | Adam, Any]] = {
        "sgd": (SGD(), keras.optimizers.SGD()),
        "momentum": (SGD(0.1, 0.9), keras.optimizers.SGD(0.1, 0.9)),
        "nesterov": (SGD(0.1, 0.9, nesterov=True), keras.optimizers.SGD(0.1, 0.9, nesterov=True)),
        "adam": (Adam(), keras.optimizers.Adam()),
    }
    mine, other = settings[optimizer]
    ours.compile(mine)
    theirs.compile(optimizer=other, loss="sparse_categorical_crossentropy", jit_compile=False)
    rng = np.random.default_rng(11)
    x, y = rng.standard_normal((24, 6, 6, 2)).astype(np.float32), rng.integers(0, 4, 24)
    ours.fit(x, y, epochs=2, batch_size=8, shuffle=False, verbose=0)
    theirs.fit(x, y, epochs=2, batch_size=8, shuffle=False, verbose=0)
    for found, expected in zip(ours.parameters.values(), theirs.weights, strict=True):
        torch.testing.assert_close(found, expected.value.detach(), rtol=1e-5, atol=1e-5)
    assert ours.evaluate(x, y).loss == pytest.approx(theirs.evaluate(x, y, verbose=0), rel=1e-5)


def test_kernels_start_in_keras_interval_and_biases_at_zero(keras: Any) -> None:
    ours = Sequential[Float32]([Input((5, 5, 2)), Conv2D(8, (3, 2)), Conv2DTranspose(4, 2), Flatten(), Dense(7)])
    for id, tensor in ours.parameters.items():
        if id.endswith("bias"):
            assert bits(tensor) == [0] * tensor.numel()
            continue
        fan_in, fan_out = keras.src.initializers.random_initializers.compute_fans(tuple(tensor.shape))
        limit = (6 / (fan_in + fan_out)) ** 0.5
        assert 0.9 * limit < tensor.abs().max() <= limit
