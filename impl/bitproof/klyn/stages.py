"""The twelve stages as declarations: immutable, without weights, each of a precision or of the model's.

`declared` gives the value that a file holds; `call` computes. A subclass may override `call` and train, but no model
that holds one is saved. Wrong arguments raise TypeError or ValueError, by name.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import field
from typing import Any, TypeAlias

import torch

from bitproof.klyn.arguments import choice, extents, flag, float_of, integer, pair, real, stage_name, word_of
from bitproof.klyn.declarations import declaration
from bitproof.klyn.kernels import Keep, forward
from bitproof.klyn.precision import OfPrecision, P
from bitproof_spec.klyn import stages as spec
from bitproof_spec.klyn.constants import ACTIVATIONS, PADDINGS, Activation, Padding
from bitproof_spec.klyn.reals import RATE

Pair: TypeAlias = "int | tuple[int, int]"


@declaration
class Stage(OfPrecision[P], ABC):
    """What all stages have. `name` is `[A-Za-z][A-Za-z0-9_-]{0,63}`; without one the model gives one when built."""

    name: str | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        self.declared("unnamed" if self.name is None else stage_name(self.name))

    @abstractmethod
    def declared(self, name: str) -> spec.Stage:
        """The stage as the specification's value, under the name that the model gives it."""

    def call(self, x: torch.Tensor, parameters: Mapping[str, torch.Tensor], keep: Keep | None = None) -> torch.Tensor:
        """The output for a batch [samples, …]; `parameters` by "kernel" and "bias"; `keep` draws masks in training."""
        return forward(self.declared("called"), x, parameters, keep)


@declaration
class Input(Stage[P]):
    """Declares the shape of one sample, the batch not counted; it builds the model at once."""

    shape: tuple[int, ...]

    def declared(self, name: str) -> spec.Input:
        """The stage as the specification's value."""
        return spec.Input(name, extents("shape", self.shape))


@declaration
class Dense(Stage[P]):
    """[..., n] to [..., units]."""

    units: int
    activation: Activation = "linear"
    use_bias: bool = True
    seed: int = field(default=0, kw_only=True)

    def declared(self, name: str) -> spec.Dense:
        """The stage as the specification's value."""
        return spec.Dense(
            name,
            integer("units", self.units, 1),
            flag("use_bias", self.use_bias),
            choice("activation", self.activation, ACTIVATIONS),
            integer("seed", self.seed),
        )


@declaration
class _Convolution(Stage[P]):
    """What the two convolutions have; an int stands for two equal extents."""

    filters: int
    kernel_size: Pair
    strides: Pair = 1
    padding: Padding = "valid"
    activation: Activation = "linear"
    use_bias: bool = True
    seed: int = field(default=0, kw_only=True)

    def _members(self) -> tuple[int, tuple[int, int], tuple[int, int], Padding, bool, Activation, int]:
        return (
            integer("filters", self.filters, 1),
            pair("kernel_size", self.kernel_size),
            pair("strides", self.strides),
            choice("padding", self.padding, PADDINGS),
            flag("use_bias", self.use_bias),
            choice("activation", self.activation, ACTIVATIONS),
            integer("seed", self.seed),
        )


@declaration
class Conv2D(_Convolution[P]):
    """[h, w, c] to [h', w', filters]."""

    def declared(self, name: str) -> spec.Conv2D:
        """The stage as the specification's value."""
        return spec.Conv2D(name, *self._members())


@declaration
class Conv2DTranspose(_Convolution[P]):
    """[h, w, c] to [h', w', filters]: the gradient of the convolution with that padding."""

    def declared(self, name: str) -> spec.Conv2DTranspose:
        """The stage as the specification's value."""
        return spec.Conv2DTranspose(name, *self._members())


@declaration
class _Pooling(Stage[P]):
    """What the two poolings have; strides are the pool's extents unless given."""

    pool_size: Pair = 2
    strides: Pair | None = None
    padding: Padding = "valid"

    def _members(self) -> tuple[tuple[int, int], tuple[int, int], Padding]:
        size = pair("pool_size", self.pool_size)
        strides = size if self.strides is None else pair("strides", self.strides)
        return size, strides, choice("padding", self.padding, PADDINGS)


@declaration
class MaxPooling2D(_Pooling[P]):
    """[h, w, c] to [h', w', c]: the largest cell of each window."""

    def declared(self, name: str) -> spec.MaxPooling2D:
        """The stage as the specification's value."""
        return spec.MaxPooling2D(name, *self._members())


@declaration
class AveragePooling2D(_Pooling[P]):
    """[h, w, c] to [h', w', c]: the mean of each window's real cells."""

    def declared(self, name: str) -> spec.AveragePooling2D:
        """The stage as the specification's value."""
        return spec.AveragePooling2D(name, *self._members())


@declaration
class Flatten(Stage[P]):
    """Row-major to one axis."""

    def declared(self, name: str) -> spec.Flatten:
        """The stage as the specification's value."""
        return spec.Flatten(name)


@declaration
class Dropout(Stage[P]):
    """Drops elements with probability `rate` in [0, 1) while training; `seed` is its generator's."""

    rate: float
    seed: int = field(default=0, kw_only=True)

    def declared(self, name: str) -> spec.Dropout:
        """The stage as the specification's value."""
        return spec.Dropout(name, word_of(real("rate", self.rate, RATE)), integer("seed", self.seed))


@declaration
class ReLU(Stage[P]):
    """max(x, 0), element by element."""

    def declared(self, name: str) -> spec.ReLU:
        """The stage as the specification's value."""
        return spec.ReLU(name)


@declaration
class Sigmoid(Stage[P]):
    """1 / (1 + exp(-x)), element by element."""

    def declared(self, name: str) -> spec.Sigmoid:
        """The stage as the specification's value."""
        return spec.Sigmoid(name)


@declaration
class Tanh(Stage[P]):
    """tanh(x), element by element."""

    def declared(self, name: str) -> spec.Tanh:
        """The stage as the specification's value."""
        return spec.Tanh(name)


@declaration
class Softmax(Stage[P]):
    """exp(x) over its sum along the last axis."""

    def declared(self, name: str) -> spec.Softmax:
        """The stage as the specification's value."""
        return spec.Softmax(name)


STAGES: tuple[type[Stage[Any]], ...] = (  # Any: of every precision
    Input,
    Dense,
    Conv2D,
    Conv2DTranspose,
    MaxPooling2D,
    AveragePooling2D,
    Flatten,
    Dropout,
    ReLU,
    Sigmoid,
    Tanh,
    Softmax,
)


def declares(stage: object) -> type[Stage[Any]]:
    """The one of the twelve classes that a stage is of, or derives from; TypeError, by name, for any other object."""
    for cls in STAGES:
        if isinstance(stage, cls):
            return cls
    of, found = ("the class ", stage) if isinstance(stage, type) else ("", type(stage))
    named = f"{of}{found.__module__}.{found.__qualname__}"  # in full, since other libraries have a ReLU too
    raise TypeError(f"{named} is no stage: Klyn has {', '.join(cls.__name__ for cls in STAGES)}")


def restored(declared: spec.Stage) -> Stage[Any]:
    """The stage that a file declares."""
    cls = next(cls for cls in STAGES if cls.__name__ == declared.type)
    members = declared._asdict()
    del members["type"]
    if isinstance(declared, spec.Dropout):
        members["rate"] = float_of(declared.rate)
    return cls(**members)
