"""Every rule there is. Imports the specification of every format, so it's imported where a rule was asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bitproof.check.general import GENERAL
from bitproof.check.registry import FORMATS
from bitproof_spec.klyn.rules_target import TARGET_RULES
from bitproof_spec.layout_rules import LAYOUT_RULES
from bitproof_spec.rules import Rule


def every_rule() -> Iterator[tuple[str, Rule]]:
    """Every rule with the name of what it is about, always in the same order."""
    for book in (*(known.load().rules for known in FORMATS), TARGET_RULES, LAYOUT_RULES, GENERAL):
        yield from ((book.format, rule) for rule in book)


def without_rule(prefixes: Iterable[str]) -> list[str]:
    """The prefixes with which no rule's id begins."""
    ids = [rule.id for _, rule in every_rule()]
    return [prefix for prefix in prefixes if not any(id.startswith(prefix) for id in ids)]


def nearest(asked: str) -> list[str]:
    """The ids of rules, at most three, for which `asked` may be a slip; none where nothing comes near."""
    from difflib import get_close_matches

    return get_close_matches(asked, [rule.id for _, rule in every_rule()], cutoff=0.75)
