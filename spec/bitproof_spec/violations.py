"""What is wrong with a file or value: findings, never exceptions, until an API has to fail.

A `Violation` is one broken rule at one place. `Violations` is a verdict that refuses; a judge returns it instead of
a document. `CheckpointError` carries a verdict out of an API that must fail; nothing else ever leaves a reader.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Violation(NamedTuple):
    """One broken rule: where it was broken, what was found there and what was owed.

    `where` is a half-open byte range (`0x18..0x20`) or a JSON pointer (`/tensors/3/shape`).
    """

    rule: str
    where: str
    found: str
    owed: str

    def __str__(self) -> str:
        return f"{self.rule} at {self.where}: found {self.found}, owed {self.owed}"


class Violations:
    """A verdict that refuses: at least one violation, in the one deterministic order of the judge.

    ValueError for none, TypeError for anything but a tuple of them: a violation is a tuple itself, of texts.
    """

    __slots__ = ("all",)

    def __init__(self, all: tuple[Violation, ...]) -> None:
        if not _violations(all):
            raise TypeError("a tuple of violations is owed, as in Violations((violation,))")
        if not all:
            raise ValueError("a refusal names at least one violation")
        self.all = all

    def __iter__(self) -> Iterator[Violation]:
        return iter(self.all)

    def __len__(self) -> int:
        return len(self.all)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Violations) and self.all == other.all

    def __hash__(self) -> int:
        return hash(self.all)

    def __repr__(self) -> str:
        return f"Violations({self.all!r})"


def _violations(given: object) -> bool:
    """Whether this is a tuple of violations, and not one violation."""
    if not isinstance(given, tuple) or isinstance(given, Violation):
        return False
    return all(isinstance(each, Violation) for each in given)


class CheckpointError(ValueError):
    """A file or value that breaks the specification, raised by an API that must fail.

    `violations` holds every finding; `subject` is what was judged (a path, escaped, or "").
    """

    def __init__(self, violations: Violations, subject: str = "") -> None:
        lines = [str(violation) for violation in violations]
        super().__init__("\n  ".join([f"{subject or 'checkpoint'} refused:", *lines]))
        self.violations = violations.all
        self.subject = subject
