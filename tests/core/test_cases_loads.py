"""Reported faults of loads that fail half-way, share state, or go on from the wrong step, over the instances."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pytest

from bitproof.suite import Case
from bitproof_spec.document import Document, differences
from bitproof_spec.format import Format, OfBytes, encode
from bitproof_spec.laws import law_resume
from bitproof_spec.live_laws import Fault, Frozen
from bitproof_spec.target import Trainable, load, save
from bitproof_spec.violations import CheckpointError
from tests.core.instances.cases import CASES, MODEL, MODULE, RUN, STATE
from tests.core.instances.knn_format import KNN
from tests.core.instances.knn_model import HalfModel
from tests.core.instances.tlsf32b_format import HEAD, TLSF32B
from tests.core.instances.values_format import VALUES
from tests.core.instances.values_run import Run
from tests.core.twins.knn_twins import ResetPower
from tests.core.twins.values_twins import ResetUpdates

D = TypeVar("D", bound=Document)


def loads_nothing(case: Case[D], file: bytes) -> None:
    """The file is refused, and every bit of a trained object stays."""
    live = case.trained(2)
    before = Frozen.of(live.capture())
    with pytest.raises(CheckpointError):
        load(live, case.format, OfBytes(file))
    assert Frozen.of(live.capture()) == before


def test_a10_a_bad_digest_of_the_third_block_leaves_the_whole_model_as_it_was() -> None:
    document = MODEL.trained(3).capture()
    file = bytearray(encode(KNN, document))
    third = document.tensors[2][1].data
    file[bytes(file).index(bytes(third))] ^= 1
    loads_nothing(MODEL, bytes(file))


def test_a10_a_number_that_is_no_number_in_the_third_header_leaves_the_module_as_it_was() -> None:
    file = bytearray(save(MODULE.trained(3), TLSF32B))
    third = len(HEAD) + 8 + (8 + 16 + 8 + 24) + (8 + 8 + 8 + 8)
    assert file[third : third + 16] == bytes(8) + (1).to_bytes(8, "little")
    file[third : third + 8] = b"\xff\xff\xff\xff\xff\xff\xff\x7f"
    loads_nothing(MODULE, bytes(file))


@pytest.mark.parametrize("step", [0, 1, 2])
@pytest.mark.parametrize("case", [MODEL, MODULE, RUN], ids=lambda case: case.name)
def test_a10_a_fault_while_a_tensor_is_staged_leaves_the_whole_target_as_it_was(case: Case[D], step: int) -> None:
    live, file = case.trained(1), save(case.trained(3), case.format)
    before = Frozen.of(live.capture())
    assert case.fault_at is not None
    with case.fault_at(step), pytest.raises(Fault, match=f"call {step} "):
        load(live, case.format, OfBytes(file))
    assert Frozen.of(live.capture()) == before
    load(live, case.format, OfBytes(file))
    assert Frozen.of(live.capture()) == Frozen.of(case.trained(3).capture())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_i2_two_loads_of_one_file_share_nothing(case: Case[D]) -> None:
    file = save(case.trained(2), case.format)
    one, other = case.fresh(), case.fresh()
    load(one, case.format, OfBytes(file))
    load(other, case.format, OfBytes(file))
    one.advance(2)
    assert Frozen.of(other.capture()) == Frozen.of(case.trained(2).capture())
    assert Frozen.of(one.capture()) == Frozen.of(case.trained(4).capture())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_i2_training_after_a_save_reaches_neither_the_file_nor_what_is_loaded_from_it(case: Case[D]) -> None:
    live, loaded = case.trained(2), case.fresh()
    file = save(live, case.format)
    live.advance(2)
    load(loaded, case.format, OfBytes(file))
    assert Frozen.of(loaded.capture()) == Frozen.of(case.trained(2).capture())


UPDATES = [1, 2, 3, 1000]


@pytest.mark.parametrize("updates", UPDATES)
@pytest.mark.parametrize("case", [MODEL, MODULE, STATE, RUN], ids=lambda case: case.name)
def test_r6_the_first_update_after_a_load_is_the_next_one_of_the_uninterrupted_training(
    case: Case[D], updates: int
) -> None:
    law_resume(case.format, case.fresh, updates, 1)


def leaves_that_differ(format: Format[D], fresh: Callable[[], Trainable[D]], updates: int) -> set[str]:
    """What differs after the first update that follows a load, by name."""
    straight, resumed = fresh(), fresh()
    straight.advance(updates)
    load(resumed, format, OfBytes(save(straight, format)))
    straight.advance(1)
    resumed.advance(1)
    return {difference.where.partition("[")[0] for difference in differences(straight.capture(), resumed.capture())}


@pytest.mark.parametrize("updates", UPDATES)
def test_r6_after_a_wrong_reset_the_first_update_is_another_one(updates: int) -> None:
    assert {"power", "tensors/dense/kernel/master"} <= leaves_that_differ(KNN, ResetPower, updates)
    assert {"value 2/updates", "value 1/w1", "value 1/w2"} <= leaves_that_differ(VALUES, ResetUpdates, updates)
    assert leaves_that_differ(KNN, HalfModel, updates) == leaves_that_differ(VALUES, Run, updates) == set()
