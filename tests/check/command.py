"""Running `bitproof` as a person does: in a process of its own, into a pipe or on a terminal of some width."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import IO, NamedTuple

from bitproof.cli import run

ROOT = Path(__file__).parent.parent.parent
SOURCES = os.pathsep.join((str(ROOT / "impl"), str(ROOT / "spec")))
START = "import sys; from bitproof.cli import main; sys.exit(main())"


class Ran(NamedTuple):
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str


def bitproof(
    *arguments: str | bytes,
    cwd: Path | None = None,
    stdin: bytes | IO[bytes] = b"",
    python: str = sys.executable,
    before: str = "",
    **environment: str,
) -> Ran:
    """Run the command line into pipes; `before` is code that the process runs first."""
    child = subprocess.Popen(
        [python, "-c", before + START, *arguments],
        stdin=subprocess.PIPE if isinstance(stdin, bytes) else stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env=_environment(environment),
    )
    out, err = child.communicate(stdin if isinstance(stdin, bytes) else None, timeout=300)
    return Ran(child.returncode, out.decode("utf-8", "surrogateescape"), err.decode("utf-8", "surrogateescape"))


def in_process(*arguments: str) -> Ran:
    """Run the command line here, its outputs caught as if they were pipes; much faster than a process."""
    with redirect_stdout(TextIOWrapper(BytesIO(), "utf-8")) as out, redirect_stderr(TextIOWrapper(BytesIO())) as err:
        try:
            code = run(arguments)
        except SystemExit as end:  # as argparse ends after help and misuse
            code = end.code if isinstance(end.code, int) else 1
    return Ran(code, _caught(out), _caught(err))


def _caught(stream: TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()


def on_terminal(*arguments: str, cwd: Path, columns: int, before: str = "", **environment: str) -> Ran:
    """Run the command line on a terminal; both of its outputs come as one."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    given = _environment({"TERM": "xterm", **environment})
    command = [sys.executable, "-c", before + START, *arguments]
    child = subprocess.Popen(command, stdout=theirs, stderr=theirs, cwd=cwd, env=given)
    os.close(theirs)
    chunks = []
    while chunk := _read(ours):
        chunks.append(chunk)
    os.close(ours)
    return Ran(child.wait(300), b"".join(chunks).decode().replace("\r\n", "\n"), "")


def _read(descriptor: int) -> bytes:
    """What the terminal shows next; nothing when the other end is closed, which Linux reports as an error."""
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:
        return b""


def _environment(given: dict[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")}
    return {**kept, "PYTHONPATH": SOURCES, "PYTHONDONTWRITEBYTECODE": "", "LC_ALL": "C.UTF-8", **given}
