"""The stated grid of options over which stages are compared with Keras and with the formulas."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

from bitproof.klyn import stages as klyn


class Option(NamedTuple):
    """A stage as a class name and its arguments, and the shape of a sample; batches of one and of two."""

    type: str
    arguments: dict[str, Any]
    sample: tuple[int, ...]
    batch: int

    def __str__(self) -> str:
        shown = "-".join(f"{name}={value}" for name, value in self.arguments.items())
        return f"{self.type}-{shown}-{self.sample}-{self.batch}".replace(" ", "")

    @property
    def stage(self) -> klyn.Stage[Any]:
        """The stage."""
        made: klyn.Stage[Any] = getattr(klyn, self.type)(**self.arguments)
        return made


WINDOWS = ((1, 1), (2, 2), (3, 2), (4, 3))
STRIDES = ((1, 1), (2, 1), (2, 3), (4, 5))  # smaller than, equal to and larger than the windows
SAMPLES = ((5, 7, 2), (4, 4, 1), (6, 5, 3))


def convolutions() -> Iterator[Option]:
    """Both convolutions, and both paddings, over windows, strides and non-square samples."""
    for type, window, strides, padding in product(("Conv2D", "Conv2DTranspose"), WINDOWS, STRIDES, ("valid", "same")):
        use_bias = window != (2, 2)
        arguments = {"filters": 3, "kernel_size": window, "strides": strides, "padding": padding, "use_bias": use_bias}
        for index, sample in enumerate(SAMPLES):
            yield Option(type, arguments, sample, 1 + index % 2)


def poolings() -> Iterator[Option]:
    """Both poolings over the same windows and strides, and with strides left out."""
    for type, window, strides, padding in product(
        ("MaxPooling2D", "AveragePooling2D"), WINDOWS, (None, *STRIDES), ("valid", "same")
    ):
        for index, sample in enumerate(SAMPLES):
            yield Option(type, {"pool_size": window, "strides": strides, "padding": padding}, sample, 1 + index % 2)


def activations() -> Iterator[Option]:
    """Every activation of every stage that has one."""
    for activation, batch in product(("linear", "relu", "sigmoid", "tanh", "softmax"), (1, 2)):
        window = {"kernel_size": (2, 2), "activation": activation}
        yield Option("Dense", {"units": 3, "activation": activation}, (5,), batch)
        yield Option("Dense", {"units": 4, "activation": activation, "use_bias": False}, (2, 3, 5), batch)
        yield Option("Conv2D", {"filters": 2, **window}, (3, 4, 2), batch)
        yield Option("Conv2DTranspose", {"filters": 2, **window}, (3, 4, 2), batch)


def others() -> Iterator[Option]:
    """The stages without options, over ranks."""
    for type, sample, batch in product(
        ("Flatten", "ReLU", "Sigmoid", "Tanh", "Softmax"), ((3,), (2, 3), (2, 1, 3, 2)), (1, 2)
    ):
        yield Option(type, {}, sample, batch)


GRID = (*convolutions(), *poolings(), *activations(), *others())
