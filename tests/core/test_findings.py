"""Findings of one phase, violations as a verdict, and the error that carries them out of an API."""

from __future__ import annotations

import tracemalloc

import pytest

from bitproof_spec.findings import FINDINGS_LIMIT, Findings
from bitproof_spec.rules import Rule, Rulebook
from bitproof_spec.violations import CheckpointError, Violation, Violations

FIRST, SECOND = Violation("T-ONE-01", "0x0..0x4", "3", "4"), Violation("T-TWO-02", "/tensors/3", "half", "single")


def test_all_findings_are_kept_in_the_order_they_were_made() -> None:
    findings = Findings()
    assert findings.owe(False, *FIRST) is False
    assert findings.owe(True, "T-HELD-01", "/", "1", "1") is True
    assert findings.add(*SECOND) is False
    assert findings.verdict() == Violations((FIRST, SECOND))


def test_a_phase_without_findings_has_no_verdict() -> None:
    findings = Findings()
    assert not findings
    assert findings.verdict() is None
    findings.add(*FIRST)
    assert findings


@pytest.mark.parametrize("number", [1, 99, 100])
def test_up_to_the_limit_every_finding_is_there_and_nothing_else(number: int) -> None:
    findings = Findings()
    for index in range(number):
        findings.add("T-ONE-01", f"/{index}", index, "none")
    assert [violation.where for violation in findings.verdict() or ()] == [f"/{index}" for index in range(number)]


@pytest.mark.parametrize("number", [101, 102, 5000])
def test_beyond_the_limit_one_more_says_how_many_there_are(number: int) -> None:
    findings = Findings()
    for index in range(number):
        findings.add("T-ONE-01", f"/{index}", index, "none")
    verdict = findings.verdict()
    assert verdict is not None
    assert len(verdict) == FINDINGS_LIMIT + 1
    assert verdict.all[-1] == Violation("GEN-MORE-01", "/", f"{number - 100} more findings", "none")
    assert verdict.all[99].where == "/99"


def test_limit_and_rule_of_the_last_finding_can_be_chosen() -> None:
    findings = Findings(limit=2, more="T-MORE-01")
    for index in range(4):
        findings.add("T-ONE-01", f"/{index}", index, "none")
    assert [violation.rule for violation in findings.verdict() or ()] == ["T-ONE-01", "T-ONE-01", "T-MORE-01"]


def test_millions_of_findings_take_the_memory_of_a_hundred() -> None:
    findings = Findings()
    owed = "x" * 1000
    for _ in range(FINDINGS_LIMIT):
        findings.add("T-ONE-01", "/", owed, owed)
    tracemalloc.start()
    for _ in range(300_000):
        findings.add("T-ONE-01", "/", owed, owed)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10_000


def test_a_rule_that_is_switched_off_is_taken_to_hold() -> None:
    findings = Findings(without=frozenset({"T-ONE-01"}))
    assert findings.owe(False, *FIRST) is True
    assert findings.owe(False, *SECOND) is False
    assert findings.verdict() == Violations((SECOND,))


def test_a_verdict_that_refuses_names_something() -> None:
    with pytest.raises(ValueError, match="at least one violation"):
        Violations(())


@pytest.mark.parametrize("given", [FIRST, [FIRST], (FIRST, "second")], ids=["bare", "list", "text"])
def test_a_verdict_takes_a_tuple_of_violations_and_nothing_else(given: object) -> None:
    with pytest.raises(TypeError, match=r"a tuple of violations is owed, as in Violations\(\(violation,\)\)"):
        Violations(given)  # type: ignore[arg-type]  # the fault


def test_verdicts_are_values() -> None:
    verdict = Violations((FIRST, SECOND))
    assert verdict == Violations((FIRST, SECOND))
    assert hash(verdict) == hash(Violations((FIRST, SECOND)))
    assert verdict != Violations((SECOND, FIRST))
    assert verdict != (FIRST, SECOND)
    assert list(verdict) == [FIRST, SECOND]
    assert len(verdict) == 2
    assert repr(verdict) == f"Violations({(FIRST, SECOND)!r})"


def test_a_checkpoint_error_carries_every_violation_and_its_subject() -> None:
    error = CheckpointError(Violations((FIRST, SECOND)), "ck\\xff.knn")
    assert isinstance(error, ValueError)
    assert error.violations == (FIRST, SECOND)
    assert error.subject == "ck\\xff.knn"
    assert str(error).splitlines() == [
        "ck\\xff.knn refused:",
        "  T-ONE-01 at 0x0..0x4: found 3, owed 4",
        "  T-TWO-02 at /tensors/3: found half, owed single",
    ]


def test_without_a_subject_the_error_speaks_of_a_checkpoint() -> None:
    assert str(CheckpointError(Violations((FIRST,)))).startswith("checkpoint refused:\n")


RULES = (
    Rule("T-ONE-01", "header", "four bytes", "readers stop early", "three bytes"),
    Rule("T-TWO-02", "table", "one precision", "weights are cast", "half", "advice"),
)


def test_a_rulebook_gives_rules_in_the_order_of_its_document_and_by_id() -> None:
    book = Rulebook("test", RULES)
    assert book.format == "test"
    assert list(book) == list(RULES)
    assert len(book) == 2
    assert book["T-TWO-02"] is RULES[1]
    assert "T-ONE-01" in book
    assert "T-ONE" not in book
    assert [rule.severity for rule in book] == ["error", "advice"]
    with pytest.raises(KeyError, match="T-NONE-01"):
        book["T-NONE-01"]


def test_two_rules_of_a_format_never_share_an_id() -> None:
    with pytest.raises(ValueError, match="two rules of test share an id"):
        Rulebook("test", (*RULES, RULES[0]._replace(meaning="another")))
