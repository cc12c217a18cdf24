"""The loop of clauses, rules and vectors: each rule is broken alone by a vector, and a judge without it is caught."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bitproof_spec.format import OfBytes
from bitproof_spec.klyn.advice import advise
from bitproof_spec.klyn.constants import DEFAULT_BUDGET
from bitproof_spec.klyn.container import Knn
from bitproof_spec.klyn.rules import RULES
from bitproof_spec.klyn.vectors import vectors
from bitproof_spec.vectors import Vector, content
from bitproof_spec.violations import Violations
from tests.klyn.freeze import FROZEN, fingerprints

Places = tuple[tuple[str, str], ...]
PHASE_OF_FAILURE = {"header": "malformed", "digest": "malformed", "text": "malformed"}


@pytest.fixture(scope="module")
def suite() -> Mapping[str, Vector]:
    made = list(vectors())
    found = {vector.id: vector for vector in made}
    assert len(found) == len(made), "two vectors share an id"
    return found


def verdict(vector: Vector, without: frozenset[str] = frozenset()) -> tuple[Places, Mapping[str, str]]:
    """Findings and content: of a judge, and of what advises on a file that it accepts."""
    judge = Knn(vector.request.get("max_bytes", DEFAULT_BUDGET), without)
    judged = judge.judge(OfBytes(vector.file))
    if isinstance(judged, Violations):
        return _places(judged), {}
    return _places(advise(OfBytes(vector.file), without)), content(judged)


def _places(findings: object) -> Places:
    assert isinstance(findings, Violations | tuple)
    return tuple((finding.rule, finding.where) for finding in findings)


def test_the_judge_says_of_every_vector_what_it_owes(suite: Mapping[str, Vector]) -> None:
    wrong = [v.id for v in suite.values() if verdict(v) != (v.findings, v.content)]
    assert wrong == []


def test_every_rule_has_a_vector_that_breaks_it_alone_and_nothing_else(suite: Mapping[str, Vector]) -> None:
    alone = {v.clauses[0] for v in suite.values() if v.clauses == tuple({rule for rule, _ in v.findings})}
    advised = {rule for v in suite.values() if v.result == "valid" for rule, _ in v.findings}
    assert alone == {rule.id for rule in RULES if rule.severity == "error"}
    assert advised == {rule.id for rule in RULES if rule.severity == "advice"}


def test_every_vector_that_breaks_a_rule_names_its_nearest_valid_twin(suite: Mapping[str, Vector]) -> None:
    for vector in suite.values():
        if vector.result == "valid":
            assert (vector.twin, vector.failure) == ("", ""), vector.id
            assert all(RULES[rule].severity == "advice" for rule, _ in vector.findings), vector.id
        else:
            assert suite[vector.twin].result == "valid", vector.id
            assert len(vector.findings) == 1, vector.id
            assert vector.failure == failure(vector.clauses[0]), vector.id
        assert vector.effect.endswith("."), vector.id
        assert set(vector.clauses) <= {rule.id for rule in RULES}, vector.id
        assert vector.id.count("/") == 2, vector.id


def failure(rule: str) -> str:
    return "over budget" if rule == "KNN-TAB-10" else PHASE_OF_FAILURE.get(RULES[rule].phase, "invalid")


def test_a_judge_without_any_one_rule_is_caught_at_that_rules_vectors(
    suite: Mapping[str, Vector], capsys: pytest.CaptureFixture[str]
) -> None:
    survived: dict[str, list[str]] = {}
    accepted = 0
    for rule in RULES:
        own = [v for v in suite.values() if rule.id in {broken for broken, _ in v.findings}]
        missed = [v.id for v in own if verdict(v, frozenset({rule.id}))[0] == v.findings]
        accepted += any(verdict(v, frozenset({rule.id}))[0] == () for v in own)
        if missed or not own:
            survived[rule.id] = missed
    with capsys.disabled():
        print(f"\n  KNN: {len(RULES) - len(survived)} of {len(RULES)} judges without a rule are caught ", end="")
        print(
            f"at all vectors of that rule, {accepted} of them by a file that they accept; {len(suite)} vectors ", end=""
        )
    assert survived == {}


def test_vectors_are_the_same_each_time_and_those_that_were_frozen() -> None:
    frozen = FROZEN.read_text().splitlines()
    assert fingerprints() == frozen, "frozen vectors have changed; see tests/klyn/freeze.py"
