"""Saves beside files in use, other file systems, leftovers and other savers."""

from __future__ import annotations

import errno
import mmap
import os
from contextlib import suppress
from pathlib import Path

import pytest

from bitproof.files import publish_bytes
from bitproof_spec.publication import DURABLE_SAVE, QUICK_SAVE, Call, is_temporary
from bitproof_spec.publication_machine import follow
from proofs.core.traced_os import Plan, TracedOs
from tests.core.children import in_child, start_child

ROUTES = pytest.mark.parametrize("unnamed", [True, False], ids=["unnamed", "named"])


@ROUTES
@pytest.mark.parametrize("temporary", ["/dev/shm", "/nowhere", "/proc"])
def test_temporaries_lie_beside_the_target_whatever_tmpdir_says_a4(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, temporary: str, unnamed: bool
) -> None:
    monkeypatch.setenv("TMPDIR", temporary)
    seen: set[str] = set()
    with TracedOs(Plan(unnamed=unnamed, before=lambda _number: seen.update(os.listdir(tmp_path)))):
        publish_bytes(tmp_path / "x", [b"new"])
    assert seen - {"x"}
    assert all(is_temporary(os.fsencode(name)) for name in seen - {"x"})
    assert os.listdir(tmp_path) == ["x"]


@ROUTES
def test_calls_come_in_the_order_that_power_loss_needs_a7(tmp_path: Path, unnamed: bool) -> None:
    with TracedOs(Plan(unnamed=unnamed)) as traced:
        publish_bytes(tmp_path / "x", [b"new"])
    owed = [Call.OPEN_DIRECTORY, Call.WRITE, Call.SYNC_FILE, Call.RENAME, Call.SYNC_DIRECTORY]
    assert [call for call, _error in traced.trace if call in owed] == owed
    assert follow(DURABLE_SAVE, traced.trace).published


@ROUTES
def test_a_save_that_need_not_be_durable_skips_both_syncs_and_nothing_else_a7(tmp_path: Path, unnamed: bool) -> None:
    traces = []
    for durable in (True, False):
        with TracedOs(Plan(unnamed=unnamed)) as traced:
            publish_bytes(tmp_path / f"{durable}", [b"new"], durable=durable)
        traces.append([call for call, _error in traced.trace])
    assert [call for call in traces[0] if call not in (Call.SYNC_FILE, Call.SYNC_DIRECTORY)] == traces[1]
    assert follow(
        QUICK_SAVE, [(call, "") for call in traces[1] if call is not Call.CREATE_UNNAMED or unnamed]
    ).published


@pytest.mark.parametrize("which", [Call.SYNC_FILE, Call.SYNC_DIRECTORY])
def test_an_error_of_a_sync_is_raised_a7(tmp_path: Path, which: Call) -> None:
    (tmp_path / "x").write_bytes(b"old")
    with TracedOs() as traced:
        publish_bytes(tmp_path / "y", [b"new"])
    at = [call for call, _error in traced.trace].index(which) + 1  # one more: the mode of an old file is set
    with TracedOs(Plan(fail_at=at)) as traced, pytest.raises(OSError, match="Input/output error") as raised:
        publish_bytes(tmp_path / "x", [b"new"])
    assert traced.trace[at] == (which, "EIO")
    assert (raised.value.errno, raised.value.filename) == (errno.EIO, str(tmp_path / "x"))
    assert (tmp_path / "x").read_bytes() == (b"new" if which is Call.SYNC_DIRECTORY else b"old")


