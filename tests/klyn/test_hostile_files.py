"""Files made to cost a reader time or memory: work and memory are bounded by the file, not by what it claims."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from bitproof_spec.format import OfBytes
from bitproof_spec.klyn.constants import MANIFEST_LIMIT
from bitproof_spec.klyn.container import KNN
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.vectors import vectors
from bitproof_spec.violations import Violations
from tests.klyn.hostile_manifests import KINDS, hostile

ROOT = Path(__file__).parent.parent.parent
MIB = 2**20
LARGE = 16 * MIB
each_kind = pytest.mark.parametrize("kind", sorted(KINDS))


def events(work: Callable[[], object]) -> int:
    """The calls made and returned from during some work, of Python and of C."""
    count = 0

    def counted(*_: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def judged(file: bytes) -> Checkpoint | Violations:
    return KNN.judge(OfBytes(file))


def peak(work: Callable[[], object]) -> int:
    """The most bytes that some work held at once, beyond what there was before."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@each_kind
def test_twice_the_manifest_takes_at_most_twice_the_calls_v12_v13(kind: str) -> None:
    once, twice = hostile(kind, 2000), hostile(kind, 4000)
    judged(once)
    first, second = events(lambda: judged(once)), events(lambda: judged(twice))
    assert second / first <= 2.2, (first, second)


@each_kind
def test_a_manifest_takes_memory_in_proportion_to_its_size(kind: str) -> None:
    file = hostile(kind, 4000)
    assert peak(lambda: judged(file)) <= 100 * len(file) + MIB


@each_kind
def test_findings_are_bounded_in_number_and_size(kind: str) -> None:
    verdict = judged(hostile(kind, 4000))
    if kind == "spaces":
        assert isinstance(verdict, Checkpoint)
        return
    assert isinstance(verdict, Violations)
    assert len(verdict) in (1, 101)
    assert (verdict.all[-1].rule == "GEN-MORE-01") == (len(verdict) == 101)
    assert all(len(str(finding)) < 600 for finding in verdict)


def test_the_hundred_and_first_finding_says_how_many_more_there_are() -> None:
    verdict = judged(hostile("empty-arrays", 4000))
    assert isinstance(verdict, Violations)
    assert verdict.all[-1].found == "3900 more findings"
    assert [finding.where for finding in verdict][:100] == [f"/tensors/{index}" for index in range(100)]


def test_a_small_file_that_claims_much_takes_little_memory_g1_g3() -> None:
    claims = [
        v.file for v in vectors() if v.id.startswith(("knn/sizes/claims", "knn/header/file-length", "knn/sizes/input"))
    ]
    assert len(claims) >= 10
    for file in claims:
        assert len(file) <= 1024 or file.endswith(b"}")
        assert peak(lambda file=file: KNN.judge(OfBytes(file))) < LARGE  # type: ignore[misc]


@pytest.mark.slow
@each_kind
def test_a_manifest_of_16_mib_is_judged_in_bounded_memory_v12_v13(kind: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.klyn.judge_hostile", kind, str(MANIFEST_LIMIT)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    size, _, after = map(int, run.stdout.split()[:3])
    assert size > 15 * MIB or kind in ("empty-arrays", "empty-objects")
    assert after <= 400 * MIB, run.stdout
