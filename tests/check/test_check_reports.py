"""What the reports of `bitproof check` say: names, selections, advice, jobs, misuse, and the end of the process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bitproof_spec.klyn.vectors.building import text, with_text
from bitproof_spec.klyn.vectors.models import PLAIN
from tests.check.command import SOURCES, START, bitproof, in_process, on_terminal
from tests.check.files import ODD_NAME
from tests.klyn.small_files import SMALL_FILES

GOOD, BAD = SMALL_FILES["half-adam"], SMALL_FILES["half-adam"][:-1]


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
    assert "conform" not in ran.out
    assert "3 findings not reported" in ran.out.splitlines()[0]
    assert ran.out.endswith("1 file, 0 findings: 1 not judged whole (3 findings not reported)\n")
    both = in_process("check", "--ignore", "KNN", "bad-members.knn", "half-adam.knn").out
    assert both.endswith("2 files, 0 findings: 1 conforms, 1 not judged whole (3 findings not reported)\n")
    report = json.loads(in_process("check", "--ignore", "KNN", "--format", "json", "bad-members.knn").out)
    assert (report["files"][0]["verdict"], report["files"][0]["hidden"]) == ("not judged whole", 3)


def test_findings_that_were_left_out_are_counted_beside_those_that_were_not(folder: Path) -> None:
    ran = in_process("check", "--select", "KNN-MEM-01", "bad-members.knn")
    assert ran.code == 1
    assert "1 file, 1 finding: 1 does not conform (2 findings not reported)\n" in ran.out


@pytest.mark.parametrize("option", ["--select", "--ignore"])
@pytest.mark.parametrize("given", ["KNN-BLOCK", "KNN-HDR,KNN-BLOCK"])
def test_a_prefix_with_which_no_rule_begins_is_wrong_use(folder: Path, option: str, given: str) -> None:
    ran = in_process("check", option, given, "bad-blocks.knn")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith("error: no rule begins with 'KNN-BLOCK'; `bitproof explain` lists them all\n")


def test_prefixes_of_rules_are_taken_in_either_case_as_explain_takes_them(folder: Path) -> None:
    assert in_process("check", "--select", "k", "bad-blocks.knn").code == 1
    assert in_process("check", "--select", "tla", "bad-blocks.knn").code == 0


def test_one_of_a_thing_is_said_in_the_singular(tmp_path: Path) -> None:
    values = b'{"format": "torchlean_state_binary_8_23_127_ieee_v1", "state": [{"shape": [2], "values": [0]}]}'
    for name, file, said in (
        ("cut.knn", GOOD[:1], "found: 1 byte\n"),
        ("short.json", values, "found: 1 value\n"),
    ):
        (tmp_path / name).write_bytes(file)
        out = in_process("check", str(tmp_path / name)).out
        assert said in out, out


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
