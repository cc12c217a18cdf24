"""Hostile files through the real command line: bounded memory, work in proportion to size, a verdict each time."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from bitproof.check.judging import Options, check
from bitproof.check.report import Exit
from tests.check.command import bitproof
from tests.check.nasty import NASTY, file_of
from tests.core.children import in_child

MIB = 2**20
RULES = {
    "huge rank": "KNN-MEM-11",
    "empty arrays": "KNN-TXT-09",
    "one string": "KNN-MEM-01",
    "late duplicate": "KNN-TXT-09",
    "huge integers": "KNN-TXT-07",
    "deep nesting": "KNN-TXT-08",
    "findings": "KNN-TXT-09",
    "unknown stages": "KNN-MEM-07",
}
SMALLER = {"empty arrays": "KNN-MEM-01", "late duplicate": "KNN-TXT-04", "findings": "KNN-MEM-01"}
LIMITED = "import resource; resource.setrlimit(resource.RLIMIT_DATA, ({0}, {0})); "


@pytest.mark.parametrize(
    ("kind", "size"),
    [
        *((kind, 16 * MIB) for kind in RULES if kind not in SMALLER),
        *((kind, MIB) for kind in SMALLER),
        *(pytest.param(kind, 16 * MIB, marks=pytest.mark.slow) for kind in SMALLER),
    ],
)
def test_nasty_manifests_are_refused_in_bounded_memory(tmp_path: Path, kind: str, size: int) -> None:
    path = tmp_path / "nasty.knn"
    path.write_bytes(file_of(NASTY[kind](size)))
    ran = bitproof("check", "--format", "json", str(path), before=LIMITED.format(256 * MIB))
    assert ran.code == 1, ran.err
    found = json.loads(ran.out)["files"][0]["findings"]
    assert found[0]["rule"] == (RULES if size > MIB else {**RULES, **SMALLER})[kind]
    assert len(found) <= 101
    assert len(ran.out) < 100_000


def test_the_bound_on_memory_is_one_that_can_be_met_with_too_much() -> None:
    ran = bitproof("check", "x", before=LIMITED.format(256 * MIB) + f"bytearray({256 * MIB}); ")
    assert "MemoryError" in ran.err


@pytest.mark.parametrize("kind", NASTY)
def test_the_work_on_nasty_manifests_grows_like_their_size(tmp_path: Path, kind: str) -> None:
    path, once, twice = tmp_path / "nasty.knn", 2**15, 2**16
    counts = []
    for size in (once, once, twice):  # the first imports what is needed
        path.write_bytes(file_of(NASTY[kind](size)))
        counts.append(calls(path))
    assert counts[2] <= 2.2 * counts[1]
    assert counts[1] > 100


def calls(path: Path) -> int:
    """How many calls and returns checking the file takes."""
    seen = 0

    def count(*_: object) -> None:
        nonlocal seen
        seen += 1

    sys.setprofile(count)
    try:
        report = check(str(path), Options())
    finally:
        sys.setprofile(None)
    assert report.outcome is Exit.REFUSED
    return seen


CLAIMS = """
import resource
from bitproof import klyn
from bitproof.check.judging import Options, check
from bitproof_spec.klyn.constants import HEADER_SIZE
from bitproof_spec.klyn.header import of_manifest, pack
from bitproof_spec.klyn.vectors.building import Row, tabled
from bitproof_spec.klyn.stages import Dense, Input
from bitproof_spec.klyn.document import Checkpoint

CLAIM = 2**40
wide = Checkpoint("binary32", (Input("input_0", (2**19,)), Dense("dense_1", 2**19, False, "relu", 7)), None, ())
row = Row("dense_1/kernel", "binary32", (2**19, 2**19), b"", 0, CLAIM)
small = tabled(wide, [row]).ljust(1024, b"\\0")[:1024]
length = int.from_bytes(small[16:24], "little")
stated = pack(of_manifest(length, CLAIM + 1024, small[32:64])) + small[64:]
whole = pack(of_manifest(length, 1024, small[32:64])) + small[64:]
huge = pack(of_manifest(CLAIM, 1024, small[32:64])) + small[64:]

def judge(path, file, **bound):
    with open(path, "wb") as stream:
        stream.write(file)
    said = [finding.rule for finding in check(path, Options(bound.get("max_bytes"))).findings]
    try:
        klyn.read(path, **bound)
    except klyn.ValueException as error:
        assert [violation.rule for violation in error.violations] == said
    print(*said)

judge(sys.argv[1], huge[:500])  # imports what a refusal needs
data = next(line for line in open("/proc/self/status") if line.startswith("VmData:"))
limit = int(data.split()[1]) * 1024 + 16 * 2**20
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
judge(sys.argv[1], stated)
judge(sys.argv[1], whole)
judge(sys.argv[1], whole, max_bytes=2**64)
judge(sys.argv[1], huge)
try:
    bytearray(17 * 2**20)
    print("the limit is none")
except MemoryError:
    print("limited")
"""


def test_a_small_file_that_claims_2_40_bytes_takes_less_than_16_mib_g1(tmp_path: Path) -> None:
    said = in_child(CLAIMS, str(tmp_path / "file.knn")).splitlines()
    assert said == [
        "KNN-HDR-06",
        "KNN-HDR-08",
        "KNN-TAB-09 KNN-TAB-10",
        "KNN-TAB-09",
        "KNN-HDR-06",
        "limited",
    ]
