"""The KNN format: documents to files, files to documents or to every finding of the first gate that has any."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from bitproof_spec.document import Block, Data
from bitproof_spec.findings import Findings
from bitproof_spec.format import Segment, View
from bitproof_spec.klyn.blocks import judge_blocks
from bitproof_spec.klyn.constants import DEFAULT_BUDGET, HEADER_SIZE, MANIFEST_LIMIT
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.header import DIGEST_FIELD, MANIFEST_FIELD, judge_header
from bitproof_spec.klyn.inference import judge_stages
from bitproof_spec.klyn.manifest import Manifest, judge_members
from bitproof_spec.klyn.table import data_start, judge_sizes, judge_table
from bitproof_spec.klyn.text import judge_text
from bitproof_spec.klyn.writing import NO_DIGEST, layout, manifest_value, padding
from bitproof_spec.violations import Violations


@dataclass(frozen=True)
class Knn:
    """KNN 1.0, bitproof profile.

    `max_bytes` bounds the sum of all tensor lengths, inclusive; `without` names rules that are taken to hold, which
    makes the judges against which a conformance suite is measured.
    """

    max_bytes: int = DEFAULT_BUDGET
    without: frozenset[str] = frozenset()
    name: str = "knn"
    canonical: bool = False  # white space and the order of members are free

    def segments(self, document: Checkpoint, /) -> Iterator[Segment]:
        """The runs of a document's file in order, its manifest canonical.

        ValueError for a document that no manifest can state; `verify` tells before whether the file will conform.
        """
        plan, blocks = layout(document), [block for _, block in document.tensors]
        yield from plan.head([sha256(block.data).digest() for block in blocks])
        end = plan.start
        for (place, length), block in zip(plan.ranges, blocks, strict=True):
            yield from padding(end, place)
            yield Segment("KNN-BLK-01", block.data)
            end = place + length

    def judge(self, view: View, /) -> Checkpoint | Violations:
        """The document of a file, or all findings of its first gate with any. Never raises, whatever the bytes.

        Gates: header, manifest digest, JSON text, members, stages and shapes, tensor table, blocks and padding.
        """
        findings = Findings(self.without)
        header = judge_header(view.look("KNN-HDR-01", 0, HEADER_SIZE), view.size, findings)
        refused = findings.verdict()
        if refused:
            return refused
        text = view.look("KNN-TXT-01", HEADER_SIZE, header.manifest_length)
        found, owed = header.manifest_sha256.hex(), sha256(text).hexdigest()
        findings.owe(found == owed, "KNN-HDR-09", DIGEST_FIELD.where, found, f"{owed}, the SHA-256 of the manifest")
        refused = findings.verdict()
        if refused:
            return refused
        manifest = judge_manifest(text, view.size, self.max_bytes, findings)
        if isinstance(manifest, Violations):
            return manifest
        end = HEADER_SIZE + len(text)
        payloads = judge_blocks(view, manifest.entries, end, data_start(len(text), len(manifest.entries)), findings)
        return findings.verdict() or _document(manifest, payloads)

    def verify(self, document: Checkpoint) -> Violations | None:
        """What a reader without a budget would refuse in the document's own file; None when it conforms.

        TypeError or ValueError for a value of another type than the document declares.
        """
        import json  # here: reading needs none of it, and a check starts sooner

        findings = Findings(self.without)
        value = manifest_value(document, [NO_DIGEST] * len(document.tensors))
        text = json.dumps(value).encode()  # unlike canonical text, it can state what the gates then refuse
        manifest = judge_manifest(text, None, None, findings)
        if isinstance(manifest, Violations):
            return manifest
        length = layout(document).manifest_length
        findings.owe(length <= MANIFEST_LIMIT, "KNN-HDR-06", MANIFEST_FIELD.where, length, f"1 to {MANIFEST_LIMIT}")
        return findings.verdict()


KNN = Knn()


def judge_manifest(text: bytes, size: int | None, max_bytes: int | None, findings: Findings) -> Manifest | Violations:
    """Gates 3 to 6: text, members, stages and shapes, tensor table. None leaves file size or budget out."""
    value = judge_text(text, findings)
    if refused := findings.verdict():
        return refused
    manifest = judge_members(value, findings)
    if refused := findings.verdict():
        return refused
    specs = judge_stages(manifest, findings)
    if refused := findings.verdict():
        return refused
    judge_table(manifest.entries, specs, findings)
    start = data_start(len(text), len(manifest.entries))
    judge_sizes(manifest.entries, start, size, max_bytes, findings)
    return findings.verdict() or manifest


def _document(manifest: Manifest, payloads: tuple[Data, ...]) -> Checkpoint:
    tensors = (
        (entry.id, Block(entry.dtype, entry.shape, data))
        for entry, data in zip(manifest.entries, payloads, strict=True)
    )
    return Checkpoint(manifest.precision, manifest.stages, manifest.training, tuple(tensors))
