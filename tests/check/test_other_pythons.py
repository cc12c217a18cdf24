"""The specification and the checker under the other Pythons that are supported, where installed, and nothing else."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.check.command import Ran, bitproof
from tests.check.files import fill
from tests.klyn.test_interpreters import interpreter


@pytest.fixture(params=["3.12", "3.13"])
def other(request: pytest.FixtureRequest) -> str:
    """A Python of each version, without our virtual environment."""
    found = interpreter(request.param)
    if found is None:
        pytest.skip(f"Python {request.param} isn't installed here")
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Files of every kind."""
    fill(tmp_path)
    return tmp_path


def isolated(python: str, *arguments: str, cwd: Path) -> Ran:
    """Run the command line of another Python without any third-party package."""
    before = "import sys; sys.path[:] = [p for p in sys.path if not p.endswith('site-packages')]; "
    return bitproof(*arguments, python=python, cwd=cwd, before=before)


def test_every_python_gives_the_report_of_this_one(other: str, folder: Path) -> None:
    names = sorted(os.listdir(folder))
    for form in ("json", "text"):
        line = ("check", "--format", form, *names)
        here, there = isolated(sys.executable, *line, cwd=folder), isolated(other, *line, cwd=folder)
        assert there == here
        assert here.code == 1


@pytest.mark.parametrize(
    "line", ["inspect --json half-adam.knn", "map half-adam.knn", "diff half-adam.knn inference.knn", "explain KNN-TXT"]
)
def test_every_python_shows_maps_compares_and_explains_alike(other: str, folder: Path, line: str) -> None:
    here, there = (isolated(each, *line.split(), cwd=folder) for each in (sys.executable, other))
    assert there == here


def test_every_python_reads_and_writes_without_numpy(other: str, folder: Path) -> None:
    code = """
import sys
sys.path[:] = [p for p in sys.path if not p.endswith("site-packages")]
from bitproof import klyn
klyn.write("copy", klyn.read("half-adam.knn"))
sys.exit()
"""
    assert bitproof(python=other, cwd=folder, before=code) == (0, "", "")
    assert (folder / "copy").read_bytes() == (folder / "half-adam.knn").read_bytes()
