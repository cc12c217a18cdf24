"""The schema of a TLADAMF file: every state tensor's shape, whether it is trained, and which slot owns its storage.

Two slots are aliases only when they share storage. An alias tag is 0 for a frozen slot, else 1 + the index of the
slot that owns the storage: not after it, trainable, of the same dims, owning itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bitproof_spec.findings import Findings
from bitproof_spec.format import Segment
from bitproof_spec.torchlean.framing import RANK_LIMIT, TENSOR_LIMIT, Cursor, nat64, nat64s, product, span
from bitproof_spec.torchlean.optimizer_document import SlotSchema


def segments(slots: Sequence[SlotSchema], *, aliases: bool) -> Iterator[Segment]:
    """Slot count, slots, and the alias tags when the version has them."""
    yield Segment("TLA-CNT-01", nat64(len(slots)))
    for slot in slots:
        yield Segment("TLA-RNK-01", nat64(len(slot.dims)))
        yield Segment("TLA-SIZ-01", nat64s(slot.dims) + nat64(product(slot.dims)))
        yield Segment("TLA-FLG-01", nat64(slot.trainable))
    if aliases:
        for slot in slots:
            yield Segment("TLA-ALS-01", nat64(0 if slot.owner is None else 1 + slot.owner))


def read(cursor: Cursor, findings: Findings, slots: list[SlotSchema], *, aliases: bool) -> bool:
    """Fill `slots`; false where the reading can't go on. Without aliases every trainable slot owns itself."""
    count, where = cursor.nat("TLA-CNT-01"), span(cursor.at - 8, 8)
    if not findings.owe(count <= TENSOR_LIMIT, "TLA-CNT-01", where, count, f"at most {TENSOR_LIMIT}"):
        return False
    for index in range(count):
        slot = _slot(cursor, findings, index)
        if slot is None:
            return False
        slots.append(slot)
    if aliases:
        start = cursor.at
        tags = [cursor.nat("TLA-ALS-01") for _ in slots]
        owned = [_owner(slots, tags, index, findings, span(start + 8 * index, 8)) for index in range(count)]
        slots[:] = [SlotSchema(slot.dims, slot.trainable, owner) for slot, owner in zip(slots, owned, strict=True)]
    return True


def _slot(cursor: Cursor, findings: Findings, index: int) -> SlotSchema | None:
    rank = cursor.nat("TLA-RNK-01")
    if not findings.owe(rank <= RANK_LIMIT, "TLA-RNK-01", span(cursor.at - 8, 8), rank, f"at most {RANK_LIMIT}"):
        return None
    dims = cursor.nats("TLA-SIZ-01", rank)
    count, owed = cursor.nat("TLA-SIZ-01"), product(dims)
    findings.owe(count == owed, "TLA-SIZ-01", span(cursor.at - 8, 8), count, f"{owed}, the product of its dims")
    flag = cursor.nat("TLA-FLG-01")
    findings.owe(flag in (0, 1), "TLA-FLG-01", span(cursor.at - 8, 8), flag, "0 or 1")
    return SlotSchema(dims, flag != 0, index if flag != 0 else None)


def _owner(slots: Sequence[SlotSchema], tags: Sequence[int], index: int, findings: Findings, where: str) -> int | None:
    """The owner that a tag names, judged; where it is wrong, the slot itself when trainable."""
    slot, tag = slots[index], tags[index]
    if not findings.owe((tag == 0) == (not slot.trainable), "TLA-ALS-01", where, tag, "0 exactly for a frozen slot"):
        return slot.owner
    if tag == 0 or not findings.owe(tag <= index + 1, "TLA-ALS-02", where, tag, f"at most {index + 1}"):
        return slot.owner
    if tag > len(slots):
        return slot.owner
    owner = slots[tag - 1]
    itself = owner.trainable and tags[tag - 1] == tag
    findings.owe(itself, "TLA-ALS-03", where, f"slot {tag - 1}", "a trainable slot that owns itself")
    findings.owe(owner.dims == slot.dims, "TLA-ALS-04", where, list(owner.dims), f"{list(slot.dims)}, as the slot")
    return tag - 1
