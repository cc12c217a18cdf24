"""The entries of a TLADAMF file: step and moments of every slot that owns its storage, in any order when read."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import NamedTuple

from bitproof_spec.document import Block
from bitproof_spec.findings import Findings
from bitproof_spec.format import Segment, View
from bitproof_spec.torchlean.framing import Cursor, nat64, product, span
from bitproof_spec.torchlean.optimizer_document import Entry, SlotSchema

ITEM_SIZE = 4


class Place(NamedTuple):
    """An entry before its payloads are read: `length` bytes of first moments at `start`, then as many of second."""

    slot: int
    step: int
    dims: tuple[int, ...]
    start: int
    length: int


def segments(entries: Sequence[Entry], slots: Sequence[SlotSchema]) -> Iterator[Segment]:
    """Entry count and the entries, one in memory at a time.

    ValueError unless they are in slot order, and each has binary32 moments of its slot's dims.
    """
    yield Segment("TLA-ENT-01", nat64(len(entries)))
    before = -1
    for index in range(len(entries)):
        before = yield from _segments(entries[index], slots, before)


def _segments(entry: Entry, slots: Sequence[SlotSchema], before: int) -> Generator[Segment, None, int]:
    """One entry, let go with its last segment, before the next one is asked for; returns its slot."""
    if not before < entry.slot < len(slots):
        raise ValueError(f"entries stand in slot order, not slot {entry.slot} of {len(slots)} after {before}")
    slot, dims = entry.slot, slots[entry.slot].dims
    yield Segment("TLA-ENT-03", nat64(slot))
    yield Segment("TLA-ENT-05", nat64(entry.step))
    yield Segment("TLA-ENT-06", nat64(product(dims)))
    for moment in (entry.first, entry.second):
        if (moment.tag, moment.shape, len(moment.data)) != ("binary32", dims, ITEM_SIZE * product(dims)):
            raise ValueError(f"a moment {moment.tag}{list(moment.shape)} in a slot of binary32{list(dims)}")
        yield Segment("TLA-PAY-01", moment.data)
    return slot


def read(cursor: Cursor, findings: Findings, slots: Sequence[SlotSchema], places: list[Place]) -> bool:
    """Fill `places`; false where the reading can't go on: another number of entries than slots that own storage."""
    owning = sum(slot.owner == index for index, slot in enumerate(slots))
    count, where = cursor.nat("TLA-ENT-01"), span(cursor.at - 8, 8)
    if not findings.owe(count == owning, "TLA-ENT-01", where, count, f"{owning}, the slots that own storage"):
        return False
    seen: set[int] = set()
    places.extend(_entry(cursor, findings, slots, seen) for _ in range(count))
    return True


def _entry(cursor: Cursor, findings: Findings, slots: Sequence[SlotSchema], seen: set[int]) -> Place:
    """Duplicate, range, owns state, step, size, payloads; the reading goes on by the entry's own count."""
    start = cursor.at
    index, step, count = cursor.nat("TLA-ENT-03"), cursor.nat("TLA-ENT-05"), cursor.nat("TLA-ENT-06")
    where = span(start, 8)
    dims: tuple[int, ...] = (count,)
    findings.owe(index not in seen, "TLA-ENT-02", where, f"slot {index} again", "each slot once")
    slot = slots[index] if index < len(slots) else None
    findings.owe(slot is not None, "TLA-ENT-03", where, index, f"below {len(slots)}")
    owns = slot is None or slot.owner == index
    findings.owe(owns, "TLA-ENT-04", where, f"slot {index}", "a slot that owns its storage")
    findings.owe(step >= 1, "TLA-ENT-05", span(start + 8, 8), step, "at least 1")
    if slot is not None:
        owed = product(slot.dims)
        findings.owe(count == owed, "TLA-ENT-06", span(start + 16, 8), count, f"{owed}, the slot's element count")
        dims = slot.dims if count == owed else dims
    seen.add(index)
    length = ITEM_SIZE * count
    return Place(index, step, dims, cursor.payload(2 * length), length)


def load(view: View, places: Sequence[Place]) -> tuple[Entry, ...]:
    """The entries in slot order, their payloads read in file order."""
    ranges = [(p.start + half * p.length, p.length) for p in places for half in (0, 1)]
    payloads = view.blocks("TLA-PAY-01", ranges, digest=False)
    entries = [
        Entry(p.slot, p.step, *(Block("binary32", p.dims, half.data) for half in payloads[2 * i : 2 * i + 2]))
        for i, p in enumerate(places)
    ]
    return tuple(sorted(entries, key=lambda entry: entry.slot))
