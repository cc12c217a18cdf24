"""A row of the ledger: a law, the parts that show it, and the broken twins that the same checks must refute.

A module `proofs/<system>/<law>.py` exposes one `LAW`. A part is made by `part(...)`, which runs one check over one
subject and over each twin of it, so that no twin can be refuted by another check than the one that counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal, NamedTuple, TypeAlias, TypeVar, get_args

T = TypeVar("T")

Outcome: TypeAlias = Literal["tested", "derived", "model-checked", "exhausted", "confirmed", "proved"]
Found: TypeAlias = Literal[Outcome, "refuted", "unknown"]

# From weak to strong, for "falls below" and for the weakest part of a law; the kinds are never mixed in print.
STRENGTH: Mapping[Found, int] = {found: rank for rank, found in enumerate(("refuted", "unknown", *get_args(Outcome)))}


class Result(NamedTuple):
    """What a check found: the outcome it reached, how many cases that covers, and one line of detail.

    `cases` is what the outcome speaks of: claims proved, conditions confirmed, inputs tried, states visited.
    "refuted" means a counterexample, named in `detail`; "unknown" means that the tool gave up.
    """

    outcome: Found
    cases: int
    detail: str = ""


Check: TypeAlias = Callable[[], Result]


class Part(NamedTuple):
    """One part of a law: what it shows, with which tool, the outcome it owes, its check, and its broken twins."""

    name: str
    by: str
    owed: Outcome
    check: Check
    twins: Mapping[str, Check]
    slow: bool


class Law(NamedTuple):
    """A law, its statement in one line, the outcome that is committed for the whole, and the parts that show it.

    All parts together show the statement, so the outcome of a law is that of its weakest part.
    """

    id: str
    statement: str
    committed: Outcome
    parts: tuple[Part, ...]


def part(
    name: str,
    by: str,
    owed: Outcome,
    check: Callable[[T], Result],
    subject: T,
    twins: Mapping[str, T],
    *,
    slow: bool = False,
) -> Part:
    """A part whose `check` must reach `owed` on `subject` and must refute every one of `twins`, of which it has some.

    `slow` parts run in the full ledger only. ValueError without twins: a check that can't fail shows nothing.
    """
    if not twins:
        raise ValueError(f"{name}: no broken twin")
    return Part(name, by, owed, partial(check, subject), {k: partial(check, twin) for k, twin in twins.items()}, slow)


def weakest(outcomes: tuple[Found, ...]) -> Found:
    """The outcome of a whole whose parts have these; "unknown" when there are none."""
    return min(outcomes, key=STRENGTH.__getitem__, default="unknown")
