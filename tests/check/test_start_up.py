"""The checker starts at once: counted in modules, since time is only measured by `make bench`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.check.command import SOURCES
from tests.klyn.small_files import DATA, SMALL_FILES

HEAVY = {"numpy", "torch", "rich", "asyncio", "tempfile", "subprocess", "multiprocessing", "concurrent"}
UNNEEDED = {
    "bitproof.check.parallel",
    "bitproof.check.knn_overview",
    "bitproof.compare.words",
    "bitproof.drawing",
    "bitproof.identity",
    "bitproof.klyn",
    "bitproof_spec.klyn.rules",
    "bitproof_spec.klyn.vectors",
    "bitproof_spec.laws",
}
MOST = 110  # modules beyond those that a bare Python has; each costs about a fifth of a millisecond
CODE = """
import json, os, sys
from bitproof.cli import run
try:
    code = run(sys.argv[1:])
except SystemExit as end:
    code = end.code
print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)
"""


@cache
def modules(*arguments: str) -> tuple[int, frozenset[str]]:
    """The exit status of a command and the modules that it imported beyond those of a bare Python."""
    bare, done = (_run(code, *given) for code, given in ((_BARE, ()), (CODE, arguments)))
    code, imported = json.loads(done.splitlines()[-1])
    return code, frozenset(imported) - frozenset(json.loads(bare)[1])


_BARE = "import json, sys; print(json.dumps([0, sorted(sys.modules)]), file=sys.stderr)"


def _run(code: str, *arguments: str) -> str:
    command = [sys.executable, "-c", f"import sys; sys.path[:0] = {SOURCES.split(os.pathsep)}\n{code}", *arguments]
    return subprocess.run(command, capture_output=True, check=True, text=True).stderr


GOOD = str(DATA / "half-adam.knn")


@pytest.mark.parametrize("arguments", [("check", GOOD), ("check", "--format", "json", GOOD), ("map", GOOD)])
def test_a_check_imports_neither_numpy_nor_torch_nor_what_draws(arguments: tuple[str, ...]) -> None:
    code, imported = modules(*arguments)
    assert code == 0
    assert {name.split(".")[0] for name in imported} & HEAVY == set()


def test_a_check_of_a_conforming_file_imports_what_it_needs_and_no_more() -> None:
    code, imported = modules("check", GOOD)
    assert code == 0
    assert {name for name in imported for unneeded in UNNEEDED if f"{name}.".startswith(f"{unneeded}.")} == set()
    assert len(imported) <= MOST


def test_only_a_refusal_imports_the_texts_of_rules(tmp_path: Path) -> None:
    (tmp_path / "bad.knn").write_bytes(SMALL_FILES["half-adam"][:-1])
    code, imported = modules("check", str(tmp_path / "bad.knn"))
    assert code == 1
    assert "bitproof_spec.klyn.rules" in imported
    assert {name.split(".")[0] for name in imported} & HEAVY == set()


def test_help_and_version_import_no_format() -> None:
    for arguments in (("--help",), ("--version",)):
        _, imported = modules(*arguments)
        assert not any(name.startswith("bitproof_spec.klyn") for name in imported)


def test_a_table_is_drawn_with_rich_and_without_numpy() -> None:
    code, imported = modules("inspect", GOOD)
    assert code == 0
    assert "rich.table" in imported
    assert {"numpy", "torch"} & imported == set()
