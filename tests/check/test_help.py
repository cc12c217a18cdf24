"""Help that a newcomer can follow: every example in it runs."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from bitproof.cli import COMMANDS, EXAMPLES
from bitproof_spec.format import encode
from bitproof_spec.klyn.container import KNN
from bitproof_spec.klyn.vectors.models import HALF_ADAM
from tests.check.command import in_process
from tests.check.files import changed

TEXTS = {"": EXAMPLES, **{name: import_module(f"bitproof.commands.{name}").EXAMPLES for name in COMMANDS}}
LINE = re.compile(r"^  (bitproof [^ ].*?)(?:  .*)?$", re.MULTILINE)
RUN = [line for text in TEXTS.values() for line in LINE.findall(text) if not set(line) & set("<|*")]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files that the examples name."""
    (tmp_path / "checkpoints").mkdir()
    for name in ("model.knn", "before.knn", "checkpoints/last.knn"):
        (tmp_path / name).write_bytes(encode(KNN, HALF_ADAM))
    (tmp_path / "after.knn").write_bytes(changed())
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("line", [line for line in RUN if "export" not in line])
def test_every_example_runs(folder: Path, line: str) -> None:
    ran = in_process(*line.split()[1:])
    assert ran.err == ""
    assert ran.code == (1 if " diff " in line else 0)
    assert ran.out


def test_there_are_examples_for_every_command() -> None:
    assert len(RUN) >= 15
    for name, text in TEXTS.items():
        assert f"bitproof {name or 'check'} " in text
        assert "Exit status" in text or not name
        assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str) -> None:
    ran = in_process(name, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert TEXTS[name].splitlines()[1] in ran.out


def test_no_command_is_exit_status_2_with_help() -> None:
    ran = in_process()
    assert ran.code == 2
    assert "examples:" in ran.out
    assert in_process("nonsense").code == 2
