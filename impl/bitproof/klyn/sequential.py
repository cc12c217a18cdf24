"""`Sequential`: stages in a row, trained, evaluated, saved as KNN and loaded from it."""

from __future__ import annotations

from collections.abc import Iterable
from secrets import randbits
from typing import Any

import torch

from bitproof import tensors
from bitproof.klyn import fitting, optimizers
from bitproof.klyn.arguments import choice, integer
from bitproof.klyn.data import Batches, Values, sample_shape
from bitproof.klyn.devices import Device, torch_device
from bitproof.klyn.errors import ValueException
from bitproof.klyn.files import write
from bitproof.klyn.fitting import Callback, Evaluation, History
from bitproof.klyn.live import Live, class_only
from bitproof.klyn.loading import NewNetwork, Weights, load_file
from bitproof.klyn.locks import OneAtATime
from bitproof.klyn.loss_scale import LossScaling
from bitproof.klyn.network import Network, build, owed_stages
from bitproof.klyn.paths import checked
from bitproof.klyn.precision import OfPrecision, P, Precision, origin
from bitproof.klyn.progress import reporting
from bitproof.klyn.saving import document_of, strangers
from bitproof.klyn.stages import Input, Stage, declares
from bitproof.klyn.summary import line, summary
from bitproof.klyn.surroundings import ordinary
from bitproof.klyn.training import TrainingState, training_tensors
from bitproof.paths import FilePathLike, escape_path
from bitproof_spec.klyn.constants import DEFAULT_BUDGET, LOSSES, Loss
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.violations import Violation, Violations


