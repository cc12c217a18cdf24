"""What `bitproof check` does with files, folders, standard input, and what can't be looked at."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bitproof_spec.klyn.vectors.building import text, with_text
from bitproof_spec.klyn.vectors.models import PLAIN
from tests.check.command import SOURCES, START, bitproof, in_process, on_terminal
from tests.check.files import ODD_NAME, fill
from tests.klyn.small_files import SMALL_FILES

GOOD, BAD = SMALL_FILES["half-adam"], SMALL_FILES["half-adam"][:-1]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files of every kind, the working directory of the test."""
    fill(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


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


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_may_not_be_read_is_reported(tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir(mode=0)
    assert verdicts(str(tmp_path)) == {str(locked): "not checked"}


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


def test_names_are_escaped_in_every_output_p7(folder: Path) -> None:
    (folder / ODD_NAME).write_bytes(BAD)
    shown = "ck_\\xff\\n\\x1b[31m.knn"
    for encoding in ("utf-8", "ascii", "latin-1"):
        ran = bitproof("check", ODD_NAME, cwd=folder, PYTHONIOENCODING=encoding)
        assert ran.code == 1, ran.err
        assert ran.out.startswith(f"{shown}: 0x18..0x20: error KNN-HDR-08\n")
    report = json.loads(bitproof("check", "--format", "json", ODD_NAME, cwd=folder).out)["files"][0]
    assert (report["path"], bytes.fromhex(report["path_bytes"])) == (shown, os.fsencode(ODD_NAME))
    (folder / ODD_NAME).write_bytes(GOOD)
    for command in (["check"], ["inspect"], ["inspect", "--json"], ["diff", "half-adam.knn"], ["map"]):
        ran = bitproof(*command, ODD_NAME, cwd=folder)
        assert ran.code == 0, ran.err
        assert "\x1b" not in ran.out
        assert "\udcff" not in ran.out


def test_names_of_other_scripts_work_under_any_locale_p2(tmp_path: Path) -> None:
    path = tmp_path / "模型_💾" / "ck_é.knn"
    path.parent.mkdir()
    path.write_bytes(GOOD)
    for locale in ("C", "C.UTF-8", "POSIX"):
        for utf8 in ("0", "1"):
            ran = bitproof("check", os.fsencode(path), os.fsencode(path.parent), LC_ALL=locale, PYTHONUTF8=utf8)
            assert (ran.code, ran.out.count("conforms to")) == (0, 2), ran.err


def test_text_from_a_file_cannot_drive_the_terminal(folder: Path) -> None:
    ran = in_process("check", "bad-members.knn")
    assert "/\\x1b[31m: error KNN-MEM-03" in ran.out
    assert "\x1b" not in ran.out


def test_rules_are_selected_and_ignored_by_prefix(folder: Path) -> None:
    def rules(*arguments: str) -> list[str]:
        files = json.loads(in_process("check", "--format", "json", "bad-members.knn", *arguments).out)["files"]
        return [finding["rule"] for finding in files[0]["findings"]]

    assert rules() == ["KNN-MEM-05", "KNN-MEM-01", "KNN-MEM-03"]
    assert rules("--select", "KNN-MEM-01") == ["KNN-MEM-01"]
    assert rules("--ignore", "KNN-MEM-01,KNN-MEM-03") == ["KNN-MEM-05"]
    assert rules("--select", "KNN", "--ignore", "KNN-MEM-05") == ["KNN-MEM-01", "KNN-MEM-03"]


def test_a_file_is_never_said_to_conform_when_its_errors_are_not_reported(folder: Path) -> None:
    ran = in_process("check", "--ignore", "KNN", "bad-members.knn")
    assert ran.code == 0
    assert "conforms" not in ran.out.splitlines()[0]
    assert "3 findings not reported" in ran.out
    report = json.loads(in_process("check", "--ignore", "KNN", "--format", "json", "bad-members.knn").out)
    assert (report["files"][0]["verdict"], report["files"][0]["hidden"]) == ("not reported", 3)


def test_advice_is_reported_and_refuses_nothing(tmp_path: Path) -> None:
    (tmp_path / "spaced.knn").write_bytes(with_text(PLAIN, b" " + text(PLAIN)))
    ran = in_process("check", str(tmp_path / "spaced.knn"))
    assert ran.code == 0
    assert "advice KNN-ADV-01" in ran.out
    assert "conforms to KNN 1.0" in ran.out


@pytest.mark.parametrize("jobs", [2, 3])
def test_several_jobs_give_the_report_of_one(folder: Path, jobs: int) -> None:
    names = [*sorted(path.name for path in folder.iterdir()), "no-such-file"]
    alone, together = (bitproof("check", *names, "--jobs", str(n), cwd=folder) for n in (1, jobs))
    assert together == alone
    assert alone.code == 2


@pytest.mark.parametrize(
    "arguments",
    [[], ["--jobs", "0", "x"], ["--max-bytes", "-1", "x"], ["--max-bytes", "1QiB", "x"], ["--format", "xml", "x"]],
)
def test_wrong_use_is_exit_status_2_with_the_usage(arguments: list[str]) -> None:
    ran = in_process("check", *arguments)
    assert ran.code == 2
    assert "usage: bitproof check" in ran.err


@pytest.mark.parametrize(
    ("given", "code"),
    [("56", 0), ("55", 1), ("57", 0), ("0", 1), (str(2**64 - 1), 0), ("0x38", 0), ("1KiB", 0), ("1 kB", 0), (None, 0)],
)
def test_max_bytes_is_inclusive_and_counts_moments_g5(folder: Path, given: str | None, code: int) -> None:
    ran = in_process("check", "half-adam.knn", *(["--max-bytes", given] if given else []))
    assert ran.code == code
    assert ("KNN-TAB-10" in ran.out) == bool(code)


def test_a_long_file_has_a_progress_bar_on_a_terminal_and_nowhere_else(folder: Path) -> None:
    (folder / ODD_NAME).write_bytes(GOOD)
    long = "import bitproof.check.progress as p; p.LONG = 1; "
    ran = on_terminal("check", ODD_NAME, cwd=folder, columns=80, before=long)
    assert ran.code == 0
    assert "ck_\\xff\\n\\x1b[31m.knn" in ran.out
    assert "KiB" in ran.out
    assert bitproof("check", ODD_NAME, cwd=folder, before=long).err == ""
    assert "KiB" not in on_terminal("check", "half-adam.knn", cwd=folder, columns=80).out


def test_a_closed_standard_input_could_not_be_looked_at() -> None:
    ran = bitproof("check", "-", before="import os; os.close(0); ")
    assert (ran.code, ran.err) == (2, "")
    assert "standard input: not checked: Bad file descriptor" in ran.out


def test_output_that_nobody_reads_any_more_is_no_traceback(folder: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", START, "vectors", "list"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": SOURCES},
    )
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.close()
    assert child.wait(60) == 2
    assert child.stderr.read() == b""
    child.stderr.close()


def test_a_fault_of_ours_is_no_verdict_on_a_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise AssertionError("our own fault")

    monkeypatch.setattr("bitproof.commands.check.check", broken)
    ran = in_process("check", "half-adam.knn")
    assert ran.code == 2
    assert "our own fault" in ran.err
