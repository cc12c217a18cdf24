"""Small models, data and documents that the runtime's tests share; every number differs from a default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from bitproof.klyn import (
    SGD,
    Adam,
    Conv2D,
    Dense,
    Dropout,
    Flatten,
    Float16,
    Float32,
    Float64,
    Input,
    LossScaling,
    Sequential,
)
from bitproof.klyn.stages import Stage, restored
from bitproof.tensors import words
from bitproof_spec.document import differences
from bitproof_spec.klyn import stages as spec
from bitproof_spec.klyn.constants import Loss, Precision
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.training import Training

Array = NDArray[Any]

SEQUENTIAL: Mapping[Precision, type[Sequential[Any]]] = {
    "binary16": Sequential[Float16],
    "binary32": Sequential[Float32],
    "binary64": Sequential[Float64],
}
OPTIMIZERS: Mapping[str, SGD | Adam] = {
    "sgd": SGD(0.0625),
    "momentum": SGD(0.03, 0.85),
    "nesterov": SGD(0.03, 0.85, nesterov=True),
    "adam": Adam(0.004, 0.85, 0.97, 3e-6),
}
SCALING = LossScaling(initial_scale=64.0, growth_factor=3.0, backoff_factor=0.25, growth_interval=7)


def image_stages() -> list[Stage[Any]]:
    """A convolution, two Dropouts of their own seeds, two dense stages."""
    return [
        Input((4, 3, 2)),
        Conv2D(3, (2, 3), padding="same", activation="tanh", seed=3),
        Dropout(0.25, seed=5),
        Flatten(name="flat"),
        Dense(5, "tanh", seed=11),
        Dropout(0.4, seed=6),
        Dense(3, "softmax", seed=12, name="head"),
    ]


def dense_stages() -> list[Stage[Any]]:
    """Two dense stages around a Dropout: the least that has everything."""
    return [Input((4,)), Dense(3, "tanh", seed=2), Dropout(0.3, seed=9), Dense(2, "softmax", seed=4, name="head")]


def compiled(
    precision: Precision = "binary32",
    optimizer: SGD | Adam | str = "adam",
    loss: Loss = "sparse_categorical_crossentropy",
    stages: Sequence[Stage[Any]] | None = None,
    scaling: LossScaling | None = SCALING,
) -> Sequential[Any]:
    """A model by the name of its optimizer in `OPTIMIZERS`; Float16 scales its loss."""
    model = SEQUENTIAL[precision](dense_stages() if stages is None else stages)
    chosen = OPTIMIZERS[optimizer] if isinstance(optimizer, str) else optimizer
    model.compile(chosen, loss, loss_scaling=scaling if precision == "binary16" else None)
    return model


def of_spec(precision: Precision, stages: Sequence[spec.Stage]) -> Sequential[Any]:
    """A model of stages as a file declares them."""
    return SEQUENTIAL[precision](tuple(map(restored, stages)))


def samples(shape: tuple[int, ...], count: int = 6, seed: int = 21) -> Array:
    """Numbers in [-1, 1), in binary64."""
    return np.random.default_rng(seed).uniform(-1, 1, (count, *shape))


def targets(loss: Loss, output: tuple[int, ...], count: int = 6, seed: int = 22) -> Array:
    """Classes, or numbers of the output's shape."""
    if loss == "mean_squared_error":
        return samples(output, count, seed)
    return np.random.default_rng(seed).integers(0, output[-1], (count, *output[:-1]))


class Data:
    """Samples and targets for a model, and passes over them."""

    def __init__(self, model: Sequential[Any], loss: Loss, count: int = 6) -> None:
        shapes = model._network.shapes if model._network else ()
        self.x = samples(shapes[0], count)
        self.y = targets(loss, shapes[-1], count)

    def fit(self, model: Sequential[Any], epochs: int = 1, batch_size: int = 4, seed: int = 7) -> Sequential[Any]:
        """Train in batches of which the last is smaller; the model itself."""
        model.fit(self.x, self.y, epochs=epochs, batch_size=batch_size, seed=seed, verbose=0)
        return model


def bits(tensor: torch.Tensor) -> list[int]:
    """The word of each element."""
    found: list[int] = words(tensor).tolist()
    return found


def owe_same(left: Sequential[Any], right: Sequential[Any]) -> None:
    """AssertionError with the first tensor and index, or member, in which the captures of two models differ."""
    owe_equal(left.capture(), right.capture())


def owe_equal(left: Checkpoint, right: Checkpoint) -> None:
    """AssertionError with the first tensor and index, or member, in which two documents differ."""
    found = differences(left, right)
    assert not found, f"{found[0].where}: {found[0].left} against {found[0].right} (1 of {len(found)})"


def training_of(model: Sequential[Any]) -> Training:
    """The training member of a compiled model's document."""
    training = model.capture().training
    assert training is not None
    return training


def retrained(document: Checkpoint, **changes: Any) -> Checkpoint:
    """The document with other training members."""
    assert document.training is not None
    return replace(document, training=document.training._replace(**changes))


def elements(document: Checkpoint) -> int:
    """How many numbers a document's tensors hold."""
    return sum(prod(block.shape) for _, block in document.tensors)
