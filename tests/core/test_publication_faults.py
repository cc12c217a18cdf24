"""Each call of a save made to fail, and each save killed, in turn: old or new bytes, whole, and nothing else."""

from __future__ import annotations

import errno
import os
import re
import signal
from pathlib import Path

import pytest

from bitproof.files import OutputFile, publish, publish_bytes
from bitproof_spec.publication import RETRIED, Call
from bitproof_spec.publication_machine import follow
from proofs.core.publication_traces import NEW, OLD, SETTINGS, Setting
from proofs.core.traced_os import Plan, TracedOs
from tests.core.children import in_child, start_child

CODES = [errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EROFS, errno.EXDEV, errno.ESTALE]


def _calls(path: Path, setting: Setting) -> list[Call]:
    with TracedOs(Plan(unnamed=setting.unnamed)) as traced:
        publish_bytes(path, [NEW], durable=setting.durable)
    return [call for call, _error in traced.trace]


def _prepare(path: Path, setting: Setting) -> None:
    path.unlink(missing_ok=True)
    if setting.old:
        path.write_bytes(OLD)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: "-".join(map(str, setting)))
@pytest.mark.parametrize("code", CODES, ids=errno.errorcode.get)
def test_a_save_that_fails_at_any_call_leaves_old_before_the_rename_and_new_after_it_a11(
    tmp_path: Path, setting: Setting, code: int
) -> None:
    path = tmp_path / "x"
    before = {"x": OLD} if setting.old else {}
    _prepare(path, setting)
    calls = _calls(path, setting)
    for at, call in enumerate(calls):
        if call is Call.CREATE_UNNAMED and not setting.unnamed:
            continue  # refused in any case
        _prepare(path, setting)
        with (
            TracedOs(Plan(at, code, setting.unnamed)) as traced,
            pytest.raises(OSError, match=re.escape(str(path))) as raised,
        ):
            publish_bytes(path, [NEW], durable=setting.durable)
        assert (raised.value.errno, raised.value.filename) == (code, str(path))
        assert traced.trace[at] == (call, errno.errorcode[code])
        renamed = at > calls.index(Call.RENAME)
        assert {left.name: left.read_bytes() for left in tmp_path.iterdir()} == ({"x": NEW} if renamed else before)
        publish_bytes(path, [b"a later save works"], durable=setting.durable)
        assert path.read_bytes() == b"a later save works"


@pytest.mark.parametrize("name", sorted(RETRIED[Call.CREATE_UNNAMED]))
def test_a_file_system_without_unnamed_files_gets_a_named_one(tmp_path: Path, name: str) -> None:
    with TracedOs(Plan(1, getattr(errno, name))) as traced:
        publish_bytes(tmp_path / "x", [NEW])
    assert [call for call, _error in traced.trace][1:3] == [Call.CREATE_UNNAMED, Call.CREATE_NAMED]
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"x": NEW}


@pytest.mark.parametrize("call", [Call.LINK, Call.RENAME])
@pytest.mark.parametrize("code", [errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK], ids=errno.errorcode.get)
def test_a_file_system_without_link_or_rename_is_an_error_and_nothing_is_written_in_place(
    tmp_path: Path, call: Call, code: int
) -> None:
    calls = _calls(tmp_path / "x", Setting(True, False, True))
    (tmp_path / "x").unlink()
    (tmp_path / "x").symlink_to("y")
    with TracedOs(Plan(calls.index(call), code)), pytest.raises(OSError, match=re.escape(str(tmp_path))) as raised:
        publish_bytes(tmp_path / "x", [NEW])
    assert raised.value.errno == code
    assert os.listdir(tmp_path) == ["x"]


@pytest.mark.parametrize("named", [False, True], ids=["unnamed", "named"])
def test_a_destination_that_became_a_directory_is_an_error_that_names_it_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: bool
) -> None:
    if named:
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    with pytest.raises(IsADirectoryError) as raised:
        publish(tmp_path / "x", lambda _output: os.mkdir(tmp_path / "x"))
    assert str(raised.value) == f"[Errno 21] Is a directory: '{tmp_path}/x'"
    assert os.listdir(tmp_path) == ["x"]


