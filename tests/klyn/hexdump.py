"""One whole file in hex, field by field, as `spec/klyn.md` prints it."""

from __future__ import annotations

from collections.abc import Iterator

from bitproof_spec.format import OfBytes
from bitproof_spec.klyn.container import KNN
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.header import FIELDS
from tests.klyn.small_files import SMALL_FILES

EXAMPLE = "inference"
WIDTH = 16


def dump() -> str:
    """The example file: offset, bytes in hex, and what they are; runs of zeros in full."""
    file = SMALL_FILES[EXAMPLE]
    document = KNN.judge(OfBytes(file))
    assert isinstance(document, Checkpoint)
    ids = iter(id for id, _ in document.tensors)
    names = {field.clause: field.name for field in FIELDS}
    lines: list[str] = []
    at = 0
    for clause, data in KNN.segments(document):
        what = names.get(clause) or {"KNN-TXT-01": "manifest", "KNN-PAD-01": "padding"}.get(clause) or next(ids)
        lines += lines_of(at, bytes(data), f"{clause}  {what}", text=clause == "KNN-TXT-01")
        at += len(data)
    return "\n".join(lines)


def lines_of(at: int, data: bytes, title: str, *, text: bool) -> Iterator[str]:
    """A run of bytes under its title, a line for each 16 of them."""
    yield f"{title}, {len(data)} bytes"
    for start in range(0, len(data), WIDTH):
        piece = data[start : start + WIDTH]
        shown = f"  {piece.decode('ascii')}" if text else ""
        yield f"  {at + start:04x}  {piece.hex(' '):<{3 * WIDTH - 1}}{shown}".rstrip()
