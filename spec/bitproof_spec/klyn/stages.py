"""The twelve stages of a Sequential model, as immutable values.

`type` is the last field of each and never given: it keeps stages of different types unequal, since a NamedTuple
compares as a tuple, and lets a type checker narrow a `Stage`. The other fields are the members of the manifest.
Reals are binary64 words.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from bitproof_spec.encoding import Binary64
from bitproof_spec.klyn.constants import Activation, Padding


class Input(NamedTuple):
    """Declares the shape of one sample; the batch is not counted."""

    name: str
    shape: tuple[int, ...]
    type: Literal["Input"] = "Input"


class Dense(NamedTuple):
    """[..., n] to [..., units]; kernel [n, units], bias [units]."""

    name: str
    units: int
    use_bias: bool
    activation: Activation
    seed: int
    type: Literal["Dense"] = "Dense"


class Conv2D(NamedTuple):
    """[h, w, c] to [h', w', filters]; kernel [kh, kw, c, filters], bias [filters]."""

    name: str
    filters: int
    kernel_size: tuple[int, int]
    strides: tuple[int, int]
    padding: Padding
    use_bias: bool
    activation: Activation
    seed: int
    type: Literal["Conv2D"] = "Conv2D"


class Conv2DTranspose(NamedTuple):
    """The gradient of the convolution with that padding; kernel [kh, kw, filters, c], bias [filters]."""

    name: str
    filters: int
    kernel_size: tuple[int, int]
    strides: tuple[int, int]
    padding: Padding
    use_bias: bool
    activation: Activation
    seed: int
    type: Literal["Conv2DTranspose"] = "Conv2DTranspose"


class MaxPooling2D(NamedTuple):
    """The largest cell of each window; pads with minus infinity."""

    name: str
    pool_size: tuple[int, int]
    strides: tuple[int, int]
    padding: Padding
    type: Literal["MaxPooling2D"] = "MaxPooling2D"


class AveragePooling2D(NamedTuple):
    """The mean of each window's real cells."""

    name: str
    pool_size: tuple[int, int]
    strides: tuple[int, int]
    padding: Padding
    type: Literal["AveragePooling2D"] = "AveragePooling2D"


class Flatten(NamedTuple):
    """Row-major to one axis."""

    name: str
    type: Literal["Flatten"] = "Flatten"


class Dropout(NamedTuple):
    """Drops elements in training; `rate` is a binary64 word in [0, 1), `seed` is its generator's."""

    name: str
    rate: Binary64
    seed: int
    type: Literal["Dropout"] = "Dropout"


class ReLU(NamedTuple):
    """max(x, 0), element by element."""

    name: str
    type: Literal["ReLU"] = "ReLU"


class Sigmoid(NamedTuple):
    """1 / (1 + exp(-x)), element by element."""

    name: str
    type: Literal["Sigmoid"] = "Sigmoid"


class Tanh(NamedTuple):
    """tanh(x), element by element."""

    name: str
    type: Literal["Tanh"] = "Tanh"


class Softmax(NamedTuple):
    """exp(x) over its sum along the last axis."""

    name: str
    type: Literal["Softmax"] = "Softmax"


Convolution: TypeAlias = Conv2D | Conv2DTranspose
Pooling: TypeAlias = MaxPooling2D | AveragePooling2D
Stage: TypeAlias = Input | Dense | Convolution | Pooling | Flatten | Dropout | ReLU | Sigmoid | Tanh | Softmax
STAGES: tuple[type[Stage], ...] = (
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
