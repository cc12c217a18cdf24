"""The severity of a broken rule and the line that says what it means."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bitproof.check.general import GENERAL
from bitproof.check.registry import Tools
from bitproof.check.report import Finding
from bitproof_spec.rules import Rule, Rulebook
from bitproof_spec.violations import Violation


def findings(violations: Iterable[Violation], tools: Tools[Any] | None) -> list[Finding]:
    """The violations with what their rules say; a rule that no book has is an error without a meaning."""
    books = (GENERAL, tools.rules) if tools else (GENERAL,)
    return [_finding(violation, _rule(violation.rule, books)) for violation in violations]


def _finding(violation: Violation, rule: Rule | None) -> Finding:
    severity, meaning = (rule.severity, rule.meaning) if rule else ("error", "")
    return Finding(violation.rule, severity, violation.where, violation.found, violation.owed, meaning)


def _rule(id: str, books: Iterable[Rulebook]) -> Rule | None:
    return next((book[id] for book in books if id in book), None)
