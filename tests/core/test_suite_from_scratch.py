"""The page that shows how to register an instance: its example runs as it stands, and fails as it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.core.instances.cases import CASES, RUN
from tests.typing.mypy_run import run_mypy

PAGE = (Path(__file__).parents[2] / "docs" / "register-an-instance.md").read_text(encoding="utf-8")


def _fenced(language: str) -> str:
    """The page's one block of that language."""
    (block,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return str(block)


def _pytest(folder: Path, program: str) -> subprocess.CompletedProcess[str]:
    """Run the program as a stranger would: alone in a folder, in a process that knows nothing of this one."""
    (folder / "test_walk.py").write_text(program, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHONPATH"))}
    command = [sys.executable, "-W", "error", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_walk.py"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_example_of_the_page_runs_in_an_empty_folder(tmp_path: Path) -> None:
    done = _pytest(tmp_path, _fenced("python"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "12 passed" in done.stdout


def test_the_example_with_the_fault_that_the_page_names_fails_as_the_page_says(tmp_path: Path) -> None:
    program = _fenced("python")
    assert program.count("(0, 4, 8)") == 1
    done = _pytest(tmp_path, program.replace("(0, 4, 8)", "(0, 4, 4)"))
    found = re.findall(r"^E +bitproof_spec\.laws\.LawBroken: (.*)$", done.stdout, re.MULTILINE)
    assert found == _fenced("text").splitlines()


def test_the_example_of_the_page_is_typed_strictly(tmp_path: Path) -> None:
    program = tmp_path / "test_walk.py"
    program.write_text(_fenced("python"), encoding="utf-8")
    assert [error for error in run_mypy([program]) if error.path == program] == []


def test_the_page_lists_every_law_of_the_suite() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \|", PAGE.partition("## The laws")[2], re.MULTILINE)
    assert sorted(rows) == sorted({law.name for case in CASES for law in case.laws()})


def test_as_many_laws_always_run_as_the_page_says() -> None:
    least = replace(RUN, fault_at=None)
    assert not least.format.canonical
    assert len(least.laws()) == 11
    assert "\nEleven always run; `canonical` does where the format claims it" in PAGE


def test_without_pytest_the_suite_says_what_to_install_once_it_is_needed() -> None:
    program = "import sys; sys.modules['pytest'] = None; from bitproof.suite import each_law; each_law()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "this part of bitproof needs pytest: pip install 'bitproof[test]'" in done.stderr


@pytest.mark.parametrize("module", ["suite", "strategies", "case", "case_parts", "properties"])
def test_without_hypothesis_the_suite_says_what_to_install(module: str) -> None:
    program = f"import sys; sys.modules['hypothesis'] = None; import bitproof.{module}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "this part of bitproof needs hypothesis: pip install 'bitproof[suite]'" in done.stderr
