"""Rules are data: each clause of a normative document has one, keyed by the same id."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Rule(NamedTuple):
    """One clause that can be broken alone.

    `id` is also the clause's id in the normative document; `phase` is the gate of the judge that checks it;
    `severity` is "error" or "advice"; `meaning` is one line for a report; `why` says what goes wrong without the
    rule; `example` is something that breaks it.
    """

    id: str
    phase: str
    meaning: str
    why: str
    example: str
    severity: str = "error"


class Rulebook:
    """The rules of one format, in the order of its document."""

    def __init__(self, format: str, rules: Sequence[Rule]) -> None:
        self.format = format
        self._by_id = {rule.id: rule for rule in rules}
        if len(self._by_id) != len(rules):
            raise ValueError(f"two rules of {format} share an id")

    def __iter__(self) -> Iterator[Rule]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def __contains__(self, id: object) -> bool:
        return id in self._by_id

    def __getitem__(self, id: str) -> Rule:
        """The rule of that id; KeyError when there is none."""
        return self._by_id[id]
