"""The specification says the same on every supported Python, and needs nothing but the standard library."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.klyn.verdicts import digest

ROOT = Path(__file__).parent.parent.parent


def interpreter(version: str) -> str | None:
    """A Python of that version, by name on the path or in pyenv's folder."""
    pyenv = Path.home().glob(f".pyenv/versions/{version}.*/bin")
    roots: list[str | Path] = [*os.environ.get("PATH", "").split(os.pathsep), *pyenv]
    found = (Path(root) / f"python{version}" for root in roots)
    return next((str(path) for path in found if path.is_file() and _runs(path, version)), None)


def _runs(path: Path, version: str) -> bool:
    """Whether it is that version: a name on the path may be one that only tells to choose another."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    run = subprocess.run([path, "-c", code], capture_output=True, text=True, check=False)
    return run.returncode == 0 and run.stdout.strip() == version


@pytest.mark.parametrize("version", ["3.12", "3.13"])
def test_every_verdict_on_every_vector_is_the_same_and_needs_no_package(version: str) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"Python {version} is not installed")
    path = os.pathsep.join([str(ROOT / "spec"), str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "1"}
    command = [python, "-s", "-W", "error", "-m", "tests.klyn.verdicts"]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == [digest(), "False", "False"]
