"""A KNN-like format: a 64-byte header, a hashed manifest, blocks of bytes at multiples of 64 with zeros between."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from hashlib import sha256

from bitproof_spec.alignment import align_up
from bitproof_spec.document import Block
from bitproof_spec.findings import Findings
from bitproof_spec.format import Segment, View
from bitproof_spec.violations import Violation, Violations
from tests.core.instances.knn_document import Knn, Manifest, manifest_from, manifest_of, text_of

MAGIC = b"\x89KNL\r\n\x1a\n" + struct.pack("<HHI", 1, 0, 0)
HEADER = 64
MANIFEST_LIMIT = 2**15


class KnnFormat:
    name = "knn-like"
    canonical = True

    def segments(self, document: Knn, /) -> Iterator[Segment]:
        text = text_of(manifest_of(document))
        here = HEADER + len(text)
        starts, size = layout(here, [len(block.data) for _, block in document.tensors])
        yield Segment("KNL-HEADER", header(text, size))
        yield Segment("KNL-MANIFEST", text)
        for start, (_, block) in zip(starts, document.tensors, strict=True):
            yield Segment("KNL-PAD", bytes(start - here))
            yield Segment("KNL-BLOCK", block.data)
            here = start + len(block.data)

    def judge(self, view: View, /) -> Knn | Violations:
        text = _judge_header(view)
        if isinstance(text, Violations):
            return text
        manifest = self.read(text)
        if manifest is None:
            return _refuse("KNL-MANIFEST", "0x40", "another text", "the canonical text of a manifest")
        starts, size = layout(HEADER + len(text), [row.nbytes for row in manifest.rows])
        if size != view.size:
            return _refuse("KNL-SIZE", "0x18..0x20", view.size, size)
        return _judge_blocks(view, HEADER + len(text), starts, manifest)

    def read(self, text: bytes) -> Manifest | None:
        """The manifest whose one text this is, or None."""
        return manifest_from(text)


KNN = KnnFormat()


def header(text: bytes, size: int) -> bytes:
    """The 64 bytes before a manifest, in a file of `size` bytes."""
    return MAGIC + struct.pack("<QQ", len(text), size) + sha256(text).digest()


def layout(end: int, lengths: Sequence[int]) -> tuple[list[int], int]:
    """Where blocks of these lengths start after a manifest that ends at `end`, and the size of the file."""
    starts = []
    for length in lengths:
        starts.append(align_up(end))
        end = starts[-1] + length
    return starts, end


def _judge_header(view: View) -> bytes | Violations:
    """The manifest's text, once the header says where it is and its digest agrees."""
    head = view.look("KNL-HEADER", 0, min(HEADER, view.size))
    if len(head) < HEADER or not head.startswith(MAGIC):
        return _refuse("KNL-MAGIC", "0x0..0x10", head[:16].hex(), MAGIC.hex())
    length, size = struct.unpack("<QQ", head[16:32])
    if size != view.size:
        return _refuse("KNL-SIZE", "0x18..0x20", size, view.size)
    if not 1 <= length <= min(MANIFEST_LIMIT, view.size - HEADER):
        return _refuse("KNL-LENGTH", "0x10..0x18", length, f"1..{min(MANIFEST_LIMIT, view.size - HEADER)}")
    text = view.look("KNL-MANIFEST", HEADER, length)
    if sha256(text).digest() != head[32:]:
        return _refuse("KNL-SHA", "0x20..0x40", head[32:].hex(), sha256(text).hexdigest())
    return text


def _judge_blocks(view: View, end: int, starts: Sequence[int], manifest: Manifest) -> Knn | Violations:
    """Every gap zero and every digest right, or all that isn't."""
    found = Findings()
    ranges = [(start, row.nbytes) for start, row in zip(starts, manifest.rows, strict=True)]
    for start, length in ranges:
        gap = view.look("KNL-PAD", end, start - end)
        found.owe(gap == bytes(len(gap)), "KNL-PAD", f"{end:#x}..{start:#x}", gap.hex(), "zeros")
        end = start + length
    payloads = view.blocks("KNL-BLOCK", ranges, digest=True)
    for row, payload in zip(manifest.rows, payloads, strict=True):
        digest = payload.sha256.hex()
        found.owe(digest == row.sha256, "KNL-DIGEST", f"/tensors/{row.id}", digest, row.sha256)
    tensors = ((row.id, Block(row.tag, row.shape, p.data)) for row, p in zip(manifest.rows, payloads, strict=True))
    return found.verdict() or Knn(manifest.precision, manifest.power, manifest.counter, tuple(tensors))


def _refuse(rule: str, where: str, found: object, owed: object) -> Violations:
    return Violations((Violation(rule, where, str(found), str(owed)),))
