"""The specification's own parts: temporary names, the tables, the machine that walks them, and the disk."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitproof import files
from bitproof_spec.disk import Cell, Disk
from bitproof_spec.publication import (
    CLEANUP,
    DURABLE_SAVE,
    DURABLE_TABLE,
    QUICK_SAVE,
    Call,
    Phase,
    is_temporary,
    temporary_name,
)
from bitproof_spec.publication_machine import OutOfOrder, Save, abandoned, advance, follow


@settings(derandomize=True, deadline=None, database=None)
@given(st.binary(min_size=1, max_size=255), st.binary(min_size=8, max_size=8))
def test_temporary_names_have_the_documented_shape(name: bytes, token: bytes) -> None:
    temporary = temporary_name(name, token)
    assert temporary == b"." + name[:224] + b"." + token.hex().encode() + b".bitproof-tmp"
    assert len(temporary) <= 255
    assert is_temporary(temporary)


@pytest.mark.parametrize("size", [0, 7, 9, 16])
def test_a_token_of_another_size_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"8 bytes, not {size}"):
        temporary_name(b"x", bytes(size))


NOT_TEMPORARY = [
    b"",
    b"x",
    b".bitproof-tmp",
    b"x.0123456789abcdef.bitproof-tmp",
    b"..0123456789abcdef.bitproof-tmp",
    b".0123456789abcdef.bitproof-tmp",
    b".x.0123456789abcdef.bitproof-tmp.gz",
    b".x.0123456789ABCDEF.bitproof-tmp",
    b".x.0123456789abcde.bitproof-tmp",
    b".x.0123456789abcdef0.bitproof-tmp",
    b".x0123456789abcdef.bitproof-tmp",
    b"." + b"x" * 225 + b".0123456789abcdef.bitproof-tmp",
]


@pytest.mark.parametrize("name", NOT_TEMPORARY)
def test_other_names_are_not_taken_for_temporaries(name: bytes) -> None:
    assert not is_temporary(name)


def test_every_phase_can_be_reached_left_and_given_up() -> None:
    assert set(DURABLE_TABLE) == set(Phase) == set(CLEANUP)
    reached = {Phase.START} | {after for edges in DURABLE_TABLE.values() for after in edges.values()}
    assert reached == set(Phase)
    assert {call for edges in DURABLE_TABLE.values() for call in edges} == set(Call) - {Call.UNLINK}
    for phase in set(Phase) - {Phase.START, Phase.DONE}:
        assert DURABLE_TABLE[phase]
        assert abandoned(DURABLE_SAVE, Save(phase)).owed


def test_a_quick_save_has_the_edges_of_a_durable_one_without_its_syncs() -> None:
    skipped = {Call.SYNC_FILE, Call.SYNC_DIRECTORY}
    for phase, edges in DURABLE_TABLE.items():
        owed = {call: after for call, after in edges.items() if call not in skipped}
        for call in skipped & set(edges):
            owed |= DURABLE_TABLE[edges[call]]
        assert QUICK_SAVE.table[phase] == owed
    assert QUICK_SAVE.cleanup is CLEANUP


UNNAMED_SAVE = [
    Call.OPEN_DIRECTORY,
    Call.CREATE_UNNAMED,
    Call.WRITE,
    Call.CHECK_SIZE,
    Call.SYNC_FILE,
    Call.LINK,
    Call.CLOSE_FILE,
    Call.RENAME,
    Call.SYNC_DIRECTORY,
    Call.CLOSE_DIRECTORY,
]


def _returns(calls: list[Call]) -> bool:
    """Whether these calls are a save that returned; one that was given up is a path too."""
    try:
        return follow(DURABLE_SAVE, [(call, "") for call in calls]).owed is None
    except OutOfOrder:
        return False


def test_the_documented_order_is_a_path_and_no_other_order_of_its_calls_is() -> None:
    assert follow(DURABLE_SAVE, [(call, "") for call in UNNAMED_SAVE]) == Save(Phase.DONE)
    for first in range(len(UNNAMED_SAVE) - 1):
        swapped = [*UNNAMED_SAVE]
        swapped[first : first + 2] = reversed(swapped[first : first + 2])
        assert not _returns(swapped)
    for left_out in set(UNNAMED_SAVE) - {Call.WRITE}:
        assert not _returns([call for call in UNNAMED_SAVE if call is not left_out])


def test_a_trace_that_stops_or_goes_on_is_no_path() -> None:
    trace = [(call, "") for call in UNNAMED_SAVE]
    with pytest.raises(OutOfOrder, match="ends in PUBLISHED"):
        follow(DURABLE_SAVE, trace[:8])
    with pytest.raises(OutOfOrder, match="WRITE in DONE"):
        follow(DURABLE_SAVE, [*trace, (Call.WRITE, "")])


def test_a_failed_call_owes_the_clean_up_in_order_and_nothing_else() -> None:
    linked = [(call, "") for call in UNNAMED_SAVE[:6]]
    failed = [*linked, (Call.CLOSE_FILE, "EIO")]
    assert follow(DURABLE_SAVE, [*failed, (Call.UNLINK, ""), (Call.CLOSE_DIRECTORY, "")]).owed == ()
    for wrong in ([Call.CLOSE_DIRECTORY], [Call.CLOSE_DIRECTORY, Call.UNLINK], [Call.RENAME], [Call.CLOSE_FILE]):
        with pytest.raises(OutOfOrder):
            follow(DURABLE_SAVE, [*failed, *((call, "") for call in wrong)])


def test_an_error_that_is_retried_keeps_the_save_going() -> None:
    opened = advance(DURABLE_SAVE, Save(), Call.OPEN_DIRECTORY)
    assert advance(DURABLE_SAVE, opened, Call.CREATE_UNNAMED, "EOPNOTSUPP") == Save(Phase.NAMED_ONLY)
    assert advance(DURABLE_SAVE, opened, Call.CREATE_NAMED, "EEXIST") == opened
    assert advance(DURABLE_SAVE, opened, Call.CREATE_NAMED, "EIO").owed == (Call.CLOSE_DIRECTORY,)
    ready = Save(Phase.UNNAMED_READY)
    assert advance(DURABLE_SAVE, ready, Call.LINK, "EEXIST") == ready


def test_a_save_is_held_to_what_it_holds_and_has_published() -> None:
    assert not Save(Phase.UNNAMED_READY).holding
    assert Save(Phase.CLOSED).holding
    assert not Save(Phase.CLOSED, (Call.CLOSE_DIRECTORY,)).holding
    assert not Save(Phase.CLOSED).published
    assert Save(Phase.PUBLISHED, ()).published


def test_a_crash_leaves_any_subset_of_what_was_not_synced() -> None:
    disk = Disk(((), ())).write(1, 0, 7).write(1, 1, 7).link(1, "path").sync_file(1).sync_directory()
    disk = disk.create(0).write(0, 0, 8).write(0, 1, 8).link(0, "other")
    assert disk.now("other") == (8, 8)
    assert disk.after("other") == {None, (), (8,), (None, 8), (8, 8)}
    disk = disk.sync_file(0)
    assert disk.after("other") == {None, (8, 8)}
    disk = disk.rename("other", "path")
    assert (disk.now("path"), disk.now("other")) == ((8, 8), None)
    assert disk.after("path") == {(7, 7), (8, 8)}
    disk = disk.sync_directory()
    assert disk.after("path") == {(8, 8)}
    assert disk.after("other") == {None}


def test_changes_of_one_cell_may_be_reordered_until_a_sync() -> None:
    disk = Disk(((),)).link(0, "path").sync_directory().write(0, 0, 1).write(0, 0, 2)
    assert disk.now("path") == (2,)
    assert disk.after("path") == {(), (1,), (2,)}
    assert disk.sync_file(0).write(0, 0, 3).after("path") == {(2,), (3,)}
    assert disk.entry("nothing") == Cell()


def test_a_file_cut_to_nothing_may_keep_any_of_its_blocks() -> None:
    disk = Disk(((),)).write(0, 0, 1).write(0, 1, 1).link(0, "path").sync_file(0).sync_directory()
    cut = disk.write(0, 0, None).write(0, 1, None)
    assert cut.now("path") == ()
    assert cut.after("path") == {(), (1,), (None, 1), (1, 1)}
    assert disk.unlink("path").after("path") == {None, (1, 1)}


def test_on_macos_a_sync_reaches_the_medium(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    fcntl = ModuleType("fcntl")
    monkeypatch.setattr(fcntl, "F_FULLFSYNC", 51, raising=False)
    monkeypatch.setattr(fcntl, "fcntl", lambda *call: asked.append(call), raising=False)
    monkeypatch.setitem(sys.modules, "fcntl", fcntl)
    monkeypatch.setattr(sys, "platform", "darwin")
    files._sync(33)
    assert asked == [(33, 51)]
