"""Each promise of the types: programs that mypy must refuse where and how they say, and twins that it must accept.

A promise is a pair of files in `programs`: `refused_<promise>.py` and `accepted_<promise>.py`; there is nothing else
to register.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.typing.expectations import Expected, expectations, mismatches
from tests.typing.mypy_run import Said, run_mypy

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))
PROMISES = {
    "torchlean_composition",
    "torchlean_state",
    "scalar",
    "shape",
    "arity",
    "order",
    "precision",
    "casting_load",
    "composition",
    "systems",
}


@pytest.fixture(scope="module")
def said() -> list[Said]:
    """What one run of mypy says about all programs."""
    return run_mypy(PROGRAMS)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_mypy_says_of_a_program_exactly_what_it_owes(program: Path, said: list[Said]) -> None:
    here = [error for error in said if error.path == program]
    assert mismatches(list(expectations(program)), here) == []


def test_each_promise_has_a_program_that_is_refused_and_a_twin_that_is_accepted() -> None:
    refused = {path.stem.removeprefix("refused_") for path in PROGRAMS if path.stem.startswith("refused_")}
    accepted = {path.stem.removeprefix("accepted_") for path in PROGRAMS if path.stem.startswith("accepted_")}
    assert refused == accepted
    assert refused >= PROMISES
    assert len(refused) + len(accepted) == len(PROGRAMS)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_refused_programs_owe_errors_and_accepted_ones_none(program: Path) -> None:
    assert any(expectations(program)) == program.stem.startswith("refused_")


HERE = Path("program.py")
OWED = Expected(HERE, 3, "arg-type", 'expected "Binary32"')
RIGHT = Said(HERE, 3, "arg-type", 'Argument 1 has type "int"; expected "Binary32"')


@pytest.mark.parametrize(
    ("expected", "errors", "found"),
    [
        ([OWED], [RIGHT], 0),
        ([OWED], [], 1),
        ([], [RIGHT], 1),
        ([OWED, OWED], [RIGHT], 1),
        ([OWED], [RIGHT, RIGHT], 1),
        ([OWED], [RIGHT._replace(line=4)], 2),
        ([OWED], [RIGHT._replace(code="misc")], 2),
        ([OWED], [RIGHT._replace(text="another text")], 2),
    ],
)
def test_errors_and_expectations_are_compared_both_ways(
    expected: list[Expected], errors: list[Said], found: int
) -> None:
    assert len(mismatches(expected, errors)) == found


def test_a_mark_without_a_fragment_is_refused(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("x: int = ''  # E: assignment\n", encoding="utf-8")
    with pytest.raises(ValueError, match="a mark is"):
        list(expectations(program))
