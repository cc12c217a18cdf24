"""Imports run one way and without a circle; the specification is pure; every file says what it is."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.core.source_tree import HOMES, ROOT, Source, circle, graph, imported, sources, used

# fmt: off
PURE = frozenset((
    "__future__", "abc", "binascii", "bisect", "collections", "contextlib", "copy", "dataclasses", "enum",
    "fractions", "functools", "hashlib", "heapq", "itertools", "json", "math", "operator", "re", "string",
    "struct", "textwrap", "types", "typing", "unicodedata", "zlib",
))
# fmt: on
"""Modules of the standard library that touch no file, process, clock or chance, and that the specification may use."""

MAY_IMPORT = {
    "bitproof_spec": {"bitproof_spec"},
    "bitproof": {"bitproof_spec", "bitproof"},
    "proofs": {"bitproof_spec", "bitproof", "proofs"},
}
PACKAGES = sorted(HOMES)


@pytest.mark.parametrize("package", sorted(MAY_IMPORT))
def test_imports_run_one_way(package: str) -> None:
    found = {(source.name, target) for source in sources(package) for target in imported(source)}
    own = {(name, target) for name, target in found if target.split(".")[0] in HOMES}
    assert own
    assert sorted((name, target) for name, target in own if target.split(".")[0] not in MAY_IMPORT[package]) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_make_no_circle(package: str) -> None:
    edges = graph(sources(package))
    assert any(edges.values())
    assert circle(edges) == []


def test_the_specification_imports_only_what_does_no_input_or_output() -> None:
    found = {(source.name, target) for source in sources("bitproof_spec") for target in imported(source)}
    outside = {(name, target) for name, target in found if target.split(".")[0] not in PURE | {"bitproof_spec"}}
    assert sorted(outside) == []
    assert sys.stdlib_module_names >= PURE


def test_the_specification_opens_nothing_and_makes_no_float() -> None:
    assert [f"{source.name}: {use}" for source in sources("bitproof_spec") for use in used(source)] == []


@pytest.mark.parametrize("package", ["bitproof_spec", "bitproof", "proofs"])
def test_every_file_says_what_it_is(package: str) -> None:
    assert [source.name for source in sources(package) if not ast.get_docstring(ast.parse(source.text))] == []


@pytest.mark.parametrize(
    ("edges", "found"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b", "c"}, "b": {"d"}, "c": {"d"}, "d": set()}, []),
        ({"a": {"b"}, "b": {"c"}, "c": {"b"}}, ["b", "c"]),
        ({"a": {"a"}}, ["a"]),
    ],
)
def test_a_circle_would_be_found(edges: dict[str, set[str]], found: list[str]) -> None:
    assert circle(edges) == found


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("import a.b, c as d", {"a.b", "c"}),
        ("from p.q import m, f", {"p.q.m", "p.q"}),
        ("from . import m", {"p.q.m"}),
        ("from .m import f", {"p.q.m"}),
        ("from .. import x", {"p"}),
        ("def f():\n    if True:\n        import late", {"late"}),
        ("try:\n    import a\nexcept ImportError:\n    pass", {"a"}),
    ],
)
def test_an_import_would_be_seen_wherever_it_stands(text: str, targets: set[str]) -> None:
    assert imported(Source("p.q.here", False, text), {"p.q.m"}) == targets
    assert imported(Source("p.q", True, text), {"p.q.m"}) == targets


@pytest.mark.parametrize(
    "text", ["open('x')", "x = 0.5", "x = 1 / 2", "x /= 2", "float(1)", "print()", "f = eval", "1j"]
)
def test_a_float_or_a_file_would_be_seen(text: str) -> None:
    assert len(list(used(Source("x", False, text)))) == 1


@pytest.mark.parametrize("text", ["x = 1 // 2", "x = '0.5'", "self.open()", "x = 2**-1 if y else 3"])
def test_whole_numbers_and_methods_are_not_mistaken_for_floats_and_files(text: str) -> None:
    assert list(used(Source("x", False, text))) == []


def interpreter(version: str) -> str | None:
    """A Python of that version on this machine, on the path or among pyenv's."""
    roots = [Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))]
    candidates = [shutil.which(f"python{version}")]
    candidates += [str(path) for root in roots for path in sorted(root.glob(f"versions/{version}.*/bin/python"))]
    for candidate in filter(None, candidates):
        answer = subprocess.run([candidate, "--version"], capture_output=True, text=True, check=False)
        if answer.stdout.startswith(f"Python {version}."):
            return candidate
    return None


IMPORT_ALL = """
import importlib, sys, warnings
warnings.simplefilter("error")
sys.path[:0] = [sys.argv[1], sys.argv[2]]
for name in sys.argv[3:]:
    importlib.import_module(name)
print(sorted(set(sys.modules) & {"numpy", "torch", "rich", "hypothesis"}))
"""


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_the_specification_and_the_command_line_import_on_every_python_without_anything_installed(
    version: str,
) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"no Python {version} on this machine")
    names = [source.name for source in sources("bitproof_spec")]
    command = [python, "-I", "-S", "-B", "-c", IMPORT_ALL, str(ROOT / "spec"), str(ROOT / "impl"), *names]
    out = subprocess.run(
        [*command, "bitproof.views", "bitproof.cli"], capture_output=True, text=True, check=False, timeout=60
    )
    assert (out.stdout.strip(), out.stderr) == ("[]", "")
