"""What people see, kept as text: every command into a pipe, and on narrow, wide and colourless terminals."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bitproof_spec.format import encode
from bitproof_spec.klyn.container import KNN
from bitproof_spec.klyn.vectors.models import HALF_ADAM, IMAGE
from tests.check.command import in_process, on_terminal
from tests.check.files import changed, fill
from tests.check.golden import owe_golden


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of every kind, and two to compare."""
    path = tmp_path_factory.mktemp("golden")
    fill(path)
    (path / "image.knn").write_bytes(encode(KNN, IMAGE))
    (path / "before.knn").write_bytes(encode(KNN, HALF_ADAM))
    (path / "after.knn").write_bytes(changed())
    return path


COMMANDS = {
    "check": (2, "check half-adam.knn bad-blocks.knn bad-members.knn page.html no-such-file"),
    "check-quiet": (1, "check --quiet half-adam.knn bad-blocks.knn"),
    "check-json": (2, "check --format json half-adam.knn bad-members.knn no-such-file"),
    "check-explain": (0, "check --explain KNN-HDR-06"),
    "inspect": (0, "inspect half-adam.knn"),
    "inspect-image": (0, "inspect image.knn"),
    "inspect-json": (0, "inspect --json sgd-momentum-dropout.knn"),
    "inspect-refused": (1, "inspect bad-blocks.knn"),
    "diff": (1, "diff before.knn after.knn"),
    "diff-equal": (0, "diff half-adam.knn half-adam.knn"),
    "diff-models": (1, "diff --limit 1 inference.knn no-tensors.knn"),
    "diff-json": (1, "diff --json before.knn after.knn"),
    "map": (0, "map half-adam.knn"),
    "map-header": (0, "map half-adam.knn 0x19"),
    "map-manifest": (0, "map half-adam.knn 1200"),
    "map-padding": (0, "map half-adam.knn 0x805"),
    "map-block": (0, "map inference.knn 0x285"),
    "explain": (0, "explain KNN-TAB-10"),
    "vectors-list": (0, "vectors list knn/blocks/*"),
    "vectors-show": (0, "vectors show knn/blocks/kernel-last-bit"),
    "vectors-show-json": (0, "vectors show --json knn/sizes/over-budget-0"),
    "help": (0, "--help"),
    "help-check": (0, "check --help"),
    "help-inspect": (0, "inspect --help"),
    "help-diff": (0, "diff --help"),
    "help-map": (0, "map --help"),
    "help-explain": (0, "explain --help"),
    "help-vectors": (0, "vectors --help"),
    "version": (0, "--version"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_output_of_a_command_is_the_one_that_is_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    code, line = COMMANDS[name]
    monkeypatch.chdir(folder)
    ran = in_process(*line.split())
    assert ran.code == code, ran.err
    shown = f"$ bitproof {line}\n{ran.out}" + "".join(f"! {text}\n" for text in ran.err.splitlines())
    owe_golden(name, re.sub(r"\b(spec_sha256\W+)[0-9a-f]{64}", r"\1<digest>", shown))


TERMINALS = {
    "terminal-narrow": ("inspect half-adam.knn", 44, {}),
    "terminal-usual": ("inspect half-adam.knn", 80, {}),
    "terminal-wide": ("inspect half-adam.knn", 120, {}),
    "terminal-no-color": ("check half-adam.knn bad-blocks.knn", 80, {"NO_COLOR": "1"}),
    "terminal-color": ("check half-adam.knn bad-blocks.knn", 80, {}),
    "terminal-dumb": ("check half-adam.knn bad-blocks.knn", 80, {"TERM": "dumb"}),
}


@pytest.mark.parametrize("name", TERMINALS)
def test_the_output_on_a_terminal_is_the_one_that_is_kept(folder: Path, name: str) -> None:
    line, columns, environment = TERMINALS[name]
    ran = on_terminal(*line.split(), cwd=folder, columns=columns, **environment)
    out = re.sub(r"\x1b\[[0-9;]*m", "", ran.out) if line.startswith("inspect") else ran.out.replace("\x1b", "␛")
    owe_golden(name, f"$ bitproof {line}\n{out}")
