"""From a live model to its document. Nothing live changes, and nothing is touched for a model that can't be stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch

from bitproof.klyn.network import Network
from bitproof.klyn.precision import origin
from bitproof.klyn.stages import STAGES, declares
from bitproof.klyn.training import TrainingState
from bitproof_spec.document import Block
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.tensors import table
from bitproof_spec.klyn.training import RandomState, Training
from bitproof_spec.violations import Violation


def document_of(network: Network, training: TrainingState | None, block: Callable[[torch.Tensor], Block]) -> Checkpoint:
    """The document of a model; for inference when `training` is None. `block` copies a tensor's bits, or lends them."""
    owned = network.parameters | (training.tensors if training else {})
    specs = table(network.precision, network.declared, training.optimizer if training else None)
    blocks = tuple((spec.name, block(owned[spec.name])) for spec in specs)
    return Checkpoint(network.precision, network.declared, _members(network, training) if training else None, blocks)


def _members(network: Network, training: TrainingState) -> Training:
    random = tuple(RandomState(name, stream.counter) for name, stream in network.streams.items())
    return Training(training.optimizer, training.step, training.loss, training.loss_scale, random)


def strangers(network: Network) -> Iterator[Violation]:
    """Every stage whose class derives from one of the twelve: a file would hold the base class in its place."""
    for index, (stage, declared) in enumerate(zip(network.stages, network.declared, strict=True)):
        if origin(type(stage)) not in STAGES:
            found = f"{declared.name} of class {type(stage).__name__}"
            yield Violation("KNR-MOD-04", f"/model/stages/{index}", found, f"exactly {declares(stage).__name__}")
