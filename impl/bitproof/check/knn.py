"""What the tools need of KNN files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import prod
from typing import TYPE_CHECKING

from bitproof.check.pointing import pointer_at
from bitproof_spec.alignment import align_up
from bitproof_spec.klyn.advice import advise
from bitproof_spec.klyn.constants import DEFAULT_BUDGET, HEADER_SIZE, STORAGE
from bitproof_spec.klyn.container import Knn
from bitproof_spec.klyn.document import REALS, Checkpoint
from bitproof_spec.klyn.header import FIELDS, unpack
from bitproof_spec.klyn.table import data_start
from bitproof_spec.klyn.text import limits

if TYPE_CHECKING:
    from bitproof.check.content import Overview, Region
    from bitproof_spec.document import Leaf
    from bitproof_spec.format import View
    from bitproof_spec.rules import Rulebook
    from bitproof_spec.vectors import Vector
    from bitproof_spec.violations import Violation

WIDTHS = {storage.tag: storage.width for storage in STORAGE.values()}
MANIFEST = "manifest"


class KnnTools:
    """The tools of KNN 1.0."""

    @property
    def rules(self) -> Rulebook:
        """The rules of `spec/klyn.md`."""
        from bitproof_spec.klyn.rules import RULES  # here: texts that a file which conforms doesn't need

        return RULES

    def format(self, max_bytes: int | None, /) -> Knn:
        """The format under a bound on tensor bytes, 2 GiB unless given."""
        return Knn(DEFAULT_BUDGET if max_bytes is None else max_bytes)

    def advice(self, view: View, /) -> Iterable[Violation]:
        """Where the manifest isn't canonical text, and members that could be written out."""
        return advise(view)

    def overview(self, document: Checkpoint, view: View, /) -> Overview:
        """Stages with shapes and parameters, training state, tensors."""
        from bitproof.check.knn_overview import overview

        return overview(document, view)

    def regions(self, document: Checkpoint, view: View, /) -> Iterator[Region]:
        """Header fields, manifest, blocks with their ids, and the zeros between."""
        from bitproof.check.content import Region

        header = unpack(view.look("KNN-HDR-01", 0, HEADER_SIZE))
        for field, value in zip(FIELDS, header, strict=True):
            text = value.hex() if isinstance(value, bytes) else f"{value:,}"
            yield Region(field.offset, field.offset + field.size, field.clause, f"{field.name} = {text}")
        end = HEADER_SIZE + header.manifest_length
        yield Region(HEADER_SIZE, end, "KNN-TXT-01", MANIFEST)
        start = data_start(header.manifest_length, len(document.tensors))
        for id, block in document.tensors:
            if start > end:
                yield Region(end, start, "KNN-PAD-01", "padding")
            end = start + prod(block.shape) * WIDTHS[block.tag]
            yield Region(start, end, "KNN-BLK-01", id, block.tag, block.shape)
            start = align_up(end)

    def detail(self, view: View, region: Region, offset: int, /) -> str:
        """The JSON pointer of the member that stands at an offset of the manifest."""
        if region.what != MANIFEST:
            return ""
        text = view.look(region.clause, region.start, offset + 1 - region.start)
        pointer = pointer_at(text, limits(text))
        return f"JSON pointer {pointer}" if pointer else ""

    def vectors(self) -> Iterator[Vector]:
        """The conformance vectors of KNN."""
        from bitproof_spec.klyn.vectors import vectors

        return vectors()

    def word(self, where: str, leaf: Leaf, /) -> tuple[str, bytes] | None:
        """The binary64 word of a member that is a real."""
        if isinstance(leaf, str) and where.startswith("/") and where.rpartition("/")[2] in REALS:
            return "binary64", bytes.fromhex(leaf)[::-1]
        return None


KNN_TOOLS = KnnTools()
