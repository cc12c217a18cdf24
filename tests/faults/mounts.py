"""File systems of the tests' own, where the machine allows it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def _run(*command: str | Path) -> None:
    """Run a command of the system; skip the test, with what it said, when it is refused."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount")
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        pytest.skip(f"{command[0]} is refused here: {ran.stderr.strip()}")


@contextmanager
def mounted(source: str | Path, at: Path, kind: str, options: str) -> Iterator[Path]:
    """A file system mounted while the context lasts."""
    at.mkdir(exist_ok=True)
    _run("mount", "-t", kind, "-o", options, source, at)
    try:
        yield at
    finally:
        subprocess.run(["umount", at], check=True)


def ext4_image(image: Path) -> None:
    """A file of 8 MiB that holds an empty ext4 with a journal."""
    with open(image, "wb") as file:
        file.truncate(8 << 20)
    _run("mkfs.ext4", "-q", "-F", "-b", "1024", image)
