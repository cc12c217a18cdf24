"""Real saves as paths of the model: each call failing in turn, the directory looked at before every call."""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import NamedTuple, TypeAlias
from unittest.mock import patch

from bitproof import files
from bitproof.output_file import OutputFile
from bitproof_spec.publication import DURABLE_SAVE, QUICK_SAVE, Protocol, is_temporary
from bitproof_spec.publication_machine import OutOfOrder, Save, advance, follow
from proofs.core.traced_os import Plan, TracedOs
from proofs.law import Result

OLD, NEW = b"old bytes", b"new"
LARGEST_WRITE = 2  # so that every save continues short writes

Publisher: TypeAlias = Callable[[Path, bool], None]


class Setting(NamedTuple):
    """How a save is made: on a file system with unnamed files, over an old file, durably."""

    unnamed: bool
    old: bool
    durable: bool

    @property
    def protocol(self) -> Protocol:
        """The tables that such a save walks."""
        return DURABLE_SAVE if self.durable else QUICK_SAVE


SETTINGS = tuple(Setting(*flags) for flags in product((True, False), repeat=3))


def real(path: Path, durable: bool) -> None:
    """The publication itself."""
    files.publish_bytes(path, [NEW], durable=durable)


def held_against_the_model(publisher: Publisher) -> Result:
    """Each setting without a failure, then with each call failing: the trace, the directory, and what is raised."""
    runs = 0
    for setting in SETTINGS:
        calls = 1
        at: int | None = None
        while at is None or at < calls:
            try:
                trace = _run(publisher, setting, at)
            except OutOfOrder as error:
                return Result("refuted", runs, f"{setting}, call {at} failing: {error}")
            calls = len(trace.trace) if at is None else calls
            at = 0 if at is None else at + 1
            runs += 1
    return Result("exhausted", runs, f"{len(SETTINGS)} settings, every call of each failing in turn")


def _run(publisher: Publisher, setting: Setting, fail_at: int | None) -> TracedOs:
    """One save, held against the model. OutOfOrder when it isn't a path, or the directory isn't what the model owes."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "name")
        if setting.old:
            path.write_bytes(OLD)

        def look(_number: int) -> None:
            owe_directory(path, setting.old, _so_far(setting.protocol, traced))

        traced = TracedOs(Plan(fail_at, errno.EIO, setting.unnamed, LARGEST_WRITE, look))
        raised = False
        with traced:
            try:
                publisher(path, setting.durable)
            except OSError:
                raised = True
        save = follow(setting.protocol, traced.trace)
        owe_directory(path, setting.old, save)
        if raised != (save.owed is not None) or (fail_at is None and raised):
            raise OutOfOrder(f"raised: {raised}, at the end of {save}")
    return traced


def _so_far(protocol: Protocol, traced: TracedOs) -> Save:
    save = Save()
    for call, error in traced.trace:
        save = advance(protocol, save, call, error)
    return save


def owe_directory(path: Path, old: bool, save: Save) -> None:
    """The path holds old or new bytes whole, and one temporary is there, as the model says. OutOfOrder otherwise."""
    contents = path.read_bytes() if path.exists() else None
    owed = NEW if save.published else OLD if old else None
    if contents != owed:
        raise OutOfOrder(f"{contents!r} under the path in {save}, owed {owed!r}")
    others = [name for name in os.listdir(os.fsencode(path.parent)) if name != os.fsencode(path.name)]
    if len(others) != save.holding or not all(map(is_temporary, others)):
        raise OutOfOrder(f"{others} beside the path in {save}")


def _patched(owner: object, name: str, stand_in: object) -> Publisher:
    """The publication with one of its functions replaced."""

    def publisher(path: Path, durable: bool) -> None:
        with patch.object(owner, name, stand_in):
            real(path, durable)

    return publisher


def _write_in_place(path: Path, _durable: bool) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.write(descriptor, NEW)
    os.close(descriptor)


def _one_write(output: OutputFile, offset: int, view: memoryview) -> None:
    os.pwrite(output._descriptor, view, offset)


def _keep_temporary(save: files._Save) -> None:
    save._temporary = None
    _DISCARD(save)


def _raise_nothing(save: files._Save, durable: bool) -> None:
    with contextlib.suppress(OSError):
        _END(save, durable)


_DISCARD, _END = files._Save.discard, files._Save.end

TRACE_TWINS: dict[str, Publisher] = {
    "the destination is written in place": _write_in_place,
    "nothing is synced": _patched(files, "_sync", lambda _descriptor: None),
    "the directory is never synced": _patched(files._Save, "end", lambda save, _durable: save._directory.close()),
    "a short write is not continued": _patched(OutputFile, "_put_all", _one_write),
    "the size is not checked": _patched(
        os, "fstat", lambda _descriptor: os.stat_result((0,) * 6 + (len(NEW), 0, 0, 0))
    ),
    "a failed save leaves its temporary": _patched(files._Save, "discard", _keep_temporary),
    "an error of the directory's sync is swallowed": _patched(files._Save, "end", _raise_nothing),
}
