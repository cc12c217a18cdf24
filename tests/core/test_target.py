"""Judge, stage, commit: the one load there is, and views as a judge sees files."""

from __future__ import annotations

from hashlib import sha256

import pytest

from bitproof_spec.format import OfBytes, Payload, encode
from bitproof_spec.target import load, save
from bitproof_spec.violations import CheckpointError
from tests.core.instances.cases import first_state
from tests.core.instances.tlsf32b_format import TLSF32B, Tensors
from tests.core.instances.tlsf32b_state import LAYOUT, Fresh, Module


class StateError(CheckpointError):
    """A system's own error."""


def test_what_a_target_commits_to_is_what_a_load_returns() -> None:
    file = encode(TLSF32B, Tensors(first_state().blocks))
    assert load(Fresh(LAYOUT), TLSF32B, OfBytes(file)) == first_state()


def test_a_live_object_returns_nothing_and_holds_what_was_loaded() -> None:
    trained, module = Module(LAYOUT), Module(LAYOUT)
    trained.advance(2)
    load(module, TLSF32B, OfBytes(save(trained, TLSF32B)))
    assert module.capture() == trained.capture() != Module(LAYOUT).capture()


def test_a_file_that_the_judge_refuses_raises_its_findings_under_the_systems_own_error() -> None:
    with pytest.raises(StateError) as refusal:
        load(Module(LAYOUT), TLSF32B, OfBytes(b"TLSF32A"), error=StateError, subject="a.tlsf")
    assert [violation.rule for violation in refusal.value.violations] == ["TLS-ROOM"]
    assert str(refusal.value).startswith("a.tlsf refused:")


def test_a_document_that_the_target_refuses_raises_the_targets_findings() -> None:
    file = encode(TLSF32B, Tensors(first_state().blocks[:1]))
    with pytest.raises(CheckpointError) as refusal:
        load(Module(LAYOUT), TLSF32B, OfBytes(file))
    assert [violation.rule for violation in refusal.value.violations] == ["LAY-COUNT-01"]


def test_a_view_of_bytes_gives_fewer_where_the_file_ends_and_records_every_look() -> None:
    view = OfBytes(b"0123456789")
    assert view.size == 10
    assert view.look("X-ONE", 2, 3) == b"234"
    assert view.look("X-TWO", 8, 5) == b"89"
    assert view.look("X-TWO", 12, 5) == b""
    assert view.seen == [(2, 3, "X-ONE"), (8, 5, "X-TWO"), (12, 5, "X-TWO")]


def test_blocks_come_in_the_order_asked_for_with_digests_when_these_are() -> None:
    view = OfBytes(b"0123456789")
    assert view.blocks("X-DATA", [(4, 2), (0, 0), (1, 2)], digest=False) == [
        Payload(b"45", b""),
        Payload(b"", b""),
        Payload(b"12", b""),
    ]
    assert view.blocks("X-DATA", [(0, 10)], digest=True) == [Payload(view.file, sha256(view.file).digest())]
    assert [clause for *_, clause in view.seen] == ["X-DATA"] * 4
