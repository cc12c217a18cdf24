"""Passes over data: training by epochs, evaluation and prediction, in batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from bitproof.klyn.data import Batches
from bitproof.klyn.dtypes import training_dtype
from bitproof.klyn.losses import loss_of
from bitproof.klyn.network import Network, aligned
from bitproof.klyn.progress import Report
from bitproof.klyn.streams import permutation
from bitproof.klyn.training import TrainingState, train
from bitproof_spec.klyn.constants import Loss

Callback: TypeAlias = Callable[[int, float], object]


class History(NamedTuple):
    """What a call to `fit` saw: the mean loss of each epoch, and how many of its updates loss scaling skipped."""

    loss: tuple[float, ...]
    skipped: tuple[int, ...]


class Evaluation(NamedTuple):
    """The mean loss over all samples; with classes also how many of them have the largest output, as a share."""

    loss: float
    accuracy: float | None


def fit(
    network: Network,
    state: TrainingState,
    batches: Batches,
    epochs: int,
    batch_size: int,
    seed: int | None,
    report: Report,
    callback: Callback | None,
) -> History:
    """Train for some epochs over all samples, the last batch as large as what is left; in order without a seed.

    Epoch e of a call takes permutation e of the seed. `callback` gets each epoch's index and loss when it is over.
    """
    losses: list[float] = []
    skipped: list[int] = []
    for epoch in range(epochs):
        order = None if seed is None else permutation(seed, epoch, len(batches))
        total, missed = 0.0, 0
        for index in chunks(len(batches), batch_size, order):
            x, y = batches.samples(index), batches.targets(index)
            loss, applied = train(network, state, x, y)
            total += float(loss) * len(x)
            missed += not applied
            report.advance(len(x))
        losses.append(total / len(batches))
        skipped.append(missed)
        report.epoch(epoch, losses[-1], missed)
        if callback is not None:
            callback(epoch, losses[-1])
    return History(tuple(losses), tuple(skipped))


@torch.no_grad()
def evaluate(network: Network, batches: Batches, loss: Loss, batch_size: int) -> Evaluation:
    """The loss, and for classes the accuracy, without dropout; nothing of the model changes."""
    total, right, positions = 0.0, 0, 0
    for index in chunks(len(batches), batch_size):
        x, y = batches.samples(index), batches.targets(index)
        output = infer(network, x)
        total += float(loss_of(loss, output.to(training_dtype(network.precision)), y)) * len(x)
        if loss == "sparse_categorical_crossentropy":
            right += int((output.argmax(-1) == y).sum())
            positions += y.numel()
    accuracy = right / positions if positions else None
    return Evaluation(total / len(batches), accuracy)


@torch.no_grad()
def predict(network: Network, batches: Batches, batch_size: int) -> torch.Tensor:
    """The outputs for all samples, on the model's device; nothing of the model changes."""
    parts = [infer(network, batches.samples(index)) for index in chunks(len(batches), batch_size)]
    return torch.cat(parts) if parts else infer(network, batches.samples(slice(0)))


def infer(network: Network, x: torch.Tensor) -> torch.Tensor:
    """The output for a batch, without dropout."""
    parameters = {id: aligned(parameter) for id, parameter in network.parameters.items()}
    return network.forward(parameters, x, training=False)


def chunks(count: int, size: int, order: NDArray[np.int64] | None = None) -> Iterator[slice | NDArray[np.int64]]:
    """The samples of each batch, in order or in the given one."""
    for start in range(0, count, size):
        chosen = slice(start, min(start + size, count))
        yield chosen if order is None else order[chosen]
