"""What the command line does when its streams are full, closed or a terminal: one line, exit status 2, no traceback."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.check.command import SOURCES, START, on_terminal
from tests.klyn.small_files import SMALL_FILES


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line of the shell in which `bitproof` is the command; its standard error and what it still can print."""
    environment = {**os.environ, "PYTHONPATH": SOURCES, "PYTHON": sys.executable}
    script = f'bitproof() {{ "$PYTHON" -c \'{START}\' "$@"; }}; {line}'
    return subprocess.run(
        ["sh", "-c", script], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


COMMANDS = (
    "check half-adam.knn",
    "check --format json half-adam.knn",
    "inspect half-adam.knn",
    "vectors list knn/blocks/*",
    "check --help",
    "vectors show --help",
    "--help",
    "--version",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_is_one_line_and_exit_status_2(folder: Path, command: str) -> None:
    ran = shell(f"bitproof {command} > /dev/full", folder)
    assert (ran.returncode, ran.stderr) == (2, "bitproof: No space left on device\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_closed_standard_output_is_one_line_and_exit_status_2(folder: Path, command: str) -> None:
    ran = shell(f"bitproof {command} >&-", folder)
    assert (ran.returncode, ran.stderr) == (2, "bitproof: standard output is closed\n")


@pytest.mark.parametrize("redirected", ["2>&-", "2>/dev/full", ">&- 2>&-", "<&- 2>&-", "> /dev/full 2>/dev/full"])
@pytest.mark.parametrize("command", ["check no-such-file", "inspect no-such-file", "check --no-such-option"])
def test_where_nothing_can_be_told_the_exit_status_tells_it(folder: Path, command: str, redirected: str) -> None:
    ran = shell(f"bitproof {command} {redirected}", folder)
    assert (ran.returncode, ran.stderr) == (2, "")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_standard_input_that_was_closed_from_the_start_could_not_be_looked_at(folder: Path, jobs: int) -> None:
    ran = shell(f"bitproof check --jobs {jobs} half-adam.knn - no-tensors.knn <&-", folder)
    assert (ran.returncode, ran.stderr) == (2, "")
    assert "standard input: not checked: Bad file descriptor" in ran.stdout
    assert "3 files, 0 findings: 2 conform, 1 could not be checked" in ran.stdout


def test_bytes_are_not_written_to_a_terminal(folder: Path) -> None:
    ran = on_terminal("vectors", "show", "--raw", "knn/header/cut-to-63", cwd=folder, columns=80)
    assert ran.code == 2
    assert "redirect" in ran.out
    assert "KNN\r" not in ran.out


@pytest.mark.parametrize(
    ("given", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False), ({"NO_COLOR": ""}, True)]
)
@pytest.mark.parametrize("command", ["check", "inspect"])
def test_commands_agree_on_whether_a_terminal_gets_styles(
    folder: Path, command: str, given: dict[str, str], coloured: bool
) -> None:
    ran = on_terminal(command, "half-adam.knn", cwd=folder, columns=80, **given)
    assert ran.code == 0
    assert ("\x1b[" in ran.out) == coloured


@pytest.mark.parametrize("delay", [0.05, 0.15, 0.3, 0.6])
def test_an_interrupt_while_processes_start_is_exit_status_130_and_no_traceback(tmp_path: Path, delay: float) -> None:
    for number in range(40):
        (tmp_path / f"{number}.knn").write_bytes(SMALL_FILES["half-adam"])
    started = tmp_path / "started"
    before = f"import bitproof.commands.check; open({str(started)!r}, 'w').close(); "
    child = subprocess.Popen(
        [sys.executable, "-c", f"{before}{START}", "check", "--jobs", "2", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": SOURCES},
        start_new_session=True,
    )
    while not started.exists() and child.poll() is None:
        time.sleep(0.01)
    time.sleep(delay)
    if child.poll() is None:
        os.killpg(child.pid, signal.SIGINT)  # as a terminal does: to every process of the group
    out, err = child.communicate(timeout=60)
    assert err == b""
    assert child.returncode in (0, 130)
    assert child.returncode or re.search(rb"40 files, 0 findings", out)
