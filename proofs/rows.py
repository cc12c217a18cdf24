"""Running a law: each part's check and its twins, to a row of the ledger and to what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from time import perf_counter
from typing import NamedTuple

from proofs.law import STRENGTH, Check, Found, Law, Outcome, Part, Result, weakest


class PartRow(NamedTuple):
    """What a part reached, the twins that its check did not refute, and the seconds that both took."""

    part: Part
    result: Result
    unrefuted: tuple[str, ...]
    seconds: float


class Row(NamedTuple):
    """A law and its parts as they ran; empty when all of them are slow and only the quick ones were asked for."""

    law: Law
    parts: tuple[PartRow, ...]

    @property
    def outcome(self) -> Found:
        """The outcome of the weakest part."""
        return weakest(tuple(part.result.outcome for part in self.parts))

    @property
    def cases(self) -> int:
        """The cases of the parts that reached that outcome and no more: numbers of one kind."""
        return sum(part.result.cases for part in self.parts if part.result.outcome == self.outcome)

    @property
    def seconds(self) -> float:
        """Seconds of all parts."""
        return sum(part.seconds for part in self.parts)

    @property
    def tools(self) -> str:
        """How the law was shown."""
        return ", ".join(dict.fromkeys(part.part.by for part in self.parts))


def run(law: Law, *, quick: bool = False) -> Row:
    """Run the parts of a law, with `quick` only those that aren't slow."""
    return Row(law, tuple(_run_part(part) for part in law.parts if not (quick and part.slow)))


def _run_part(part: Part) -> PartRow:
    start = perf_counter()
    result = attempt(part.check)
    unrefuted = tuple(name for name, twin in part.twins.items() if attempt(twin).outcome != "refuted")
    return PartRow(part, result, unrefuted, perf_counter() - start)


def attempt(check: Check) -> Result:
    """The result of a check; one that raises has shown nothing and refuted nothing."""
    try:
        return check()
    except Exception as error:
        return Result("unknown", 0, f"{type(error).__name__}: {error}")


def failures(row: Row) -> Iterator[str]:
    """What is wrong with a law as it ran: parts below what they owe, twins that were not refuted."""
    for ran in row.parts:
        owed, (outcome, _, detail) = ran.part.owed, ran.result
        if STRENGTH[outcome] < STRENGTH[owed]:
            yield f"{row.law.id}: {ran.part.name}: {outcome}, owed {owed}: {detail}"
        for twin in ran.unrefuted:
            yield f"{row.law.id}: {ran.part.name}: the twin {twin!r} was not refuted"


def discrepancies(laws: Sequence[Law], committed: Mapping[str, Outcome]) -> Iterator[str]:
    """What is wrong with the laws that there are against the list of committed outcomes, before any of them runs."""
    found = [law.id for law in laws]
    yield from (f"{id}: committed, and yet no law" for id in committed if id not in found)
    yield from (f"{id}: more than one law of that id" for id in dict.fromkeys(found) if found.count(id) > 1)
    for law in laws:
        owed = weakest(tuple(part.owed for part in law.parts))
        if law.id not in committed:
            yield f"{law.id}: no committed outcome"
        elif law.committed != committed[law.id]:
            yield f"{law.id}: commits to {law.committed}, owed {committed[law.id]}"
        if STRENGTH[owed] < STRENGTH[law.committed]:
            yield f"{law.id}: commits to {law.committed}, and a part of it owes only {owed}"
