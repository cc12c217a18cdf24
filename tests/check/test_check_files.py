"""What `bitproof check` does with files, folders, standard input, and what can't be looked at."""

from __future__ import annotations

import errno
import inspect
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.check.command import bitproof, in_process
from tests.klyn.small_files import SMALL_FILES

GOOD, BAD = SMALL_FILES["half-adam"], SMALL_FILES["half-adam"][:-1]


def verdicts(*arguments: str) -> dict[str, str]:
    """What the JSON report says of each file."""
    report = json.loads(in_process("check", "--format", "json", *arguments).out)
    return {each["path"]: each["verdict"] for each in report["files"]}


def test_exit_statuses_tell_conforming_damaged_and_unreadable_files_apart(folder: Path) -> None:
    assert in_process("check", "half-adam.knn", "no-tensors.knn").code == 0
    assert in_process("check", "half-adam.knn", "bad-blocks.knn").code == 1
    assert in_process("check", "bad-blocks.knn", "no-such-file", "half-adam.knn").code == 2
    assert in_process("check", "page.html").code == 1


def test_the_checker_goes_on_after_what_it_cannot_look_at(folder: Path) -> None:
    assert verdicts("no-such-file", "bad-blocks.knn", "half-adam.knn") == {
        "no-such-file": "not checked",
        "bad-blocks.knn": "refused",
        "half-adam.knn": "conforms",
    }


def test_nothing_to_check_is_exit_status_2(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    ran = in_process("check", str(tmp_path))
    assert ran.code == 2
    assert "nothing to check" in ran.out
    assert in_process("check", "--format", "json", str(tmp_path)).code == 2
    assert in_process("check", "--quiet", str(tmp_path)).code == 2


def test_a_folder_is_searched_for_what_has_the_suffix_or_the_magic(tmp_path: Path) -> None:
    (tmp_path / "b" / "deep").mkdir(parents=True)
    for name, file in {
        "z.knn": GOOD,
        "a.KNN": b"not a checkpoint",
        "b/deep/no suffix": GOOD,
        "b/misnamed.pt": BAD,
        "notes.txt": b"text",
        "data.json": b"{}",
        ".x.knn.0123456789abcdef.bitproof-tmp": GOOD,
    }.items():
        (tmp_path / name).write_bytes(file)
    (tmp_path / "link.knn").symlink_to("z.knn")
    (tmp_path / "nowhere.knn").symlink_to("gone")
    (tmp_path / "b" / "up").symlink_to("..")
    os.mkfifo(tmp_path / "pipe.knn")
    found = verdicts(str(tmp_path))
    assert {os.path.relpath(path, tmp_path): verdict for path, verdict in found.items()} == {
        "a.KNN": "refused",
        "b/deep/no suffix": "conforms",
        "b/misnamed.pt": "refused",
        "link.knn": "conforms",
        "z.knn": "conforms",
    }
    assert list(found) == sorted(found)


def test_files_of_no_known_format_in_folders_are_counted(tmp_path: Path) -> None:
    for name in ("a.knn", ".x.knn.0123456789abcdef.bitproof-tmp"):
        (tmp_path / name).write_bytes(GOOD)
    for name in ("notes.txt", "b.json", "mine.bitproof-tmp"):
        (tmp_path / name).write_bytes(b"{}")
    out = in_process("check", str(tmp_path)).out
    assert out.endswith("1 file, 0 findings: 1 conforms\n3 files of no known format passed over\n")
    assert in_process("check", "--quiet", str(tmp_path)).out == ""
    for jobs in ("1", "2"):
        report = json.loads(bitproof("check", "--jobs", jobs, "--format", "json", str(tmp_path)).out)
        assert (report["passed_over"], len(report["files"])) == (3, 1)
    assert "passed over" not in in_process("check", str(tmp_path / "a.knn")).out


def test_an_empty_name_is_shown_in_quotes() -> None:
    ran = in_process("check", "")
    assert (ran.code, ran.out.splitlines()[0]) == (2, "'': not checked: No such file or directory")


def test_a_pipe_is_read_no_further_than_max_bytes_may_need() -> None:
    with open("/dev/zero", "rb") as endless:
        ran = bitproof("check", "--max-bytes", "10", "-", stdin=endless)
    assert ran.code == 2
    assert "standard input: not checked: more than 67109504 bytes from what isn't a regular file" in ran.out


def test_a_folder_deeper_than_the_recursion_limit_is_walked_to_its_end(tmp_path: Path) -> None:
    deepest = tmp_path.joinpath(*["d"] * 200)
    deepest.mkdir(parents=True)
    (deepest / "deep.knn").write_bytes(GOOD)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack()) + 150)
    try:
        assert list(verdicts(str(tmp_path)).values()) == ["conforms"]
    finally:
        sys.setrecursionlimit(limit)


