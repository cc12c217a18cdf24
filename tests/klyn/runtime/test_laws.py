"""Klyn's runtime under the law suite: the three precisions as instances, and weights loaded into a live model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
from hypothesis import settings
from hypothesis import strategies as st

from bitproof import tensors
from bitproof.klyn import SGD, Float16, Float32, Float64, Sequential
from bitproof.klyn.loading import NewNetwork, Weights
from bitproof.klyn.strategies import checkpoints
from bitproof.properties import CI, Law, profile
from bitproof.strategies import blocks
from bitproof.suite import Case, LawBroken, failing
from bitproof_spec.klyn.constants import STORAGE, Precision
from bitproof_spec.klyn.container import KNN
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.target import Commit
from bitproof_spec.violations import Violations
from tests.klyn.runtime.models import SGD_WITH_ALL, images, line, train

CPU = torch.device("cpu")
STORAGES = {storage.tag: storage for storage in STORAGE.values()}
OF_FORMAT = {"round-trip", "segments", "total", "canonical", "coverage"}  # laws without a live object: tried once
SOME = settings(CI, max_examples=12)


class Live:
    """A model in a box. A load puts another model into it; a step trains an epoch on the model's own data."""

    def __init__(self, model: Sequential[Any]) -> None:
        self._model = model

    def capture(self) -> Checkpoint:
        """The model in the box."""
        return self._model.capture()

    def stage(self, document: Checkpoint, /) -> Commit[None] | Violations:
        """Put a model of this document into the box."""
        owner = type(self._model)
        assert owner.precision is not None
        staged = NewNetwork(owner.precision.format, CPU, adopt=False).stage(document)
        if isinstance(staged, Violations):
            return staged
        commit = staged

        def install() -> None:
            self._model = owner._holding(*commit())

        return install

    def advance(self, steps: int, /) -> None:
        """Train that many epochs, each a call of its own."""
        for _ in range(steps):
            train(self._model)


class LiveWeights:
    """A live model whose weights are all that its training depends on: no momentum, no Dropout."""

    def __init__(self) -> None:
        self._model = line(Float32, SGD(0.0625))

    def capture(self) -> Checkpoint:
        """The weights, as a file for inference has them."""
        return replace(self._model.capture(), training=None)

    def stage(self, document: Checkpoint, /) -> Commit[None] | Violations:
        """Load the weights into the live model."""
        network = self._model._network
        assert network is not None
        return Weights(network, self._model._training).stage(document)

    def advance(self, steps: int, /) -> None:
        """Train that many epochs."""
        for _ in range(steps):
            train(self._model)


def documents(precision: Precision, fresh: Callable[[], Live]) -> st.SearchStrategy[Checkpoint]:
    """Documents of any kind, of this precision twice as often, and the model's own with other bits."""
    own = fresh().capture()
    return checkpoints() | checkpoints(precision) | rewritten(own)


@st.composite
def rewritten(draw: st.DrawFn, document: Checkpoint) -> Checkpoint:
    """The document with any bits in every tensor, and any counters."""
    named = tuple((id, draw(blocks(STORAGES[block.tag], block.shape))) for id, block in document.tensors)
    training = document.training
    if training is not None:
        random = tuple(each._replace(counter=draw(st.integers(1, 2**256 - 1))) for each in training.random)
        training = training._replace(random=random)
    return replace(document, training=training, tensors=named)


def case(name: str, precision: Precision, fresh: Callable[[], Live]) -> Case[Checkpoint]:
    return Case(
        name,
        KNN,
        documents(precision, fresh),
        fresh,
        fault_at=failing(tensors, "tensor_of"),
        largest_look=2**24,
        steps=2,
    )


CASES: tuple[Case[Any], ...] = (
    case("half-adam", "binary16", lambda: Live(images(Float16))),
    case("half-nesterov", "binary16", lambda: Live(line(Float16, SGD_WITH_ALL))),
    case("single-adam", "binary32", lambda: Live(line(Float32))),
    case("single-nesterov", "binary32", lambda: Live(images(Float32, SGD_WITH_ALL))),
    case("double-adam", "binary64", lambda: Live(images(Float64))),
    Case(
        "weights",
        KNN,
        rewritten(LiveWeights().capture()) | checkpoints("binary32"),
        LiveWeights,
        fault_at=failing(tensors, "tensor_of"),
        largest_look=2**24,
        steps=2,
    ),
)


LAWS = [law for each in CASES for law in each.laws() if each is CASES[0] or law.name not in OF_FORMAT]


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_every_law_holds_of_every_instance(law: Law) -> None:
    within = profile()
    law.check(SOME if within is CI else within)


class ForgetsDropout(Live):
    """Its generators start anew."""

    def stage(self, document: Checkpoint, /) -> Commit[None] | Violations:
        """Counters back to 0."""
        training = document.training
        if training is not None:
            random = tuple(each._replace(counter=0) for each in training.random)
            document = replace(document, training=training._replace(random=random))
        return super().stage(document)


def test_a_broken_twin_is_refuted() -> None:
    def fresh() -> ForgetsDropout:
        return ForgetsDropout(images(Float32, SGD_WITH_ALL))

    broken = {law.name: law for law in case("forgets", "binary32", fresh).laws()}
    for name, place in (("staged", "/counter"), ("commit", "/counter"), ("resume", "/kernel|/bias|/counter")):
        with pytest.raises(LawBroken, match=f"forgets: {name}.*({place})"):
            broken[name].check(SOME)
