"""TorchLean: streamed, JSON and optimizer files without torch, and the runtime on torch, imported when first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from bitproof.torchlean.errors import LegacyCheckpointWarning as LegacyCheckpointWarning
from bitproof.torchlean.errors import StateError as StateError
from bitproof.torchlean.files import read_json as read_json
from bitproof.torchlean.files import read_optimizer as read_optimizer
from bitproof.torchlean.files import read_streamed as read_streamed
from bitproof.torchlean.files import write as write
from bitproof_spec.torchlean.encodings import FLOAT as FLOAT
from bitproof_spec.torchlean.encodings import FLOAT32 as FLOAT32
from bitproof_spec.torchlean.encodings import Float as Float
from bitproof_spec.torchlean.encodings import Float32 as Float32
from bitproof_spec.torchlean.encodings import StateEncoding as Encoding
from bitproof_spec.torchlean.encodings import complex_state as complex_state
from bitproof_spec.torchlean.encodings import configured_state as configured_state

if TYPE_CHECKING:
    from bitproof.torchlean import checkpoint as checkpoint
    from bitproof.torchlean import nn as nn
    from bitproof.torchlean.backends import EagerNative as EagerNative
    from bitproof.torchlean.backends import Graph as Graph
    from bitproof.torchlean.backends import PlainEager as PlainEager
    from bitproof.torchlean.chain import Sequential as Sequential
    from bitproof.torchlean.chain import sequential as sequential
    from bitproof.torchlean.checkpointable import Checkpointable as Checkpointable
    from bitproof.torchlean.module import Module as Module
    from bitproof.torchlean.objective import Backend as Backend
    from bitproof.torchlean.objective import Objective as Objective
    from bitproof.torchlean.optimizers import Adam as Adam
    from bitproof.torchlean.optimizers import AdamW as AdamW
    from bitproof.torchlean.optimizers import Sgd as Sgd
    from bitproof.torchlean.params import Param as Param
    from bitproof.torchlean.params import ParamList as ParamList
    from bitproof.torchlean.state import Layout as Layout
    from bitproof.torchlean.state import State as State
    from bitproof.torchlean.state import layout as layout
    from bitproof.torchlean.trainer import Trained as Trained
    from bitproof.torchlean.trainer import Trainer as Trainer

_MODULES = {
    "backends": ("EagerNative", "Graph", "PlainEager"),
    "chain": ("Sequential", "sequential"),
    "checkpointable": ("Checkpointable",),
    "module": ("Module",),
    "objective": ("Backend", "Objective"),
    "optimizers": ("Adam", "AdamW", "Sgd"),
    "params": ("Param", "ParamList"),
    "state": ("Layout", "State", "layout"),
    "trainer": ("Trained", "Trainer"),
}
_RUNTIME = {"checkpoint": "checkpoint", "nn": "nn"} | {n: module for module, names in _MODULES.items() for n in names}

__all__ = [
    "FLOAT",
    "FLOAT32",
    "Encoding",
    "Float",
    "Float32",
    "LegacyCheckpointWarning",
    "StateError",
    "complex_state",
    "configured_state",
    "read_json",
    "read_optimizer",
    "read_streamed",
    "write",
    *_RUNTIME,
]


def __getattr__(name: str) -> object:
    """A name of the runtime; without torch ModuleNotFoundError says which extra has it."""
    if name not in _RUNTIME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import_module("bitproof.tensors")  # first, since it says what is missing
    module = import_module(f"{__name__}.{_RUNTIME[name]}")
    value: object = module if name == _RUNTIME[name] else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