def test_a_folder_that_may_not_be_read_is_reported_and_the_rest_checked(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "locked").mkdir()
    scandir = os.scandir

    def denied(path: str) -> Iterator[os.DirEntry[str]]:
        """As the system answers who isn't root; root may read everything."""
        if path.endswith("locked"):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", denied)
    ran = in_process("check", str(folder))
    assert ran.code == 2
    assert "locked: not checked: Permission denied\n" in ran.out
    assert "no-tensors.knn: conforms" in ran.out


def test_a_file_is_judged_by_its_content_whatever_its_name(tmp_path: Path) -> None:
    for name in ("model.txt", "model", "model.pt", "model.knn."):
        (tmp_path / name).write_bytes(GOOD)
        assert in_process("check", str(tmp_path / name)).code == 0


@pytest.mark.parametrize("bit", range(64))
def test_a_file_whose_magic_lost_a_bit_is_still_a_knn_file_with_one_finding(tmp_path: Path, bit: int) -> None:
    damaged = bytearray(GOOD)
    damaged[bit // 8] ^= 1 << bit % 8
    (tmp_path / "no suffix").write_bytes(damaged)
    ran = in_process("check", "--format", "json", str(tmp_path / "no suffix"))
    (finding,) = json.loads(ran.out)["files"][0]["findings"]
    assert (ran.code, finding["rule"]) == (1, "KNN-HDR-02")


@pytest.mark.parametrize("length", range(1, 9))
def test_a_beginning_of_the_magic_is_taken_for_a_truncated_knn_file(tmp_path: Path, length: int) -> None:
    (tmp_path / "cut").write_bytes(GOOD[:length])
    ran = in_process("check", "--format", "json", str(tmp_path / "cut"))
    assert [each["rule"] for each in json.loads(ran.out)["files"][0]["findings"]] == ["KNN-HDR-01"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "an empty file"),
        (b"version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer"),
        (b"PK\x03\x04" + bytes(30), "a zip archive"),
        (b"\x89HDF\r\n\x1a\n" + bytes(99), "an HDF5 file"),
        (b"<!DOCTYPE html>", "an HTML page"),
        (b'\x08\0\0\0\0\0\0\0{"a": 1}', "a safetensors file"),
        (b"what is this?", "bytes 77 68 61 74 20 69 73 20"),
    ],
)
def test_a_file_of_no_known_format_is_named_for_what_it_is_v10_v11(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "file").write_bytes(content)
    ran = in_process("check", "--format", "json", str(tmp_path / "file"))
    (finding,) = json.loads(ran.out)["files"][0]["findings"]
    assert (ran.code, finding["rule"]) == (1, "GEN-FMT-01")
    assert finding["found"].startswith(said)


@pytest.mark.parametrize(("file", "code"), [(GOOD, 0), (BAD, 1), (b"", 1)])
def test_standard_input_is_checked_as_a_pipe_and_as_a_file(tmp_path: Path, file: bytes, code: int) -> None:
    ran = bitproof("check", "-", stdin=file)
    assert ran.code == code
    assert ran.out.startswith("standard input: ")
    (tmp_path / "file").write_bytes(file)
    with (tmp_path / "file").open("rb") as stream:
        assert bitproof("check", "--jobs", "2", "-", stdin=stream).code == code