def test_a_mapping_of_the_old_file_keeps_its_bytes_a8(tmp_path: Path) -> None:
    old = os.urandom(3 * mmap.PAGESIZE)
    (tmp_path / "x").write_bytes(old)
    with open(tmp_path / "x", "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapping:
        publish_bytes(tmp_path / "x", [b"short"])
        assert mapping[:] == old
        publish_bytes(tmp_path / "copy", [memoryview(mapping)])  # released by the save
    assert (tmp_path / "copy").read_bytes() == old
    assert (tmp_path / "x").read_bytes() == b"short"


def test_a_file_saved_over_itself_from_its_own_mapping_stays_equal_a8(tmp_path: Path) -> None:
    old = os.urandom(3 * mmap.PAGESIZE + 5)
    (tmp_path / "x").write_bytes(old)
    with open(tmp_path / "x", "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapping:
        publish_bytes(tmp_path / "x", [memoryview(mapping)])
        assert mapping[:] == old
    assert (tmp_path / "x").read_bytes() == old


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="only /proc lists descriptors and mappings")
@ROUTES
def test_no_descriptor_and_no_mapping_outlives_a_save_a9(tmp_path: Path, unnamed: bool) -> None:
    with TracedOs(Plan(unnamed=unnamed)) as traced:
        publish_bytes(tmp_path / "x", [b"old"])
    before = sorted(os.listdir("/proc/self/fd"))
    for at in (None, *range(len(traced.trace))):
        with TracedOs(Plan(at, unnamed=unnamed)), suppress(OSError):
            publish_bytes(tmp_path / "x", [b"new"])
        assert sorted(os.listdir("/proc/self/fd")) == before
    assert str(tmp_path) not in Path("/proc/self/maps").read_text()


def test_closing_the_outer_folder_of_a_link_may_fail_without_a_leak_a9(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    (tmp_path / "x").symlink_to("store/y")
    before = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else []
    with TracedOs(Plan(fail_at=2)) as traced, pytest.raises(OSError, match="Input/output error"):
        publish_bytes(tmp_path / "x", [b"new"])
    assert traced.trace[2] == (Call.CLOSE_DIRECTORY, "EIO")
    assert follow(DURABLE_SAVE, traced.trace).owed == ()
    assert len(before) == (len(os.listdir("/proc/self/fd")) if before else 0)
    assert os.listdir(tmp_path / "store") == []


def test_orphans_of_killed_saves_are_recognised_and_block_nothing_a12(tmp_path: Path) -> None:
    code = """
        import signal
        if sys.argv[2] == "named": del os.O_TMPFILE
        os.replace = lambda *_names, **_where: os.kill(os.getpid(), signal.SIGKILL)
        publish_bytes(sys.argv[1], [b"half"])
        """
    children = [start_child(code, str(tmp_path / "x"), route) for route in ("named", "unnamed") * 5]
    assert [child.wait(60) for child in children] == [-9] * 10
    for child in children:
        child.communicate()
    orphans = set(os.listdir(tmp_path))
    assert len(orphans) == 10
    assert all(is_temporary(os.fsencode(name)) for name in orphans)
    publish_bytes(tmp_path / "x", [b"new"])
    assert (tmp_path / "x").read_bytes() == b"new"
    assert set(os.listdir(tmp_path)) == orphans | {"x"}


@ROUTES
def test_a_temporary_name_that_somebody_has_is_passed_over_a12(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unnamed: bool
) -> None:
    taken = f".x.{'11' * 8}.bitproof-tmp"
    (tmp_path / taken).write_bytes(b"somebody's")
    tokens = iter([b"\x11" * 8] * 3 + [b"\x22" * 8])
    monkeypatch.setattr(os, "urandom", lambda size: next(tokens))
    with TracedOs(Plan(unnamed=unnamed)) as traced:
        publish_bytes(tmp_path / "x", [b"new"])
    assert [error for _call, error in traced.trace].count("EEXIST") == 3
    assert follow(DURABLE_SAVE, traced.trace).published
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {taken: b"somebody's", "x": b"new"}


@ROUTES
def test_when_every_temporary_name_is_taken_the_save_gives_up_a12(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unnamed: bool
) -> None:
    taken = f".x.{'11' * 8}.bitproof-tmp"
    (tmp_path / taken).write_bytes(b"somebody's")
    monkeypatch.setattr(os, "urandom", lambda size: b"\x11" * size)
    with TracedOs(Plan(unnamed=unnamed)), pytest.raises(FileExistsError) as raised:
        publish_bytes(tmp_path / "x", [b"new"])
    assert raised.value.filename == str(tmp_path / "x")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {taken: b"somebody's"}


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="no unnamed files here")
def test_without_proc_an_unnamed_file_is_given_up_for_a_named_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.path.exists
    monkeypatch.setattr(os.path, "exists", lambda path: not bytes(path).startswith(b"/proc/") and real(path))
    with TracedOs() as traced:
        publish_bytes(tmp_path / "x", [b"new"])
    calls = [call for call, _error in traced.trace]
    assert calls[1:4] == [Call.CREATE_UNNAMED, Call.CLOSE_FILE, Call.CREATE_NAMED]
    assert follow(DURABLE_SAVE, traced.trace).published
    assert os.listdir(tmp_path) == ["x"]


def test_without_calls_relative_to_a_directory_paths_are_joined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way of Windows, as far as another system can show it."""
    monkeypatch.setattr("bitproof.destination._RELATIVE", False)
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    (tmp_path / "store").mkdir()
    (tmp_path / "x").symlink_to("store/y")
    publish_bytes(tmp_path / "x", [b"new"])
    publish_bytes(tmp_path / "store" / "y", [b"newer"])
    assert (tmp_path / "x").read_bytes() == b"newer"
    assert os.listdir(tmp_path / "store") == ["y"]
    for missing in ("none/x", "x/y"):
        with pytest.raises(OSError, match=r"No such file|Not a directory"):
            publish_bytes(tmp_path / missing, [b"new"])


@pytest.mark.parametrize("unnamed", ["unnamed", "named"])
@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_twenty_savers_of_twenty_saves_leave_one_whole_file(tmp_path: Path, unnamed: str, kind: str) -> None:
    """A reader sees whole files only, all the while; nothing else is left. The syncs are tried in `make faults`."""
    seen = in_child(
        "from tests.core.many_savers import main; main(*sys.argv[1:])", str(tmp_path / "x"), unnamed, kind, "quick"
    )
    assert int(seen) >= 1
    assert os.listdir(tmp_path) == ["x"]
