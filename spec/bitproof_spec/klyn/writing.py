"""Where everything in a document's file stands, and the bytes before its first block as a function of the digests.

The manifest's length doesn't depend on the values of the digests, so a writer can hash and write blocks in parallel
and put the head in front when all digests are known.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from bitproof_spec.alignment import place
from bitproof_spec.canonical_json import canonical
from bitproof_spec.format import Segment
from bitproof_spec.klyn.constants import HEADER_SIZE
from bitproof_spec.klyn.document import Checkpoint, head
from bitproof_spec.klyn.header import FIELDS, of_manifest, pack
from bitproof_spec.klyn.table import data_start
from bitproof_spec.strict_json import JsonValue

NO_DIGEST = bytes(32)


def manifest_value(document: Checkpoint, digests: Sequence[bytes]) -> dict[str, JsonValue]:
    """The manifest of a document whose blocks have these SHA-256 digests, in table order."""
    rows: list[JsonValue] = []
    places = place(len(block.data) for _, block in document.tensors)
    for (id, block), digest, (offset, length) in zip(document.tensors, digests, places, strict=True):
        rows.append(
            {
                "id": id,
                "dtype": block.tag,
                "shape": block.shape,
                "offset": offset,
                "length": length,
                "sha256": digest.hex(),
            }
        )
    return {**head(document), "tensors": tuple(rows)}


class Layout(NamedTuple):
    """Where everything in a document's file stands: bytes from the start of the file.

    `ranges` are the blocks' (start, length) in table order; `start` is the first block's, or the end of the file
    without tensors; `size` is that of the file. Bytes outside head and blocks are zero.
    """

    document: Checkpoint
    manifest_length: int
    start: int
    ranges: tuple[tuple[int, int], ...]
    size: int

    def head(self, digests: Sequence[bytes]) -> tuple[Segment, ...]:
        """Header, manifest and padding up to `start`, given the SHA-256 of each block in table order."""
        text = canonical(manifest_value(self.document, digests))
        raw = pack(of_manifest(len(text), self.size, sha256(text).digest()))
        fields = (Segment(field.clause, raw[field.offset : field.offset + field.size]) for field in FIELDS)
        return (*fields, Segment("KNN-TXT-01", text), *padding(HEADER_SIZE + len(text), self.start))


def layout(document: Checkpoint) -> Layout:
    """The layout of a document's file; ValueError for one that no manifest can state (`Knn.verify` names why)."""
    length = len(canonical(manifest_value(document, [NO_DIGEST] * len(document.tensors))))
    start = data_start(length, len(document.tensors))
    ranges = tuple(place((len(block.data) for _, block in document.tensors), start))  # `start` is itself aligned
    return Layout(document, length, start, ranges, sum(ranges[-1]) if ranges else start)


def padding(start: int, end: int) -> tuple[Segment, ...]:
    """The zeros of one gap, nothing where there is none."""
    return (Segment("KNN-PAD-01", bytes(end - start)),) if end > start else ()
