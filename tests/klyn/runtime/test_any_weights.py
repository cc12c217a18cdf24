"""`load_weights` over any model, optimizer and file: the whole document afterwards, as the specification owes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from bitproof.klyn import ValueException, read, write
from bitproof.klyn.strategies import checkpoints
from bitproof_spec.conversion import widen
from bitproof_spec.document import Block
from bitproof_spec.formats import BINARY16, BINARY32
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.reals import ONE
from bitproof_spec.klyn.stages import Stage
from bitproof_spec.klyn.training import Adam, Training
from tests.klyn.runtime.drawn import Training as How
from tests.klyn.runtime.drawn import trainings
from tests.klyn.runtime.models import owe_same

CASES = settings(
    max_examples=60, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)


@pytest.fixture(scope="module")
def file() -> Iterator[Path]:
    """One path that is written again and again."""
    with TemporaryDirectory() as folder:
        yield Path(folder) / "weights.knn"


def owed(live: Checkpoint, weights: Checkpoint) -> Checkpoint:
    """The live document with other weights: accumulators zero, masters exact, everything counted starts again."""
    given = dict(weights.tensors)
    assert live.training is not None
    tensors = []
    for id, block in live.tensors:
        parameter, _, last = id.rpartition("/")
        if last == "master":
            block = upcast(given[parameter])
        elif last in ("adam_m", "adam_v", "momentum"):
            block = Block(block.tag, block.shape, bytes(len(block.data)))
        else:
            block = given[id]
        tensors.append((id, block))
    return replace(live, training=restarted(live.training), tensors=tuple(tensors))


def upcast(half: Block) -> Block:
    """Each half as the binary32 word of the same value."""
    words = np.frombuffer(half.data, "<u2").tolist()
    wide = b"".join(widen(BINARY16, BINARY32, word).to_bytes(4, "little") for word in words)
    return Block("binary32", half.shape, wide)


def restarted(training: Training) -> Training:
    """Settings and generators as they are; counts, powers and scale as after compiling."""
    optimizer, scale = training.optimizer, training.loss_scale
    if isinstance(optimizer, Adam):
        optimizer = optimizer._replace(beta1_power=ONE, beta2_power=ONE)  # type: ignore[arg-type]  # a word by value
    if scale is not None:
        scale = scale._replace(scale=scale.initial_scale, good_steps=0)
    return training._replace(optimizer=optimizer, loss_scale=scale, step=0)


@CASES
@given(how=trainings(), epochs=st.integers(0, 2), for_inference=st.booleans())
def test_after_loading_weights_the_document_is_the_one_that_is_owed(
    file: Path, how: How, epochs: int, for_inference: bool
) -> None:
    other = how._replace(stages=tuple(reseeded(how)), seed=3).model()
    how.train(other, 2)
    other.save(file, include_optimizer=not for_inference, durable=False)
    live = how.model()
    how.train(live, epochs)
    before = live.capture()
    live.load_weights(file)
    owe_same(owed(before, read(file)), live.capture())
    how.train(live, 1)


def reseeded(how: How) -> Iterator[Stage]:
    """The stages with other seeds."""
    for stage in how.stages:
        yield stage._replace(seed=stage.seed // 2 + 1) if "seed" in stage._fields else stage  # type: ignore[union-attr, call-arg]  # asked


def without_seeds(stages: tuple[Stage, ...]) -> list[tuple[object, ...]]:
    """What must agree of two architectures."""
    return [tuple(value for name, value in stage._asdict().items() if name != "seed") for stage in stages]


@CASES
@given(how=trainings(), strange=checkpoints())
def test_a_file_of_any_other_model_changes_nothing(file: Path, how: How, strange: Checkpoint) -> None:
    assume((strange.precision, without_seeds(strange.stages)) != (how.precision, without_seeds(how.stages)))
    live = how.model()
    how.train(live, 1)
    before = live.capture()
    write(file, strange, durable=False)
    with pytest.raises(ValueException, match="KNR-"):
        live.load_weights(file)
    owe_same(before, live.capture())
