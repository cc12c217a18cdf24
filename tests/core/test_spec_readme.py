"""`spec/README.md` beside the code: its tables name every module and every law, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from proofs.committed import COMMITTED
from proofs.ledger import modules

SPEC = Path(__file__).parent.parent.parent / "spec"
README = (SPEC / "README.md").read_text()


def rows(section: str) -> Iterator[list[str]]:
    """The cells of a section's table, its head left off."""
    text = README.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    yield from ([cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[1:])


def test_every_module_and_package_has_a_row_and_every_row_a_module() -> None:
    package = SPEC / "bitproof_spec"
    files = [file.stem for file in package.glob("*.py") if file.stem != "__init__"]
    folders = [file.parent.name for file in package.glob("*/__init__.py")]
    assert sorted(cells[0].strip("`") for cells in rows("Modules")) == sorted([*files, *folders])


def test_every_document_has_a_row_and_every_row_a_document_and_modules() -> None:
    named = {cells[0].strip("`"): re.findall(r"`(\w+)`", cells[2]) for cells in rows("Documents")}
    assert sorted(named) == sorted(f"spec/{file.name}" for file in SPEC.glob("*.md") if file.name != "README.md")
    listed = {cells[0].strip("`") for cells in rows("Modules")}
    assert {module for modules in named.values() for module in modules} <= listed


def test_the_table_of_laws_is_the_ledger() -> None:
    laws = {law.id: (law.statement, COMMITTED[law.id], f"`{module}`") for module, law in modules().items()}
    assert {id: (statement, outcome, proof) for id, statement, outcome, proof in rows("Laws")} == laws
    assert [id for id, *_ in rows("Laws")] == [*COMMITTED]
