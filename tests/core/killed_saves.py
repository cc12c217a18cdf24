"""Saves killed before each of their calls in turn, in forks of one process; it prints how many, or what was wrong."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from pathlib import Path

from bitproof.files import publish_bytes
from bitproof_spec.publication import is_temporary
from proofs.core.publication_traces import LARGEST_WRITE, NEW, OLD, SETTINGS, Setting
from proofs.core.traced_os import Plan, TracedOs


def _killed(path: Path, setting: Setting, at: int) -> bool:
    """Save in a fork that is killed before call `at`; false when the save was over before."""

    def kill(number: int) -> None:
        if number == at:
            os.kill(os.getpid(), signal.SIGKILL)

    child = os.fork()
    if not child:
        with TracedOs(Plan(unnamed=setting.unnamed, largest_write=LARGEST_WRITE, before=kill)):
            publish_bytes(path, [NEW], durable=setting.durable)
        os._exit(0)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if ended not in (0, -signal.SIGKILL):
        sys.exit(f"{setting}, call {at}: ended with {ended}")
    return ended != 0


def _owe(path: Path, setting: Setting, at: int) -> None:
    contents = path.read_bytes() if path.exists() else None
    others = [name for name in os.listdir(os.fsencode(path.parent)) if name != os.fsencode(path.name)]
    if contents not in (NEW, OLD if setting.old else None):
        sys.exit(f"{setting}, call {at}: {contents!r}")
    if len(others) > 1 or not all(map(is_temporary, others)):
        sys.exit(f"{setting}, call {at}: {others}")
    if setting.unnamed and others and path.with_name(os.fsdecode(others[0])).read_bytes() != NEW:
        sys.exit(f"{setting}, call {at}: a name before the file was complete")
    publish_bytes(path, [b"and again"], durable=False)
    if path.read_bytes() != b"and again" or set(others) - set(os.listdir(os.fsencode(path.parent))):
        sys.exit(f"{setting}, call {at}: the next save")


def main() -> None:
    """Kill at every call of every setting."""
    killed = 0
    for setting in SETTINGS:
        at = 0
        while True:
            with tempfile.TemporaryDirectory() as directory:
                path = Path(directory, "name")
                if setting.old:
                    path.write_bytes(OLD)
                going_on = _killed(path, setting, at)
                _owe(path, setting, at)
            if not going_on:
                break
            at += 1
        killed += at
    print(killed)


if __name__ == "__main__":
    main()
