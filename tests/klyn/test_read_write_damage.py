"""Every damage is refused by `read` and by the checker with one verdict, and by no exception but ours."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings

import bitproof.klyn as klyn
from bitproof.check.judging import Options, check
from bitproof.check.report import Exit
from bitproof.strategies import mutations
from bitproof_spec.klyn.vectors.building import ABSENT, edited
from bitproof_spec.klyn.vectors.models import HALF_ADAM, PLAIN, SGD
from bitproof_spec.violations import Violation
from tests.klyn.small_files import SMALL_FILES, TRAINING

SMALLEST = "no-tensors"


def flips(file: bytes) -> Iterator[bytes]:
    """Every file that differs from this one in one bit."""
    for bit in range(8 * len(file)):
        damaged = bytearray(file)
        damaged[bit // 8] ^= 1 << bit % 8
        yield bytes(damaged)


def cuts(file: bytes) -> Iterator[bytes]:
    """Every beginning of the file, and the file with something behind it."""
    yield from (file[:length] for length in range(len(file)))
    yield from (file + b"\0", file + bytes(64), file + b"\xff", file + file)


def put(path: Path, file: bytes) -> None:
    """Let the file at `path` hold these bytes; it is never emptied before, which is what takes the time."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT)
    os.pwrite(descriptor, file, 0)
    os.truncate(descriptor, len(file))
    os.close(descriptor)


def verdict(path: Path, file: bytes) -> tuple[Violation, ...]:
    """Why `read` refuses the bytes; AssertionError when it doesn't, or when the checker speaks otherwise."""
    put(path, file)
    with pytest.raises(klyn.ValueException) as raised:
        klyn.read(path)
    report = check(str(path), Options())
    said = tuple(Violation(each.rule, each.where, each.found, each.owed) for each in report.findings)
    assert said == raised.value.violations
    assert report.outcome is Exit.REFUSED
    assert all(each.meaning and each.severity == "error" for each in report.findings)
    return said


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL_FILES)
def test_every_flipped_bit_is_refused_by_read_and_check_alike_v7(tmp_path: Path, name: str) -> None:
    for damaged in flips(SMALL_FILES[name]):
        verdict(tmp_path / "file.knn", damaged)


@pytest.mark.parametrize("name", SMALL_FILES)
def test_flipped_bits_all_over_a_file_are_refused_by_read_and_check_alike_v7(tmp_path: Path, name: str) -> None:
    for damaged in islice(flips(SMALL_FILES[name]), 0, None, 5 if name == SMALLEST else 61):
        verdict(tmp_path / "file.knn", damaged)


@pytest.mark.parametrize("name", SMALL_FILES)
def test_every_truncation_and_extension_is_refused_by_read_and_check_alike_v4(tmp_path: Path, name: str) -> None:
    file = SMALL_FILES[name]
    step = 1 if name == SMALLEST else 7
    for damaged in islice(cuts(file), 0, None, step):
        verdict(tmp_path / "file.knn", damaged)
    for damaged in islice(cuts(file), len(file), None):
        verdict(tmp_path / "file.knn", damaged)


@pytest.mark.parametrize("lost", [1, 63, 64, 66, 450, 2440, 2504])
def test_a_truncated_file_is_called_truncated_v4(tmp_path: Path, lost: int) -> None:
    file = SMALL_FILES["half-adam"]
    (found,) = verdict(tmp_path / "file.knn", file[: len(file) - lost])
    left = len(file) - lost
    if left < 64:
        assert (found.rule, found.found) == ("KNN-HDR-01", f"{left} bytes")
    elif left < 64 + 1982:
        assert found.rule == "KNN-HDR-07"
        assert f"at most {left - 64}," in found.owed
    else:
        assert (found.rule, found.found) == ("KNN-HDR-08", "2504")
        assert f"{left}, the file's size" in found.owed
    assert found.owed.endswith("truncated")


@settings(derandomize=True, deadline=None, database=None, max_examples=80)
@given(damaged=mutations(SMALL_FILES[TRAINING]))
def test_any_mutation_gives_a_checkpoint_or_our_own_refusal(
    tmp_path_factory: pytest.TempPathFactory, damaged: bytes
) -> None:
    path = tmp_path_factory.mktemp("mutated") / "file.knn"
    if damaged != SMALL_FILES[TRAINING]:
        verdict(path, damaged)


@pytest.mark.parametrize("member", ["path", "external", "file", "location"])
def test_a_tensor_that_names_another_file_is_refused_and_nothing_else_is_opened_v8(
    tmp_path: Path, member: str, opened_files: list[str]
) -> None:
    path = tmp_path / "file.knn"
    verdict(path, edited(PLAIN, {"/tensors/0/unknown": "x"}))  # what is imported when needed is imported now
    opened_files.clear()
    found = verdict(path, edited(PLAIN, {f"/tensors/0/{member}": "../../etc/passwd"}))
    assert [(each.rule, each.where) for each in found] == [("KNN-MEM-03", f"/tensors/0/{member}")]
    assert set(opened_files) == {str(path)}


FOREIGN = {
    "a git-lfs pointer": b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"4d7a" * 16 + b"\nsize 9\n",
    "an HTML page": b"<!DOCTYPE html><html><body>404 Not Found</body></html>".ljust(300),
    "a zip of other things": b"PK\x03\x04\x14\x00\x00\x00" + bytes(300),
    "an HDF5 file": b"\x89HDF\r\n\x1a\n" + bytes(300),
    "zeros": bytes(300),
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_a_foreign_file_under_our_name_has_the_wrong_magic_only_v10_v11(tmp_path: Path, kind: str) -> None:
    found = verdict(tmp_path / "file.knn", FOREIGN[kind].ljust(64))
    assert [(each.rule, each.where) for each in found] == [("KNN-HDR-02", "0x0..0x8")]
    assert "no KNN file" in found[0].found


def test_a_file_without_random_state_or_scaler_is_refused_at_load_by_name(tmp_path: Path) -> None:
    for document, pointer in ((SGD, "/training/random"), (HALF_ADAM, "/training/loss_scale")):
        found = verdict(tmp_path / "file.knn", edited(document, {pointer: ABSENT}))
        assert [(each.rule, each.where) for each in found] == [("KNN-MEM-02", pointer)]


def test_the_message_of_a_refusal_names_file_rule_place_and_both_values(tmp_path: Path) -> None:
    path = tmp_path / "fi\nle.knn"
    path.write_bytes(SMALL_FILES[SMALLEST][:-1])
    with pytest.raises(klyn.ValueException) as raised:
        klyn.read(path)
    text = str(raised.value)
    assert isinstance(raised.value, ValueError)
    assert text.split("\n")[0].endswith("fi\\nle.knn refused:")
    assert all(part in text for part in raised.value.violations[0])
