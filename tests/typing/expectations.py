"""What a program expects mypy to say: `# E: code fragment` beside the line, once for each error."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.typing.mypy_run import Said

MARK = "# E: "


class Expected(NamedTuple):
    """One error that is owed: its code, and a fragment of its text that says what is wrong."""

    path: Path
    line: int
    code: str
    fragment: str

    def met_by(self, said: Said) -> bool:
        """Whether this is the error that is owed."""
        return (said.path, said.line, said.code) == self[:3] and self.fragment in said.text


def expectations(path: Path) -> Iterator[Expected]:
    """Every error that a program says it owes; ValueError for a mark without code or fragment."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for owed in line.split(MARK)[1:]:
            code, _, fragment = owed.strip().partition(" ")
            if not fragment:
                raise ValueError(f"{path.name}:{number}: a mark is `{MARK}code fragment`, not {owed!r}")
            yield Expected(path, number, code, fragment)


def mismatches(expected: Sequence[Expected], said: Sequence[Said]) -> list[str]:
    """Errors that are owed and weren't said, and those said that nobody owed; each error meets one expectation."""
    open_: dict[tuple[Path, int], list[Said]] = defaultdict(list)
    for error in said:
        open_[error.path, error.line].append(error)
    found: list[str] = []
    for owed in expected:
        here = open_[owed.path, owed.line]
        match = next(filter(owed.met_by, here), None)
        if match is None:
            found.append(f"{owed.path.name}:{owed.line}: owed [{owed.code}] {owed.fragment}")
        else:
            here.remove(match)
    left = (error for errors in open_.values() for error in errors)
    return [*found, *(f"{error.path.name}:{error.line}: nobody owed [{error.code}] {error.text}" for error in left)]