def test_a_failing_clean_up_does_not_hide_the_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_call: object, **_where: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    def fill(output: OutputFile) -> None:
        monkeypatch.setattr(os, "unlink", refuse)
        raise RuntimeError("the error to raise")

    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    with pytest.raises(RuntimeError, match="the error to raise"):
        publish(tmp_path / "x", fill)
    monkeypatch.undo()
    assert len(os.listdir(tmp_path)) == 1  # which the system didn't let us remove


def test_an_interrupt_at_any_call_leaves_old_or_new_and_nothing_else(tmp_path: Path) -> None:
    """Control-C is delivered between two calls: here ahead of each."""

    class Interrupt(BaseException):
        pass

    for setting in SETTINGS:
        path = tmp_path / "x"
        calls = _calls(path, setting)
        for at in range(len(calls)):
            pending = {at}

            def interrupt(number: int, pending: set[int] = pending) -> None:
                if number in pending:
                    pending.clear()
                    raise Interrupt

            path.write_bytes(OLD)
            with TracedOs(Plan(unnamed=setting.unnamed, before=interrupt)), pytest.raises(Interrupt):
                publish_bytes(path, [NEW], durable=setting.durable)
            assert path.read_bytes() in (OLD, NEW)
            assert os.listdir(tmp_path) == ["x"]
        path.unlink()


def test_a_save_killed_before_any_call_leaves_old_or_new_and_at_most_one_temporary_a1() -> None:
    killed = int(in_child("from tests.core.killed_saves import main; main()"))
    assert killed >= 8 * 8


def test_a_save_killed_while_it_is_filled_leaves_the_old_file_a1(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(OLD)
    code = """
        def fill(output):
            while True:
                output.write(bytes(100_000)); output.write_at(0, b"x"); print("written", flush=True)
        if sys.argv[2] == "named": del os.O_TMPFILE
        publish(sys.argv[1], fill)
        """
    for route, left in (("unnamed", 1), ("named", 2)):
        child = start_child(code, str(tmp_path / "x"), route)
        assert child.stdout is not None
        assert child.stdout.readline() == "written\n"
        child.kill()
        child.communicate()
        assert child.returncode == -signal.SIGKILL
        assert (tmp_path / "x").read_bytes() == OLD
        assert len(os.listdir(tmp_path)) == left


@pytest.mark.parametrize("unnamed", ["unnamed", "named"])
def test_a_limit_on_file_size_is_an_error_and_a_later_save_works_a11(tmp_path: Path, unnamed: str) -> None:
    (tmp_path / "x").write_bytes(OLD)
    printed = in_child(
        """
        import resource, signal
        if sys.argv[2] == "named": del os.O_TMPFILE
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
        try: publish_bytes(sys.argv[1], [bytes(70_000), bytes(70_000)])
        except OSError as error: print(error)
        print(os.listdir(os.path.dirname(sys.argv[1])), open(sys.argv[1], "rb").read())
        publish_bytes(sys.argv[1], [b"fits"])
        """,
        str(tmp_path / "x"),
        unnamed,
    )
    assert printed == f"[Errno 27] File too large: '{tmp_path}/x'\n['x'] {OLD!r}\n"
    assert (tmp_path / "x").read_bytes() == b"fits"
    assert os.listdir(tmp_path) == ["x"]


def test_every_failing_save_through_a_link_is_a_path_of_the_model(tmp_path: Path) -> None:
    """As the law does it for its settings, which have no link to another directory."""
    (tmp_path / "store").mkdir()
    (tmp_path / "x").symlink_to("store/y")
    calls = _calls(tmp_path / "x", SETTINGS[0])
    assert calls[:3] == [Call.OPEN_DIRECTORY, Call.OPEN_DIRECTORY, Call.CLOSE_DIRECTORY]
    for at in range(len(calls)):
        with TracedOs(Plan(at)) as traced, pytest.raises(OSError, match="Input/output error"):
            publish_bytes(tmp_path / "x", [NEW])
        assert follow(SETTINGS[0].protocol, traced.trace).owed == ()
        assert os.listdir(tmp_path / "store") == ["y"]
