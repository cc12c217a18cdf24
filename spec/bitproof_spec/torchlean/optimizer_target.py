"""What an optimizer target owes of a file that the judge accepts, checked in one order, all findings collected.

Order: the backend updates its own state; version against aliases; kind; bound configuration; slot count; per slot
dims and flag; aliases; a counter to restore. Normative document: spec/torchlean.md, clauses TLA-TGT-… and TLA-CTR-01.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from bitproof_spec.torchlean.framing import NAT64_LIMIT
from bitproof_spec.torchlean.optimizer_document import KINDS, Config, OptimizerState, SlotSchema
from bitproof_spec.violations import Violation


class OptimizerFacts(NamedTuple):
    """What a live optimizer says of itself.

    `backend` says what it is and `owns_state` whether it keeps Adam or AdamW state that it updates itself; `bound` is
    the configuration once an update bound it; `counted` tells whether there is a random counter to restore.
    """

    backend: str
    owns_state: bool
    kind: int
    bound: Config | None
    slots: tuple[SlotSchema, ...]
    counted: bool


def ownerless(facts: OptimizerFacts) -> Iterator[Violation]:
    """The one finding of every save from and load into a backend that owns no such state."""
    if not facts.owns_state:
        yield Violation("TLA-TGT-01", "/", facts.backend, "a backend that owns Adam or AdamW state")


def unready(facts: OptimizerFacts, counter: int, steps: Mapping[int, int]) -> Iterator[Violation]:
    """What keeps a target's state from being saved: no owner, no update yet, numbers that don't fit.

    `steps` counts the updates by slot.
    """
    yield from ownerless(facts)
    if not facts.owns_state:
        return
    owned = [index for index, slot in enumerate(facts.slots) if slot.owner == index]
    if facts.bound is None or any(index not in steps for index in owned):
        yield Violation("TLA-TGT-08", "/", "a backend before its first update", "initialised optimizer state")
    if counter >= NAT64_LIMIT:
        yield Violation("TLA-CTR-01", "/counter", hex(counter), "a random counter below 2^64")
    for index in owned:
        if steps.get(index, 1) >= NAT64_LIMIT:
            yield Violation("TLA-ENT-05", f"/slots/{index}/step", hex(steps[index]), "from 1 to 2^64 - 1")


def misfits(document: OptimizerState, facts: OptimizerFacts) -> Iterator[Violation]:
    """Every way in which a document doesn't fit a target."""
    if not facts.owns_state:
        yield from ownerless(facts)
        return
    aliased = any(slot.owner not in (None, index) for index, slot in enumerate(facts.slots))
    if document.version == 2 and aliased:
        yield Violation("TLA-TGT-02", "/version", "2, which has no aliases", "3 or 4 for a target with aliases")
    if document.config.kind != facts.kind:
        yield Violation("TLA-TGT-03", "/kind", KINDS[document.config.kind], KINDS[facts.kind])
    if facts.bound is not None:
        yield from _config(document.config, facts.bound)
    yield from _slots(document.slots, facts.slots, aliases=document.version != 2)
    if document.counter is not None and not facts.counted:
        yield Violation("TLA-CTR-01", "/counter", str(document.counter), "a target with a random counter")


def _config(found: Config, owed: Config) -> Iterator[Violation]:
    """All five members bit for bit; the kind is compared by its own rule."""
    mine, theirs = owed.leaves(), found.leaves()
    for name in mine:
        if name != "kind" and mine[name] != theirs[name]:
            yield Violation("TLA-TGT-04", f"/{name}", str(theirs[name]), str(mine[name]))


def _slots(found: Sequence[SlotSchema], owed: Sequence[SlotSchema], *, aliases: bool) -> Iterator[Violation]:
    if len(found) != len(owed):
        yield Violation("TLA-TGT-05", "/slots", f"{len(found)} slots", f"{len(owed)}")
    for index, (theirs, mine) in enumerate(zip(found, owed, strict=False)):
        if theirs.dims != mine.dims:
            yield Violation("TLA-TGT-06", f"/slots/{index}", str(list(theirs.dims)), str(list(mine.dims)))
        if theirs.trainable != mine.trainable:
            yield Violation("TLA-TGT-06", f"/slots/{index}", _flag(theirs), _flag(mine))
        elif aliases and theirs.owner != mine.owner:
            yield Violation("TLA-TGT-07", f"/slots/{index}", f"owned by {theirs.owner}", f"owned by {mine.owner}")


def _flag(slot: SlotSchema) -> str:
    return "trained" if slot.trainable else "frozen"
