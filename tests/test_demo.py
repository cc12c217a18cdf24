"""`make demo`, as a newcomer runs it: every step ends as it says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sklearn", reason="needs the extra `demo`")


def test_the_demo_trains_saves_resumes_and_catches_the_damaged_bit(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "bitproof.demo"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "hold the same KNN 1.0, bitproof profile document, bit for bit" in done.stdout
    assert "error KNN-BLK-01" in done.stdout
    accuracy = float(done.stdout.partition("others: ")[2].partition("%")[0])
    assert accuracy >= 95
