"""The ledger: every law in its quick parts, and a ledger that fails where it must."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from proofs.committed import COMMITTED, MAY_BE_TESTED
from proofs.core.align import LAW as ALIGN
from proofs.core.align import aligned, aligned_always_up
from proofs.crosshair_runner import confirm, read
from proofs.law import Law, Outcome, Part, Result, part, weakest
from proofs.ledger import Printer, Styled, discover, keep
from proofs.rows import discrepancies, failures, run
from proofs.sampling import exhaust, sample
from proofs.solver import prove
from tests.core.beyond_crosshair import multiple_by_mask

ROOT = Path(__file__).parent.parent.parent
LAWS = discover()


@pytest.mark.parametrize("law", LAWS, ids=[law.id for law in LAWS])
def test_a_law_reaches_what_it_owes_in_its_quick_parts_and_its_twins_are_refuted(law: Law) -> None:
    assert [*failures(run(law, quick=True))] == []


def test_the_laws_are_those_of_the_committed_list_and_none_is_only_tested_that_should_be_shown() -> None:
    assert [*discrepancies(LAWS, COMMITTED)] == []
    assert {law.id for law in LAWS if law.committed == "tested"} <= MAY_BE_TESTED


def all_below_100(is_even: Mapping[int, bool]) -> Result:
    return exhaust(lambda number: is_even.get(number, False) == (number % 2 == 0), range(100))


EVEN = {number: number % 2 == 0 for number in range(100)}


def even(*, twin: Mapping[int, bool], owed: Outcome = "exhausted", slow: bool = False) -> Part:
    return part("below 100", "table", owed, all_below_100, EVEN, {"one wrong": twin}, slow=slow)


def law(*parts: Part, committed: Outcome = "exhausted") -> Law:
    return Law("even", "numbers are told even or odd", committed, parts)


GOOD = law(even(twin={**EVEN, 7: True}))


class Kept(Printer):
    def __init__(self) -> None:
        self.lines: list[str] = []

    def line(self, text: str, _style: str) -> None:
        self.lines.append(text)


def ledger(*laws: Law, committed: Mapping[str, Outcome], quick: bool = False) -> tuple[int, list[str]]:
    kept = Kept()
    code = keep(laws, committed, quick=quick, parts=True, out=kept)
    return code, kept.lines


def test_a_ledger_of_laws_that_hold_passes_and_says_what_it_ran() -> None:
    code, lines = ledger(GOOD, committed={"even": "exhausted"})
    assert code == 0
    assert lines[0].split()[:3] == ["even", "exhausted", "100"]
    assert "1 of 1 twins refuted" in lines[1]
    assert lines[-1] == "1 laws, 1 parts, 1 twins refuted; 0 gaps, 0 failures"


def test_a_twin_that_is_not_refuted_fails_the_ledger() -> None:
    code, lines = ledger(law(even(twin=EVEN)), committed={"even": "exhausted"})
    assert code == 1
    assert "FAILED even: below 100: the twin 'one wrong' was not refuted" in lines


def test_a_committed_law_that_is_missing_fails_the_ledger() -> None:
    code, lines = ledger(GOOD, committed={"even": "exhausted", "odd": "proved"})
    assert code == 1
    assert "FAILED odd: committed, and yet no law" in lines


def test_a_law_without_a_committed_outcome_fails_the_ledger() -> None:
    code, lines = ledger(GOOD, committed={})
    assert code == 1
    assert "FAILED even: no committed outcome" in lines


def test_an_outcome_below_the_committed_one_fails_the_ledger() -> None:
    below = law(even(twin={**EVEN, 7: True}, owed="proved"), committed="proved")
    code, lines = ledger(below, committed={"even": "proved"})
    assert code == 1
    assert lines[0].split()[:2] == ["even", "exhausted"]
    assert any(line.startswith("FAILED even: below 100: exhausted, owed proved") for line in lines)


def test_a_law_can_lower_its_outcome_only_in_the_committed_list_too() -> None:
    code, lines = ledger(GOOD, committed={"even": "proved"})
    assert code == 1
    assert "FAILED even: commits to exhausted, owed proved" in lines


def test_a_law_can_not_commit_to_more_than_its_weakest_part_owes() -> None:
    mixed = law(even(twin={**EVEN, 7: True}, owed="tested"), committed="exhausted")
    code, lines = ledger(mixed, committed={"even": "exhausted"})
    assert code == 1
    assert "FAILED even: commits to exhausted, and a part of it owes only tested" in lines


def test_a_check_that_raises_has_shown_nothing_and_refuted_nothing() -> None:
    def crash(of: int) -> Result:
        raise ZeroDivisionError(f"of {of}")

    crashing = law(part("crash", "table", "exhausted", crash, 1, {"two": 2}))
    code, lines = ledger(crashing, committed={"even": "exhausted"})
    assert code == 1
    assert "FAILED even: crash: unknown, owed exhausted: ZeroDivisionError: of 1" in lines
    assert "FAILED even: crash: the twin 'two' was not refuted" in lines


def test_a_part_without_a_twin_is_refused() -> None:
    with pytest.raises(ValueError, match="no broken twin"):
        part("below 100", "table", "exhausted", all_below_100, EVEN, {})


def test_slow_parts_run_only_in_the_full_ledger_and_a_law_of_none_but_slow_parts_is_said_not_to_have_run() -> None:
    slow = law(even(twin={**EVEN, 7: True}, slow=True))
    code, lines = ledger(slow, committed={"even": "exhausted"}, quick=True)
    assert code == 0
    assert "not run" in lines[0]
    assert ledger(slow, committed={"even": "exhausted"})[1][0].split()[1] == "exhausted"


def test_a_law_that_is_only_tested_counts_as_a_gap() -> None:
    only = law(even(twin={**EVEN, 7: True}, owed="tested"), committed="tested")
    code, lines = ledger(only, committed={"even": "tested"})
    assert code == 0
    assert "1 gaps (even)" in lines[-1]


def test_the_outcome_of_a_law_is_that_of_its_weakest_part() -> None:
    assert weakest(("proved", "confirmed", "exhausted")) == "exhausted"
    assert weakest(("proved", "unknown", "tested")) == "unknown"
    assert weakest(()) == "unknown"


@pytest.mark.parametrize(
    ("report", "owed", "outcome"),
    [
        ("a.py:1: info: Confirmed over all paths.\na.py:2: info: Confirmed over all paths.\n", 2, "confirmed"),
        ("a.py:1: info: Confirmed over all paths.\n", 2, "unknown"),
        ("a.py:1: info: Confirmed over all paths.\na.py:2: info: Not confirmed.\n", 2, "unknown"),
        ("a.py:1: info: Unable to meet precondition.\n", 1, "unknown"),
        ("a.py:1: info: Confirmed over all paths.\na.py:2: error: false when calling f(0)\n", 2, "refuted"),
        ("a.py:1: error: SyntaxError: invalid\n", 1, "unknown"),
        ("a.py:1: error: Error while evaluating post condition: NameError: x when calling f(0)\n", 1, "unknown"),
        ("Traceback (most recent call last):\n  File\ncrosshair.fnutil.NotFound: f\n", 1, "unknown"),
        ("", 1, "unknown"),
    ],
)
def test_crosshair_has_confirmed_only_what_its_report_says_it_has(report: str, owed: int, outcome: str) -> None:
    assert read(report, owed).outcome == outcome


def test_crosshair_confirms_refutes_and_gives_up() -> None:
    assert confirm((aligned,)).outcome == "confirmed"
    assert confirm((aligned_always_up,)).outcome == "refuted"
    assert confirm((multiple_by_mask,), seconds=1) == ("unknown", 0, "0 of 1 confirmed: info: Not confirmed.")
    with pytest.raises(ValueError, match="no post-condition"):
        confirm((read,))


def test_z3_proves_refutes_and_gives_up() -> None:
    import z3

    x, y, n = z3.Ints("x y n")
    assert prove({"order": z3.Implies(x < y, x <= y), "square": x * x >= 0}) == (
        "proved",
        2,
        prove({"": x == x}).detail,
    )
    assert prove({"order": x < y}).outcome == "refuted"
    fermat = z3.Implies(z3.And(x > 0, y > 0, n > 0), x * x * x + y * y * y != n * n * n)
    assert prove({"fermat": fermat}, seconds=1).outcome == "unknown"


def test_no_inputs_exhaust_nothing() -> None:
    assert exhaust(lambda number: True, range(0)).outcome == "unknown"


def test_samples_are_tested_and_never_more() -> None:
    from hypothesis import strategies as st

    assert sample(lambda number: number < 10, st.integers(0, 9), 50).outcome == "tested"
    assert sample(lambda number: number < 9, st.integers(0, 9), 50) == ("refuted", 1, "fails for 9")


def test_a_terminal_shows_the_same_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert keep((GOOD,), {"even": "exhausted"}, parts=True, out=Styled()) == 0
    styled = capsys.readouterr().out
    assert keep((GOOD,), {"even": "exhausted"}, parts=True, out=Printer()) == 0
    plain = capsys.readouterr().out
    assert [line.split()[:2] for line in styled.splitlines()] == [line.split()[:2] for line in plain.splitlines()]


@pytest.mark.parametrize(("ids", "code"), [(["align"], 0), (["none-such"], 2)])
def test_the_ledger_is_a_program(ids: list[str], code: int) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "proofs.ledger", "--quick", *ids], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == code
    assert done.stdout.startswith(f"{ALIGN.id:16} confirmed") or "no law none-such" in done.stderr
