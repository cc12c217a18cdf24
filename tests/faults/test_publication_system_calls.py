"""Real saves under strace: each system call refused or the process killed at it, on both routes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bitproof_spec.publication import Call, is_temporary
from bitproof_spec.publication_machine import follow
from proofs.core.publication_traces import NEW, OLD, SETTINGS, Setting
from proofs.core.system_calls import Run, Seen, traced_save, why_not

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not() or "strace runs")

QUICK = Setting(unnamed=True, old=True, durable=True)
EVERY_SETTING = pytest.mark.parametrize(
    "setting",
    [pytest.param(setting, marks=() if setting == QUICK else pytest.mark.slow) for setting in SETTINGS],
    ids=lambda setting: "-".join(f"{name}={flag}" for name, flag in setting._asdict().items()),
)


def _save(path: Path, setting: Setting, inject: tuple[str, ...] = ()) -> Run:
    path.unlink(missing_ok=True)
    if setting.old:
        path.write_bytes(OLD)
    return traced_save(path, durable=setting.durable, unnamed=setting.unnamed, inject=inject)


def _injected(path: Path, setting: Setting, calls: list[Seen], at: int, what: str) -> Run:
    """A save with a fault at its call number `at`. Python's own calls before it may change in number: count again."""
    for _ in range(5):
        owed = calls[at]
        run = _save(path, setting, (f"{owed.system_call}:{what}:when={owed.number}",))
        if _hit(run, at, owed, what):
            return run
        calls = _save(path, setting).calls
    raise AssertionError(f"{calls[at]} could not be hit")


def _hit(run: Run, at: int, owed: Seen, what: str) -> bool:
    """Whether the fault came at its call: that call failed, or it is the last that the killed process made."""
    if len(run.calls) <= at or run.calls[at].call is not owed.call:
        return False
    killed = run.code == -9 and len(run.calls) == at + 1
    return killed if what.startswith("signal") else what == f"error={run.calls[at].error}"


def _beside(path: Path) -> list[bytes]:
    return [name for name in os.listdir(os.fsencode(path.parent)) if name != os.fsencode(path.name)]


def _contents(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


@EVERY_SETTING
def test_a_save_is_a_path_of_the_model(tmp_path: Path, setting: Setting) -> None:
    run = _save(tmp_path / "x", setting)
    assert (run.code, run.stderr) == (0, "")
    assert follow(setting.protocol, run.trace).owed is None
    assert (Call.CREATE_UNNAMED in dict(run.trace)) == setting.unnamed
    assert (_contents(tmp_path / "x"), _beside(tmp_path / "x")) == (NEW, [])


@EVERY_SETTING
def test_a_system_call_that_fails_leaves_old_before_the_rename_and_new_after_it_a11(
    tmp_path: Path, setting: Setting
) -> None:
    path = tmp_path / "x"
    calls = _save(path, setting).calls
    renames = [seen.call for seen in calls].index(Call.RENAME)
    for at, (call, *_) in enumerate(calls):
        code = "ENOSPC" if call in (Call.WRITE, Call.SYNC_FILE, Call.CLOSE_FILE) else "EIO"
        run = _injected(path, setting, calls, at, f"error={code}")
        save = follow(setting.protocol, run.trace)
        assert run.stderr.startswith("OSError ")
        assert save.owed == ()
        assert save.published == (at > renames)
        assert _contents(path) == (NEW if save.published else OLD if setting.old else None)
        assert _beside(path) == []


@EVERY_SETTING
def test_a_save_killed_at_a_system_call_leaves_old_or_new_and_at_most_one_temporary_a1(
    tmp_path: Path, setting: Setting
) -> None:
    path = tmp_path / "x"
    calls = _save(path, setting).calls
    renames = [seen.call for seen in calls].index(Call.RENAME)
    for at, (call, *_) in enumerate(calls):
        _injected(path, setting, calls, at, "signal=SIGKILL")
        left = _beside(path)
        assert _contents(path) in (NEW, OLD if setting.old else None)
        assert _contents(path) == NEW or at <= renames
        assert len(left) <= 1
        assert all(map(is_temporary, left))
        if setting.unnamed and call not in (Call.LINK, Call.CLOSE_FILE, Call.RENAME):
            assert left == []
        for name in left:
            os.unlink(os.path.join(os.fsencode(tmp_path), name))


@pytest.mark.parametrize("code", ["EOPNOTSUPP", "EISDIR", "EINVAL", "EPERM"])
def test_a_file_system_that_refuses_unnamed_files_gets_a_named_one(tmp_path: Path, code: str) -> None:
    run = _injected(tmp_path / "x", QUICK, _save(tmp_path / "x", QUICK).calls, 1, f"error={code}")
    assert (run.code, run.stderr) == (0, "")
    assert [call for call, _error in run.trace[1:3]] == [Call.CREATE_UNNAMED, Call.CREATE_NAMED]
    assert follow(QUICK.protocol, run.trace).owed is None
    assert (_contents(tmp_path / "x"), _beside(tmp_path / "x")) == (NEW, [])


@pytest.mark.parametrize("fault", ["pwrite64:retval=0", "linkat:error=EXDEV", "renameat:error=EXDEV"])
def test_what_some_systems_answer_is_an_error_and_the_old_file_stays_p1_a4(tmp_path: Path, fault: str) -> None:
    run = _save(tmp_path / "x", QUICK, (f"{fault}:when=1",))
    assert run.stderr.startswith("OSError ")
    assert (_contents(tmp_path / "x"), _beside(tmp_path / "x")) == (OLD, [])