class Sequential(OfPrecision[P], Live):
    """Stages in a row at one precision: `Sequential[Float32]([Input((4,)), Dense(1)])`.

    An Input builds the model at once; without one the first `fit`, `evaluate` or `predict` does, from its samples.
    Calls that overlap on one model, from threads or from a callback, raise RuntimeError.
    """

    __slots__ = ("_device", "_given", "_lock", "_network", "_training")

    def __init__(self, stages: Iterable[Stage[P]]) -> None:
        self._given = owed_stages(stages, _precision_of(type(self)))
        self._device = Device.auto
        self._lock = OneAtATime()
        self._network: Network | None = None
        self._training: TrainingState | None = None
        if self._given and declares(self._given[0]) is Input:
            with ordinary():
                self._install(self._planned(None))

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {line(self._network, len(self._given), self._training)}>"

    @property
    def parameters(self) -> dict[str, torch.Tensor]:
        """The live parameters by id (`dense_1/kernel`), in table order; ValueError before the model is built."""
        return dict(self._owed_network("parameters").parameters)

    def compile(
        self,
        optimizer: optimizers.Settings | str = "adam",
        loss: Loss = "sparse_categorical_crossentropy",
        *,
        loss_scaling: LossScaling | None = None,
    ) -> None:
        """Choose optimizer and loss and start training afresh: moments zero, powers 1, step 0.

        `loss_scaling` is for Float16 only and has defaults there. Dropout generators go on. TypeError or ValueError
        for what isn't a setting of Klyn.
        """
        with self._lock.holding("compile"), ordinary():
            format = _precision_of(type(self)).format
            if loss_scaling is not None and (format != "binary16" or type(loss_scaling) is not LossScaling):
                raise TypeError(f"loss_scaling is a LossScaling, for Float16 models only; not {loss_scaling!r}")
            scale = (loss_scaling or LossScaling()).start() if format == "binary16" else None
            started = optimizers.started(optimizer, format)
            owned = training_tensors(self._network, started) if self._network else {}
            self._training = TrainingState(started, 0, choice("loss", loss, LOSSES), scale, owned)

    def fit(
        self,
        x: Values,
        y: Values,
        *,
        epochs: int = 1,
        batch_size: int = 32,
        seed: int | None = None,
        shuffle: bool = True,
        verbose: int = 1,
        callback: Callback | None = None,
    ) -> History:
        """Train; exact repetition and resume need a `seed`, which each call starts anew.

        x: [samples, …] numbers; y: integer classes, or for mean squared error floats of the output's shape.
        `callback` gets each epoch's index and mean loss; every call that it makes on this model, `save` too, raises
        RuntimeError. To save each epoch, fit one at a time, each with a seed of its own: `m.fit(x, y, seed=epoch)`,
        `m.save(…)`. TypeError or ValueError for data that doesn't fit.
        """
        with self._lock.holding("fit"), ordinary():
            state = self._owed_training("fit")
            drawn = randbits(53) if seed is None else integer("seed", seed)
            count, size = integer("epochs", epochs), integer("batch_size", batch_size, 1)
            network, batches = self._prepared(x, (y, state.loss))
            with reporting(verbose, count, len(batches)) as report:
                order = drawn if shuffle else None
                return fitting.fit(network, state, batches, count, size, order, report, callback)

    def evaluate(self, x: Values, y: Values, *, batch_size: int = 32) -> Evaluation:
        """The mean loss over all samples, and for classes the accuracy. Raises as `fit`."""
        with self._lock.holding("evaluate"), ordinary():
            state, size = self._owed_training("evaluate"), integer("batch_size", batch_size, 1)
            return fitting.evaluate(*self._prepared(x, (y, state.loss)), state.loss, size)

    def predict(self, x: Values, *, batch_size: int = 32) -> torch.Tensor:
        """The outputs [samples, …] in the model's precision, on its device. Raises as `fit`."""
        with self._lock.holding("predict"), ordinary():
            size = integer("batch_size", batch_size, 1)
            return fitting.predict(*self._prepared(x, None), size)

    def summary(self) -> None:
        """Print the stages with their output shapes and parameters, and how the model is trained."""
        summary(self._owed_network("summary"), self._training)

    def to(self, device: Device) -> None:
        """Move the model; parameters stay the same objects. RuntimeError for a device that isn't there."""
        with self._lock.holding("to"), ordinary():
            place = torch_device(device)
            owned = [*self._network.parameters.values()] if self._network else []
            owned += self._training.tensors.values() if self._training else []
            moved = [tensor.data.to(place) for tensor in owned]
            for tensor, data in zip(owned, moved, strict=True):
                tensor.data = data
            self._device = device

    def capture(self) -> Checkpoint:
        """The model as a document, a copy: later changes don't reach it. ValueException as `save`."""
        with self._lock.holding("capture"):
            return document_of(self._owed_plain("capture"), self._training, tensors.block_of)

    def save(self, path: FilePathLike, *, include_optimizer: bool = True, durable: bool = True) -> None:
        """Save as KNN under `path`, whole, or leave what was there; complete when it returns.

        Without the optimizer the file is for inference: no training state at all. ValueException for a model that no
        file can hold: unbuilt, of a subclass, or with a stage of one. TypeError or ValueError for a path that is none
        or has a suffix other than `.knn` (`klyn.write` takes any), OSError when the system refuses; each names what is
        wrong, before any file is touched but for the system's. `durable=False` skips the syncs.
        """
        with self._lock.holding("save"):
            place = checked(path)
            training = self._training if include_optimizer else None
            network = self._owed_plain(f"save to {escape_path(place)}")
            document = document_of(network, training, tensors.block_view)
            write(place, document, durable=durable)

    @class_only
    def load(cls, path: FilePathLike, *, max_bytes: int = DEFAULT_BUDGET) -> Sequential[P]:  # noqa: N805  # a class method
        """The model that the file at `path` holds, on Device.auto; compiled when the file has training state.

        `max_bytes` bounds the bytes of all tensors, inclusive. ValueException with every finding when the file is
        refused, another precision's too, and for a subclass of Sequential. TypeError on a model that exists, which
        `load_weights` is for. ValueError for a suffix other than `.knn` (`klyn.read` takes any). Else raises as `read`.
        """
        if found := _derived(cls):
            raise ValueException(Violations(found), f"load of {escape_path(checked(path))}")
        target = NewNetwork(_precision_of(cls).format, torch_device(Device.auto), adopt=True)
        with ordinary():
            return cls._holding(*load_file(target, path, max_bytes))

    def load_weights(self, path: FilePathLike, *, max_bytes: int = DEFAULT_BUDGET) -> None:
        """Replace the weights by those of a file with the same architecture, precision and options.

        Parameters stay the same objects; moments, powers, step, masters and loss scale start afresh; optimizer
        settings and Dropout generators stay. Raises as `load`, and then nothing has changed.
        """
        with self._lock.holding("load_weights"), ordinary():
            network = self._owed_plain(f"load_weights of {escape_path(checked(path))}")
            load_file(Weights(network, self._training), path, max_bytes)

    @classmethod
    def _holding(cls, network: Network, training: TrainingState | None) -> Sequential[P]:
        """A model around a network, built as if its stages had been given."""
        model = cls.__new__(cls)
        model._given, model._network, model._training = network.stages, network, training
        model._device, model._lock = Device.auto, OneAtATime()
        return model

    def _prepared(self, x: Values, targets: tuple[Values, Loss] | None) -> tuple[Network, Batches]:
        """The network and the data for a pass; builds an unbuilt model once everything fits it."""
        network = self._network or self._planned(sample_shape(x))
        batches = Batches(network, torch_device(self._device), x)
        if targets is not None:
            batches.add_targets(*targets)
        self._install(network)
        return network, batches

    def _planned(self, sample: tuple[int, ...] | None) -> Network:
        return build(_precision_of(type(self)).format, self._given, sample, torch_device(self._device))

    def _install(self, network: Network) -> None:
        """Make a network this model's; with one, a compiled model has its training tensors."""
        if self._network is None:
            self._network = network
            if self._training is not None:
                self._training.tensors = training_tensors(network, self._training.optimizer)

    def _owed_network(self, call: str) -> Network:
        if self._network is None:
            raise ValueError(f"{call}: the model isn't built; give it an Input, or fit, evaluate or predict first")
        return self._network

    def _owed_training(self, call: str) -> TrainingState:
        if self._training is None:
            raise ValueError(f"{call}: the model isn't compiled; compile it first")
        return self._training

    def _owed_plain(self, call: str) -> Network:
        """The network of a model that a file can hold; ValueException that names everything that it can't."""
        found = _derived(type(self))
        if self._network is None:
            found += (Violation("KNR-MOD-02", "/model", "not built", "an Input, or fit, evaluate or predict first"),)
        else:
            found += tuple(strangers(self._network))
        if found or self._network is None:
            raise ValueException(Violations(found), call)
        return self._network


def _precision_of(cls: type[Sequential[Any]]) -> type[Precision]:
    """The class's precision; TypeError when it has none."""
    if cls.precision is None:
        raise TypeError(f"{cls.__name__} needs a precision: {cls.__name__}[Float32](…)")
    return cls.precision


def _derived(cls: type[Sequential[Any]]) -> tuple[Violation, ...]:
    """The finding that a class derives from Sequential instead of being it."""
    if origin(cls) is Sequential:
        return ()
    return (Violation("KNR-MOD-04", "/model", f"a model of class {cls.__name__}", "exactly Sequential"),)
