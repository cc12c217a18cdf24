"""TorchLean: streamed, JSON and optimizer files without torch, and the runtime on torch, imported when first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from bitproof.torchlean.errors import LegacyCheckpointWarning as LegacyCheckpointWarning
from bitproof.torchlean.errors import StateError as StateError

if TYPE_CHECKING:
    from bitproof.torchlean import checkpoint as checkpoint
    from bitproof.torchlean import nn as nn
    from bitproof.torchlean.backends import EagerNative as EagerNative
    from bitproof.torchlean.backends import Graph as Graph
    from bitproof.torchlean.backends import PlainEager as PlainEager
    from bitproof.torchlean.chain import Sequential as Sequential
    from bitproof.torchlean.chain import sequential as sequential
    from bitproof.torchlean.checkpointable import Checkpointable as Checkpointable
    from bitproof.torchlean.files import read_json as read_json
    from bitproof.torchlean.files import read_optimizer as read_optimizer
    from bitproof.torchlean.files import read_streamed as read_streamed
    from bitproof.torchlean.files import write as write
    from bitproof.torchlean.module import Module as Module
    from bitproof.torchlean.objective import Objective as Objective
    from bitproof.torchlean.optimizers import Adam as Adam
    from bitproof.torchlean.optimizers import AdamW as AdamW
    from bitproof.torchlean.optimizers import Sgd as Sgd
    from bitproof.torchlean.params import Param as Param
    from bitproof.torchlean.params import ParamList as ParamList
    from bitproof.torchlean.scalars import Float as Float
    from bitproof.torchlean.scalars import Float32 as Float32
    from bitproof.torchlean.state import Layout as Layout
    from bitproof.torchlean.state import State as State
    from bitproof.torchlean.trainer import Trained as Trained
    from bitproof.torchlean.trainer import Trainer as Trainer

_HOME = {
    "Adam": "optimizers",
    "AdamW": "optimizers",
    "Checkpointable": "checkpointable",
    "EagerNative": "backends",
    "Float": "scalars",
    "Float32": "scalars",
    "Graph": "backends",
    "Layout": "state",
    "Module": "module",
    "Objective": "objective",
    "Param": "params",
    "ParamList": "params",
    "PlainEager": "backends",
    "Sequential": "chain",
    "Sgd": "optimizers",
    "State": "state",
    "Trained": "trainer",
    "Trainer": "trainer",
    "read_json": "files",
    "read_optimizer": "files",
    "read_streamed": "files",
    "sequential": "chain",
    "write": "files",
}


def __getattr__(name: str) -> object:
    """The runtime's names, imported when first used, since torch takes seconds."""
    if name in ("checkpoint", "nn"):
        return import_module(f"{__name__}.{name}")
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
