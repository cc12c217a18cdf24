"""Collecting the findings of one phase of a judge: all of them, in order, bounded.

A judge asks `owe(condition, rule, …)` for every rule. Rules can be switched off, which makes the mutants against
which a conformance suite is measured: a rule that is off is taken to hold, and the judge goes on.
"""

from __future__ import annotations

from bitproof_spec.violations import Violation, Violations

FINDINGS_LIMIT = 100


def counted(number: int, noun: str) -> str:
    """A number and its noun, as findings put it: "1 byte", "1200 bytes"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


class Findings:
    """The findings of one phase; after `limit` of them only their number grows, and memory does not."""

    def __init__(
        self, without: frozenset[str] = frozenset(), limit: int = FINDINGS_LIMIT, more: str = "GEN-MORE-01"
    ) -> None:
        self._without = without
        self._limit = limit
        self._more = more
        self._kept: list[Violation] = []
        self._dropped = 0

    def owe(self, holds: bool, rule: str, where: str, found: object, owed: object) -> bool:
        """Record a finding unless `holds`; true when the judge may go on as if the rule held."""
        return holds or self.add(rule, where, found, owed)

    def add(self, rule: str, where: str, found: object, owed: object) -> bool:
        """Record a finding; true when `rule` is switched off and so nothing was recorded."""
        if rule in self._without:
            return True
        if len(self._kept) < self._limit:
            self._kept.append(Violation(rule, where, str(found), str(owed)))
        else:
            self._dropped += 1
        return False

    def __bool__(self) -> bool:
        return bool(self._kept)

    def verdict(self) -> Violations | None:
        """The refusal that the findings amount to, or None when there are none."""
        if not self._kept:
            return None
        rest = (Violation(self._more, "/", f"{self._dropped} more findings", "none"),) if self._dropped else ()
        return Violations((*self._kept, *rest))
