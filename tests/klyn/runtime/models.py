"""Small models and data that the tests share."""

from __future__ import annotations

from typing import Any

import numpy as np

from bitproof.klyn import (
    SGD,
    Adam,
    Conv2D,
    Dense,
    Dropout,
    Flatten,
    Float16,
    Input,
    LossScaling,
    MaxPooling2D,
    Sequential,
)
from bitproof.klyn.optimizers import Settings
from bitproof_spec.document import differences
from bitproof_spec.klyn.constants import Loss
from bitproof_spec.klyn.document import Checkpoint

ADAM = Adam(learning_rate=0.013, beta1=0.83, beta2=0.937, epsilon=3e-6)  # like no default
SGD_WITH_ALL = SGD(learning_rate=0.031, momentum=0.71, nesterov=True)
SCALING = LossScaling(initial_scale=96.0, growth_factor=3.0, backoff_factor=0.25, growth_interval=7)


def images(
    precision: Any, optimizer: Settings | str = ADAM, loss: Loss = "sparse_categorical_crossentropy"
) -> Sequential[Any]:
    """A compiled convolutional model of 4x4 images with two Dropouts, three outputs, and settings like no default."""
    model: Sequential[Any] = Sequential[precision](
        [
            Input((4, 4, 1)),
            Conv2D(2, 2, activation="relu", seed=3),
            MaxPooling2D(2, 1),
            Dropout(0.2, seed=5),
            Flatten(),
            Dropout(0.4, seed=6),
            Dense(3, activation="softmax", seed=4),
        ]
    )
    model.compile(optimizer, loss, loss_scaling=SCALING if precision is Float16 else None)
    return model


def line(precision: Any, optimizer: Settings | str = ADAM) -> Sequential[Any]:
    """A compiled regression of three inputs to two outputs."""
    model: Sequential[Any] = Sequential[precision]([Input((3,)), Dense(4, "tanh"), Dense(2)])
    model.compile(optimizer, "mean_squared_error", loss_scaling=SCALING if precision is Float16 else None)
    return model


def image_data(count: int = 10) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Images and classes for `images`."""
    rng = np.random.default_rng(17)
    return rng.random((count, 4, 4, 1)), rng.integers(0, 3, count)


def line_data(count: int = 10) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Inputs and floating targets for `line`."""
    rng = np.random.default_rng(18)
    return rng.standard_normal((count, 3)), rng.standard_normal((count, 2))


def train(model: Sequential[Any], epochs: int = 1, seed: int = 7) -> None:
    """Some epochs of the data that fits the model."""
    document = model.capture()
    assert document.training is not None
    data = line_data() if document.training.loss == "mean_squared_error" else image_data()
    model.fit(*data, epochs=epochs, batch_size=4, seed=seed, verbose=0)


def owe_same(left: Checkpoint, right: Checkpoint) -> None:
    """Two documents are equal bit for bit; the first difference is shown when they aren't."""
    assert differences(left, right) == ()
