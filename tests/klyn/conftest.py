"""What tests of files share: a record of every file that is opened while a test runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

_RECORDING: list[list[str]] = []


def _record(event: str, arguments: tuple[object, ...]) -> None:
    """An audit hook can't be taken out again, so there is one, which records only while a test asks for it."""
    if event == "open" and _RECORDING and isinstance(arguments[0], str | bytes):
        _RECORDING[-1].append(os.fsdecode(arguments[0]))


sys.addaudithook(_record)


@pytest.fixture
def opened_files(tmp_path: Path) -> Iterator[list[str]]:
    """The paths of all files opened so far in the test."""
    _RECORDING.append([])
    yield _RECORDING[-1]
    _RECORDING.pop()
