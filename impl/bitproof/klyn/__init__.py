"""Klyn: KNN files without torch (`read`, `write`), and the Sequential runtime on torch, imported when first used."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path as FilePath
from typing import TYPE_CHECKING

from bitproof.klyn.errors import ValueException as ValueException
from bitproof.klyn.files import read as read
from bitproof.klyn.files import write as write
from bitproof_spec.klyn.document import Checkpoint as Checkpoint

if TYPE_CHECKING:
    from bitproof.klyn.devices import Device as Device
    from bitproof.klyn.fitting import Evaluation as Evaluation
    from bitproof.klyn.fitting import History as History
    from bitproof.klyn.loss_scale import LossScaling as LossScaling
    from bitproof.klyn.optimizers import SGD as SGD
    from bitproof.klyn.optimizers import Adam as Adam
    from bitproof.klyn.precision import Double as Double
    from bitproof.klyn.precision import Float as Float
    from bitproof.klyn.precision import Float16 as Float16
    from bitproof.klyn.precision import Float32 as Float32
    from bitproof.klyn.precision import Float64 as Float64
    from bitproof.klyn.sequential import Sequential as Sequential
    from bitproof.klyn.stages import AveragePooling2D as AveragePooling2D
    from bitproof.klyn.stages import Conv2D as Conv2D
    from bitproof.klyn.stages import Conv2DTranspose as Conv2DTranspose
    from bitproof.klyn.stages import Dense as Dense
    from bitproof.klyn.stages import Dropout as Dropout
    from bitproof.klyn.stages import Flatten as Flatten
    from bitproof.klyn.stages import Input as Input
    from bitproof.klyn.stages import MaxPooling2D as MaxPooling2D
    from bitproof.klyn.stages import ReLU as ReLU
    from bitproof.klyn.stages import Sigmoid as Sigmoid
    from bitproof.klyn.stages import Softmax as Softmax
    from bitproof.klyn.stages import Stage as Stage
    from bitproof.klyn.stages import Tanh as Tanh

_MODULES = {
    "devices": ("Device",),
    "fitting": ("Evaluation", "History"),
    "loss_scale": ("LossScaling",),
    "optimizers": ("SGD", "Adam"),
    "precision": ("Double", "Float", "Float16", "Float32", "Float64"),
    "sequential": ("Sequential",),
    "stages": (
        "AveragePooling2D",
        "Conv2D",
        "Conv2DTranspose",
        "Dense",
        "Dropout",
        "Flatten",
        "Input",
        "MaxPooling2D",
        "ReLU",
        "Sigmoid",
        "Softmax",
        "Stage",
        "Tanh",
    ),
}
_RUNTIME = {name: module for module, names in _MODULES.items() for name in names}

__all__ = ["Checkpoint", "FilePath", "ValueException", "read", "write", *_RUNTIME]


def __getattr__(name: str) -> object:
    """A name of the runtime; without torch ModuleNotFoundError says which extra has it."""
    if name not in _RUNTIME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import_module("bitproof.tensors")  # first, since it says what is missing
    value: object = getattr(import_module(f"{__name__}.{_RUNTIME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
