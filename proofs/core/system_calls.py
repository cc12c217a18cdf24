"""Saves seen from outside: a process under strace, its system calls on one directory read as the protocol's calls."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from bitproof_spec.publication import Call

ROOT = Path(__file__).parent.parent.parent
_TRACED = "openat,pwrite64,fstat,newfstatat,fchmod,fsync,linkat,close,renameat,renameat2,unlinkat"
_LINE = re.compile(r"^(?:\d+ +)?(?P<name>\w+)\((?P<arguments>.*)\) += (?P<result>-?\d+|\?)(?P<error> E[A-Z0-9]+)?")
_SUBJECT = re.compile(r"^(?:AT_FDCWD|\d+)<(?P<path>.*?)>")

# A call on our file, on our directory, or by a name in it; the others are read with their flags.
_ON_FILE = {
    "pwrite64": Call.WRITE,
    "fstat": Call.CHECK_SIZE,
    "newfstatat": Call.CHECK_SIZE,
    "fchmod": Call.SET_MODE,
    "fsync": Call.SYNC_FILE,
    "close": Call.CLOSE_FILE,
}
_ON_DIRECTORY = {
    "fsync": Call.SYNC_DIRECTORY,
    "close": Call.CLOSE_DIRECTORY,
    "linkat": Call.LINK,
    "renameat": Call.RENAME,
    "renameat2": Call.RENAME,
    "unlinkat": Call.UNLINK,
}

SAVE = """
import os, sys
path, durable, unnamed = sys.argv[1], sys.argv[2] == "durable", sys.argv[3] == "unnamed"
if not unnamed:
    del os.O_TMPFILE
from bitproof import files
exec(sys.argv[4])
try:
    files.publish_bytes(path, [b"new"], durable=durable)
except OSError as error:
    sys.exit(f"{type(error).__name__} {error.errno}")
"""


class Seen(NamedTuple):
    """One system call that is a call of the protocol: its error or "", and its number among all of its name, from 1."""

    call: Call
    error: str
    system_call: str
    number: int


class Run(NamedTuple):
    """A traced save: its exit code (negative: the signal that ended it), what it printed, and its calls."""

    code: int
    stderr: str
    calls: list[Seen]

    @property
    def trace(self) -> list[tuple[Call, str]]:
        """The calls as the protocol's machine follows them."""
        return [(seen.call, seen.error) for seen in self.calls]


@cache
def why_not() -> str:
    """Why this machine can't trace, "" when it can."""
    if shutil.which("strace") is None:
        return "strace is not installed"
    tried = subprocess.run(["strace", "-qq", "-o", os.devnull, "true"], capture_output=True, text=True, check=False)
    return f"ptrace is refused: {tried.stderr.strip()}" if tried.returncode else ""


def traced_save(path: Path, *, durable: bool, unnamed: bool, inject: Sequence[str] = (), change: str = "") -> Run:
    """One save of b"new" in a process of its own.

    `inject` are strace's fault injections, as after `-e inject=`; `change` is code that runs first, with the module
    `files` and the flag `durable` at hand.
    """
    directory = os.path.realpath(path.parent)
    with tempfile.NamedTemporaryFile("r", errors="surrogateescape") as log:
        faults = [part for fault in inject for part in ("-e", f"inject={fault}")]
        command = ["strace", "-f", "-qq", "-y", "-o", log.name, "-e", f"trace={_TRACED}", *faults, sys.executable]
        mode = ["durable" if durable else "quick", "unnamed" if unnamed else "named"]
        environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'impl'}{os.pathsep}{ROOT / 'spec'}"}
        ran = subprocess.run(
            [*command, "-c", SAVE, os.path.join(directory, path.name), *mode, change],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
        )
        return Run(ran.returncode, ran.stderr, list(read_trace(log, directory)))


def read_trace(lines: Iterable[str], directory: str) -> Iterator[Seen]:
    """The protocol's calls among strace's lines (`-y`), which are those on `directory`; the rest is passed over."""
    numbers: Counter[str] = Counter()
    for line in lines:
        found = _LINE.match(line)
        if found is None:
            continue
        name = found["name"]
        numbers[name] += 1
        call = _call(name, found["arguments"], directory)
        if call is not None:
            yield Seen(call, (found["error"] or "").strip(), name, numbers[name])


def _call(name: str, arguments: str, directory: str) -> Call | None:
    subject = _SUBJECT.match(arguments)
    path = subject["path"] if subject else ""
    if name == "openat":
        return _open_call(arguments, path, directory)
    if path == directory:
        return _ON_DIRECTORY.get(name)
    return _ON_FILE.get(name) if path.startswith(f"{directory}/") else None


def _open_call(arguments: str, within: str, directory: str) -> Call | None:
    if within == directory and "O_TMPFILE" in arguments:
        return Call.CREATE_UNNAMED
    if within == directory and "O_EXCL" in arguments:
        return Call.CREATE_NAMED
    return Call.OPEN_DIRECTORY if f'"{directory}"' in arguments and "O_DIRECTORY" in arguments else None
