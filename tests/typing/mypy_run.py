"""Running mypy --strict as the project is configured, and what it says as data."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]

_LINE = re.compile(r"(?P<path>.+?):(?P<line>\d+): error: (?P<text>.*?)  \[(?P<code>[a-z-]+)\]")


class Said(NamedTuple):
    """One error of mypy."""

    path: Path
    line: int
    code: str
    text: str


def run_mypy(paths: Sequence[Path]) -> list[Said]:
    """The errors of one run over these files; AssertionError when mypy could not do its work."""
    options = ["--strict", "--no-pretty", "--no-color-output", "--no-error-summary", "--show-absolute-path"]
    command = [sys.executable, "-m", "mypy", *options, *map(str, paths)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    found = [_LINE.fullmatch(line) for line in done.stdout.splitlines() if ": note: " not in line]
    assert done.returncode in (0, 1), done.stdout + done.stderr
    assert not done.stderr, done.stderr
    assert all(found), done.stdout
    return [Said(Path(m["path"]), int(m["line"]), m["code"], m["text"]) for m in found if m]
