"""Process start: processor time of a whole `bitproof check` of a small file, against a Python that does nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.measuring import Measured, best, cpu, milliseconds
from tests.klyn.small_files import DATA, SMALL_FILES

MOST = 6.0
ROUNDS = 25
COMMAND = Path(sys.executable).with_name("bitproof")


def start_up() -> Iterator[Measured]:
    """A file that conforms and one that doesn't; for the second the texts of the rules are imported too."""
    with TemporaryDirectory() as folder:
        bad = Path(folder) / "bad.knn"
        bad.write_bytes(SMALL_FILES["half-adam"][:-1])
        good = str(DATA / "half-adam.knn")
        times = best(
            {
                "bare": lambda: _run(sys.executable, "-c", "pass"),
                "conforming": lambda: _run(str(COMMAND), "check", good),
                "refused": lambda: _run(str(COMMAND), "check", str(bad)),
            },
            ROUNDS,
            cpu,
        )
    bare = times.pop("bare")
    for name, seconds in times.items():
        bound = MOST if name == "conforming" else None
        yield Measured(
            f"start of a check, {name}", seconds / bare, bound, milliseconds(check=seconds, bare_Python=bare)
        )


def _run(*command: str) -> None:
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
