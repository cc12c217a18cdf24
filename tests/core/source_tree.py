"""What the sources import and use, read from their syntax trees: nothing is executed."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Set
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
HOMES = {"bitproof_spec": ROOT / "spec", "bitproof": ROOT / "impl", "proofs": ROOT, "tests": ROOT}
NOT_SOURCES = ROOT / "tests" / "typing" / "programs"


class Source(NamedTuple):
    """One file of the project: its dotted name, whether it is a package, and its text."""

    name: str
    is_package: bool
    text: str


def sources(package: str) -> Iterator[Source]:
    """The files of a package, in one order."""
    home = HOMES[package]
    for path in sorted((home / package).rglob("*.py")):
        if NOT_SOURCES in path.parents:
            continue
        parts = path.relative_to(home).with_suffix("").parts
        is_package = parts[-1] == "__init__"
        yield Source(".".join(parts[:-1] if is_package else parts), is_package, path.read_text("utf-8"))


def imported(source: Source, known: Set[str] = frozenset()) -> set[str]:
    """The modules that a file imports, anywhere in it; `from a import b` is a.b where that is a known module."""
    found = set()
    for node in ast.walk(ast.parse(source.text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(source, node)
            found |= {f"{base}.{alias.name}" if f"{base}.{alias.name}" in known else base for alias in node.names}
    return found


def graph(files: Iterator[Source]) -> dict[str, set[str]]:
    """Which module of the files imports which of them."""
    listed = list(files)
    known = {source.name for source in listed}
    return {source.name: imported(source, known) & known for source in listed}


def circle(edges: Mapping[str, Set[str]]) -> list[str]:
    """The modules of one circle of imports, in order; empty when there is none."""
    free: set[str] = set()  # modules from which no circle can be reached
    path: list[str] = []

    def visit(module: str) -> list[str]:
        if module in path:
            return path[path.index(module) :]
        if module in free:
            return []
        path.append(module)
        for target in sorted(edges.get(module, ())):
            if found := visit(target):
                return found
        free.add(path.pop())
        return []

    return next((found for module in sorted(edges) if (found := visit(module))), [])


def used(source: Source) -> Iterator[str]:
    """What no file of the specification may use: builtins that reach outside, and everything that makes a float."""
    for node in ast.walk(ast.parse(source.text)):
        if isinstance(node, ast.Name) and node.id in FORBIDDEN_NAMES:
            yield f"line {node.lineno}: {node.id}"
        elif isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            yield f"line {node.lineno}: {node.value}"
        elif isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            yield f"line {node.lineno}: a division that isn't of whole numbers"


FORBIDDEN_NAMES = frozenset(
    ("open", "print", "input", "exec", "eval", "compile", "breakpoint", "__import__", "float", "complex")
)


def _absolute(source: Source, node: ast.ImportFrom) -> str:
    """The module after `from`, dots in front resolved."""
    if not node.level:
        return node.module or ""
    parts = source.name.split(".")
    above = parts[: len(parts) - node.level + source.is_package]
    return ".".join([*above, node.module] if node.module else above)
