"""What tests of the judge share: the vectors by id, and why files are refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from functools import cache

from bitproof_spec.format import OfBytes
from bitproof_spec.klyn.constants import DEFAULT_BUDGET
from bitproof_spec.klyn.container import KNN, Knn
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.vectors import vectors
from bitproof_spec.vectors import Vector
from bitproof_spec.violations import Violation, Violations


@cache
def suite() -> Mapping[str, Vector]:
    """Every vector by the end of its id."""
    return {vector.id.removeprefix("knn/"): vector for vector in vectors()}


def judge(vector: Vector) -> Checkpoint | Violations:
    """The verdict on a vector's file under its budget."""
    return Knn(vector.request.get("max_bytes", DEFAULT_BUDGET)).judge(OfBytes(vector.file))


def findings(file: bytes) -> tuple[Violation, ...]:
    """Why a file is refused."""
    judged = KNN.judge(OfBytes(file))
    assert isinstance(judged, Violations)
    return judged.all


def refused(*patterns: str) -> Iterator[Violation]:
    """The findings of every vector whose id matches a pattern; each pattern matches some, each vector is refused."""
    for pattern in patterns:
        matching = [vector for id, vector in suite().items() if fnmatch(id, pattern)]
        assert matching, pattern
        for vector in matching:
            judged = judge(vector)
            assert isinstance(judged, Violations), vector.id
            yield from judged
