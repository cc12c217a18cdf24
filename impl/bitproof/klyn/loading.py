"""What a KNN document is loaded into: a new model, or the weights of one that exists.

`stage` makes every tensor and finds everything that doesn't fit; the commit that it returns can't fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from json import dumps
from typing import TypeAlias, TypeVar

import torch

from bitproof import tensors
from bitproof.klyn import loss_scale, optimizers
from bitproof.klyn.dtypes import training_dtype
from bitproof.klyn.errors import ValueException
from bitproof.klyn.network import Network, Tensors, streams
from bitproof.klyn.owed import owed_budget
from bitproof.klyn.paths import checked
from bitproof.klyn.precision import OF_FORMAT
from bitproof.klyn.stages import restored
from bitproof.klyn.training import TrainingState
from bitproof.paths import FilePathLike, escape_path
from bitproof.views import open_view
from bitproof_spec.document import Block
from bitproof_spec.klyn.constants import Precision
from bitproof_spec.klyn.container import Knn
from bitproof_spec.klyn.document import Checkpoint, plain
from bitproof_spec.klyn.stages import Stage
from bitproof_spec.target import Commit, Target
from bitproof_spec.target import load as load_into
from bitproof_spec.violations import Violation, Violations

R = TypeVar("R")
Take: TypeAlias = Callable[[Block, torch.device], torch.Tensor]


def load_file(target: Target[Checkpoint, R], path: FilePathLike, max_bytes: int) -> R:
    """Judge the file at `path`, stage its document and commit it.

    ValueException with every finding; TypeError or ValueError for a path or bound that is none; OSError when the
    file can't be read. Nothing has changed then.
    """
    format = Knn(owed_budget(max_bytes))
    with open_view(checked(path), keep=True) as view:
        return load_into(target, format, view, error=ValueException, subject=escape_path(path))


class NewNetwork:
    """Target: a network of its own and its training state, bit for bit as the document has them.

    With `adopt` the tensors take the memory of the document's blocks over where they can.
    """

    def __init__(self, precision: Precision, device: torch.device, *, adopt: bool) -> None:
        self._precision = precision
        self._device = device
        self._take: Take = tensors.adopt if adopt else tensors.tensor_of

    def stage(self, document: Checkpoint, /) -> Commit[tuple[Network, TrainingState | None]] | Violations:
        """A commit that gives the network, or what doesn't fit: only a precision can't."""
        if wrong := tuple(_precision(document.precision, self._precision)):
            return Violations(wrong)
        staged = {id: self._take(block, self._device) for id, block in document.tensors}
        training = document.training
        declared = document.stages
        network = Network(self._precision, tuple(map(restored, declared)), declared, staged, streams(declared))
        if training is None:
            return lambda: (network, None)
        network.parameters, owned = _split(staged)
        for state in training.random:
            network.streams[state.stage].counter = state.counter
        compiled = TrainingState(training.optimizer, training.step, training.loss, training.loss_scale, owned)
        return lambda: (network, compiled)


class Weights:
    """Target: the parameters of a live model, which stay the same objects; its accumulators start afresh.

    Optimizer settings, Dropout generators and everything else stay.
    """

    def __init__(self, network: Network, training: TrainingState | None) -> None:
        self._network = network
        self._training = training

    def stage(self, document: Checkpoint, /) -> Commit[None] | Violations:
        """A commit that copies the weights, or everything in which architecture and shapes differ."""
        network, live = self._network, self._network.parameters
        wrong = (
            *_precision(document.precision, network.precision),
            *_architecture(document.stages, network.declared),
            *_shapes(document, live),
        )
        if wrong:
            return Violations(wrong)
        blocks = {id: block for id, block in document.tensors if id in live}
        staged = {id: tensors.tensor_of(blocks[id], tensor.device) for id, tensor in live.items()}
        return lambda: self._commit(staged)

    def _commit(self, staged: Tensors) -> None:
        network, training = self._network, self._training
        tensors.put(list(network.parameters.values()), list(staged.values()))
        if training is None:
            return
        dtype = training_dtype(network.precision)
        for id, tensor in training.tensors.items():
            parameter, _, suffix = id.rpartition("/")
            tensor.copy_(staged[parameter].to(dtype)) if suffix == "master" else tensor.zero_()
        training.optimizer = optimizers.restarted(training.optimizer)
        training.loss_scale = training.loss_scale and loss_scale.restarted(training.loss_scale)
        training.step = 0


def _split(staged: Tensors) -> tuple[Tensors, Tensors]:
    """Parameters, whose ids have one part after the stage's name, and training tensors, whose ids have two."""
    parameters = {id: tensor for id, tensor in staged.items() if id.count("/") == 1}
    return parameters, {id: tensor for id, tensor in staged.items() if id not in parameters}


def _precision(found: Precision, owed: Precision) -> Iterator[Violation]:
    if found != owed:
        both = (f"{format} ({OF_FORMAT[format].__name__})" for format in (found, owed))
        yield Violation("KNR-MOD-01", "/precision", *both)


def _architecture(found: tuple[Stage, ...], owed: tuple[Stage, ...]) -> Iterator[Violation]:
    """Every member of every stage that differs, seeds excepted; a stage of another type is one finding."""
    if len(found) != len(owed):
        yield Violation("KNR-LOD-02", "/model/stages", f"{len(found)} stages", f"{len(owed)}")
    for index, (file, live) in enumerate(zip(found, owed, strict=False)):
        where = f"/model/stages/{index}"
        if file.type != live.type:
            yield Violation("KNR-LOD-02", f"{where}/type", file.type, live.type)
            continue
        for member, value, expected in zip(file._fields, file, live, strict=True):
            if member != "seed" and value != expected:
                shown, wanted = (dumps(plain(member, each)) for each in (value, expected))
                yield Violation("KNR-LOD-02", f"{where}/{member}", shown, wanted)


def _shapes(document: Checkpoint, live: Tensors) -> Iterator[Violation]:
    """Parameters of the same id whose shapes differ, which is what differing stages lead to."""
    for index, (id, block) in enumerate(document.tensors):
        if id in live and tuple(live[id].shape) != block.shape:
            owed = list(live[id].shape)
            yield Violation("KNR-LOD-02", f"/tensors/{index}/shape", f"{id} {list(block.shape)}", f"{owed}")
