"""Hostile files through the real command line: bounded memory, work in proportion to size, a verdict each time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bitproof.check.judging import Options, check
from tests.check.command import bitproof
from tests.core.children import in_child
from tests.klyn.hostile_manifests import KINDS, filling, hostile
from tests.klyn.test_hostile_files import events

MIB = 2**20
QUICK = ("one-string", "surrogates", "digits", "deep-arrays", "spaces")
LIMITED = "import resource; resource.setrlimit(resource.RLIMIT_DATA, ({0}, {0})); "


@pytest.mark.parametrize(
    "kind", [kind if kind in QUICK else pytest.param(kind, marks=pytest.mark.slow) for kind in sorted(KINDS)]
)
def test_manifests_of_16_mib_are_judged_by_the_command_line_in_bounded_memory(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "hostile.knn"
    path.write_bytes(hostile(kind, filling(kind, 16 * MIB)))
    ran = bitproof("check", "--format", "json", str(path), before=LIMITED.format(256 * MIB))
    assert ran.code == (0 if kind == "spaces" else 1), ran.err
    found = json.loads(ran.out)["files"][0]["findings"]
    assert 1 <= len(found) <= 101
    assert len(ran.out) < 100_000


def test_the_bound_on_memory_is_one_that_can_be_met_with_too_much() -> None:
    ran = bitproof("check", "x", before=LIMITED.format(256 * MIB) + f"bytearray({256 * MIB}); ")
    assert "MemoryError" in ran.err


@pytest.mark.parametrize("kind", ["spaces", "unknown-members", "empty-arrays"])
def test_twice_the_manifest_takes_at_most_twice_the_calls(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "hostile.knn"
    counts = []
    for parts in (2000, 2000, 4000):  # the first imports what is needed
        path.write_bytes(hostile(kind, parts))
        counts.append(events(lambda: check(str(path), Options())))
    assert counts[2] <= 2.2 * counts[1]
    assert counts[1] > 100


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
