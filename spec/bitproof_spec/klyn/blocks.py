"""Gate 7: the blocks against their digests, and the zeros between them."""

from __future__ import annotations

from collections.abc import Sequence

from bitproof_spec.document import Data
from bitproof_spec.findings import Findings
from bitproof_spec.format import View
from bitproof_spec.klyn.header import span
from bitproof_spec.klyn.manifest import Entry


def judge_blocks(
    view: View, entries: Sequence[Entry], manifest_end: int, start: int, findings: Findings
) -> tuple[Data, ...]:
    """The payloads in table order; findings in file order: for each block its padding in front, then its digest."""
    ranges = [(start + entry.offset, entry.length) for entry in entries]
    ends = [manifest_end, *(place + length for place, length in ranges)]
    gaps = [(end, place, _looked(view, end, place)) for end, (place, _) in zip(ends, ranges, strict=False)]
    payloads = view.blocks("KNN-BLK-01", ranges, digest=True)
    for entry, (end, place, gap), payload in zip(entries, gaps, payloads, strict=True):
        clean = gap.lstrip(b"\0")
        found = f"{clean[:1].hex()} at {place - len(clean):#x}"
        findings.owe(not clean, "KNN-PAD-01", span(end, place), found, "zeros")
        found = f"{payload.sha256.hex()}, {entry.id}"
        where = span(place, place + entry.length)
        findings.owe(payload.sha256 == entry.sha256, "KNN-BLK-01", where, found, entry.sha256.hex())
    return tuple(payload.data for payload in payloads)


def _looked(view: View, start: int, end: int) -> bytes:
    return view.look("KNN-PAD-01", start, end - start) if end > start else b""
