"""The loop of clauses, rules, vectors, twins and mutants for TorchLean's three formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from bitproof_spec.format import Format, OfBytes
from bitproof_spec.rules import Rulebook
from bitproof_spec.torchlean.json_state import JsonFormat
from bitproof_spec.torchlean.optimizer_file import OptimizerFile
from bitproof_spec.torchlean.rules_optimizer import OPTIMIZER_RULES
from bitproof_spec.torchlean.rules_state import JSON_RULES, STREAMED_RULES
from bitproof_spec.torchlean.streamed import Streamed
from bitproof_spec.torchlean.vectors import vectors
from bitproof_spec.vectors import Vector, content
from bitproof_spec.violations import Violations
from tests.torchlean.freeze import FROZEN, fingerprints

Make = Callable[[int | None, frozenset[str]], Format[Any]]  # Any: each of its own document
FORMATS: dict[str, tuple[Make, Rulebook]] = {
    "tlsf32b": (Streamed, STREAMED_RULES),
    "tljson": (JsonFormat, JSON_RULES),
    "tladamf": (OptimizerFile, OPTIMIZER_RULES),
}
ALL = tuple(vectors())
BY_ID = {vector.id: vector for vector in ALL}


def judged(vector: Vector, without: frozenset[str] = frozenset()) -> Any:
    make, _ = FORMATS[vector.id.split("/")[0]]
    return make(vector.request.get("max_bytes"), without).judge(OfBytes(vector.file))


def findings(vector: Vector, without: frozenset[str] = frozenset()) -> tuple[tuple[str, str], ...]:
    verdict = judged(vector, without)
    return tuple((v.rule, v.where) for v in verdict) if isinstance(verdict, Violations) else ()


def test_ids_are_unique_and_every_twin_is_a_valid_vector_of_the_same_format() -> None:
    assert len(BY_ID) == len(ALL)
    for vector in ALL:
        if vector.result == "invalid":
            assert BY_ID[vector.twin].result == "valid"
            assert vector.twin.split("/")[0] == vector.id.split("/")[0]


@pytest.mark.parametrize("vector", ALL, ids=lambda vector: vector.id)
def test_the_judge_finds_what_the_vector_owes_and_nothing_else(vector: Vector) -> None:
    assert findings(vector) == vector.findings
    if vector.result == "valid":
        assert content(judged(vector)) == vector.content


def test_every_mutant_judge_is_caught_at_its_rule_s_vectors(capsys: pytest.CaptureFixture[str]) -> None:
    killed, alive = Counter[str](), list[str]()
    for vector in ALL:
        for rule in vector.clauses if vector.result == "invalid" else ():
            if findings(vector, frozenset({rule})) == vector.findings:
                alive.append(vector.id)
            else:
                killed[rule] += 1
    owed = {rule.id for _, book in FORMATS.values() for rule in book if rule.phase != "target"}
    with capsys.disabled():
        print(f"\nTorchLean: {len(killed)} of {len(owed)} mutant judges killed, by {killed.total()} vectors")
    assert not alive
    assert set(killed) == owed


def test_every_rule_of_a_format_has_a_vector_that_breaks_it_alone() -> None:
    alone = {vector.clauses[0] for vector in ALL if vector.clauses == tuple(rule for rule, _ in vector.findings)}
    assert alone == {rule.id for _, book in FORMATS.values() for rule in book if rule.phase != "target"}


def test_vectors_are_the_same_each_time_and_those_that_were_frozen() -> None:
    assert fingerprints() == FROZEN.read_text().splitlines(), (
        "frozen vectors have changed; see tests/torchlean/freeze.py"
    )


def test_every_segment_of_a_valid_file_stands_under_a_clause_with_a_rule() -> None:
    for vector in ALL:
        if vector.result == "valid":
            make, book = FORMATS[vector.id.split("/")[0]]
            for segment in make(None, frozenset()).segments(judged(vector)):
                assert segment.clause in book
