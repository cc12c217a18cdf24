"""`docs/torchlean.md`: its programs run as they stand there and do what the page says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.typing.mypy_run import run_mypy

PAGE = (Path(__file__).parents[2] / "docs" / "torchlean.md").read_text(encoding="utf-8")
PROGRAMS = [piece.split("```")[0] for piece in PAGE.split("```python\n")[1:]]


def run(program: str, folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """A program of the page in an empty folder."""
    (folder / "program.py").write_text(program, encoding="utf-8")
    command = [sys.executable, *options, "program.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_worked_example_resumes_and_says_equal(tmp_path: Path) -> None:
    done = run(PROGRAMS[0], tmp_path, "-W", "error")
    assert (done.returncode, done.stdout, done.stderr) == (0, "equal\n", "")
    assert {path.name for path in tmp_path.iterdir()} == {"program.py", "model.tlsf32b", "model.tladamf"}


def test_the_state_of_the_second_example_comes_back_and_is_not_cast(tmp_path: Path) -> None:
    done = run(PROGRAMS[1], tmp_path)
    assert done.returncode == 1
    error = done.stderr.strip().splitlines()
    assert any(line.startswith("bitproof.torchlean.errors.StateError: state.json refused:") for line in error)
    assert error[-1].strip().startswith("LAY-TAG-01 at /format: found torchlean_state_binary_4_3_7_finite-max-nan_v1")


def test_the_programs_of_the_page_pass_the_type_checker(tmp_path: Path) -> None:
    paths = [tmp_path / f"program_{index}.py" for index in range(len(PROGRAMS))]
    for path, program in zip(paths, PROGRAMS, strict=True):
        path.write_text(program, encoding="utf-8")
    assert run_mypy(paths) == []
