"""What tests of the command line share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.check.files import fill


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files of every kind, the working directory of the test."""
    fill(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path
