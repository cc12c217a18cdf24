"""TLSF32B version 1: a state of binary32 tensors, streamed; no names, dtypes, flags, alignment or checksum.

    "TLSF32B", nat64 version = 1, nat64 tensor count;
    per tensor: nat64 rank, rank x nat64 dims, nat64 element count, 4 x count bytes of binary32, row-major

Normative document: spec/torchlean.md, clauses TLS-….
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bitproof_spec.document import Block, Leaf
from bitproof_spec.findings import Findings, counted
from bitproof_spec.format import Segment, View
from bitproof_spec.torchlean.framing import (
    MAGIC_LENGTH,
    RANK_LIMIT,
    TENSOR_LIMIT,
    Cursor,
    EndOfFile,
    nat64,
    nat64s,
    product,
    span,
)
from bitproof_spec.violations import Violations

MAGIC = b"TLSF32B"
VERSION = 1
OLD_MAGIC = b"TLPF32B"
ITEM_SIZE = 4


@dataclass(frozen=True)
class Tensors:
    """What a TLSF32B file says by itself: binary32 blocks in state order. `blocks` may be lazy, one at a time."""

    blocks: Sequence[Block]

    def leaves(self) -> Mapping[str, Leaf]:
        """The number of tensors, then each block by its position from 0."""
        return {"tensors": len(self.blocks), **{f"tensor {i}": block for i, block in enumerate(self.blocks)}}


@dataclass(frozen=True)
class Streamed:
    """The TLSF32B format. `max_bytes` bounds the sum of tensor bytes, inclusive, before a payload is read."""

    max_bytes: int | None = None
    without: frozenset[str] = frozenset()

    name = "tlsf32b"
    canonical = True

    def segments(self, document: Tensors, /) -> Iterator[Segment]:
        """The file, one tensor in memory at a time; ValueError for a block that isn't binary32."""
        yield Segment("TLS-HDR-01", MAGIC)
        yield Segment("TLS-HDR-02", nat64(VERSION))
        yield Segment("TLS-CNT-01", nat64(len(document.blocks)))
        for index in range(len(document.blocks)):
            yield from _segments(document.blocks[index])

    def judge(self, view: View, /) -> Tensors | Violations:
        """Magic, version, tensor count; per tensor rank, dims, element count, payload; then no byte more."""
        findings, table = Findings(self.without), _Table()
        cursor = Cursor(view)
        try:
            if self._header(cursor, findings) and table.read(cursor, findings):
                left = cursor.left
                findings.owe(left == 0, "TLS-END-01", span(cursor.at, left), counted(left, "byte"), "none")
        except EndOfFile as end:
            end.report(findings, "TLS-EOF-01", "TLS-PAY-01")
        total = sum(size for _, size in table.places)
        if self.max_bytes is not None:
            found = f"{counted(total, 'byte')} of tensors"
            findings.owe(total <= self.max_bytes, "TLS-MAX-01", "/", found, f"at most {self.max_bytes}")
        verdict = findings.verdict()
        if verdict is not None:
            return verdict
        payloads = view.blocks("TLS-PAY-01", table.places, digest=False)
        return Tensors(tuple(Block("binary32", s, p.data) for s, p in zip(table.shapes, payloads, strict=True)))

    def _header(self, cursor: Cursor, findings: Findings) -> bool:
        magic = cursor.take("TLS-HDR-01", MAGIC_LENGTH)
        if magic == OLD_MAGIC:
            advice = "a TLSF32B file: load it with the TorchLean that wrote it and save it again"
            return findings.add("TLS-OLD-01", span(0, 7), "a file of the old family TLPF32B", advice)
        if not findings.owe(magic == MAGIC, "TLS-HDR-01", span(0, 7), magic.hex(), MAGIC.hex()):
            return False
        version = cursor.nat("TLS-HDR-02")
        return findings.owe(version == VERSION, "TLS-HDR-02", span(7, 8), version, VERSION)


def _segments(block: Block) -> Iterator[Segment]:
    """One tensor, let go with its last segment, before the next one is asked for."""
    count = product(block.shape)
    if block.tag != "binary32" or len(block.data) != ITEM_SIZE * count:
        raise ValueError(f"TLSF32B holds binary32 tensors; {block.tag}{list(block.shape)} is none")
    yield Segment("TLS-RNK-01", nat64(len(block.shape)))
    yield Segment("TLS-SIZ-01", nat64s(block.shape))
    yield Segment("TLS-SIZ-01", nat64(count))
    yield Segment("TLS-PAY-01", block.data)


class _Table:
    """The shapes and payload places read so far."""

    def __init__(self) -> None:
        self.shapes: list[tuple[int, ...]] = []
        self.places: list[tuple[int, int]] = []

    def read(self, cursor: Cursor, findings: Findings) -> bool:
        """Read every tensor's frame; false where the reading can't go on."""
        count = cursor.nat("TLS-CNT-01")
        if not findings.owe(count <= TENSOR_LIMIT, "TLS-CNT-01", span(15, 8), count, f"at most {TENSOR_LIMIT}"):
            return False
        return all(self._tensor(cursor, findings) for _ in range(count))

    def _tensor(self, cursor: Cursor, findings: Findings) -> bool:
        rank = cursor.nat("TLS-RNK-01")
        where = span(cursor.at - 8, 8)
        if not findings.owe(rank <= RANK_LIMIT, "TLS-RNK-01", where, rank, f"at most {RANK_LIMIT}"):
            return False
        dims = cursor.nats("TLS-SIZ-01", rank)
        count, owed = cursor.nat("TLS-SIZ-01"), product(dims)
        where = span(cursor.at - 8, 8)
        if not findings.owe(count == owed, "TLS-SIZ-01", where, count, f"{owed}, the product of its dims"):
            return False
        self.places.append((cursor.payload(ITEM_SIZE * count), ITEM_SIZE * count))
        self.shapes.append(dims)
        return True


TLSF32B = Streamed()
