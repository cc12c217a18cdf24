"""What the checker says of one file, as plain values that can cross processes."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple


class Exit(IntEnum):
    """How a command ends; also what a file amounts to."""

    OK = 0
    REFUSED = 1
    FAILED = 2


class Finding(NamedTuple):
    """A broken rule at a place, with the severity and the one line of meaning that its rule gives it."""

    rule: str
    severity: str
    where: str
    found: str
    owed: str
    meaning: str


class Report(NamedTuple):
    """The verdict on one file.

    `format` is a format's name, "" when none is known; `size` is in bytes, None when the file couldn't be opened.
    `hidden` counts errors that were not selected. `trouble` is why the file couldn't be looked at, else "".
    """

    path: str
    format: str = ""
    title: str = ""
    size: int | None = None
    findings: tuple[Finding, ...] = ()
    hidden: int = 0
    trouble: str = ""

    @property
    def judged_whole(self) -> bool:
        """Whether every error that was found is reported; a file of which that isn't so is never said to conform."""
        return not self.hidden

    @property
    def outcome(self) -> Exit:
        """FAILED when it couldn't be looked at, REFUSED with an error among its findings, else OK."""
        if self.trouble:
            return Exit.FAILED
        return Exit.REFUSED if any(finding.severity == "error" for finding in self.findings) else Exit.OK


class Selection(NamedTuple):
    """Which rules are reported, by prefixes of their ids; no `select` means all."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def takes(self, rule: str) -> bool:
        """Whether a finding of that rule is reported."""
        return (not self.select or rule.startswith(self.select)) and not (self.ignore and rule.startswith(self.ignore))


def worst(outcomes: Iterable[Exit]) -> Exit:
    """The outcome of many; of none at all FAILED, since nothing was checked."""
    return max(outcomes, default=Exit.FAILED)
