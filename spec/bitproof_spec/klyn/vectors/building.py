"""Making files for vectors: documents with known bits, manifests edited at a pointer, tables with rows of any kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from bitproof_spec.alignment import align_up
from bitproof_spec.canonical_json import canonical
from bitproof_spec.document import Block
from bitproof_spec.format import encode
from bitproof_spec.klyn.constants import HEADER_SIZE, Precision
from bitproof_spec.klyn.container import KNN
from bitproof_spec.klyn.document import Checkpoint, head
from bitproof_spec.klyn.header import Field, of_manifest, pack
from bitproof_spec.klyn.rules import RULES
from bitproof_spec.klyn.stages import Stage
from bitproof_spec.klyn.table import data_start
from bitproof_spec.klyn.tensors import table
from bitproof_spec.klyn.training import Training
from bitproof_spec.klyn.writing import layout, manifest_value
from bitproof_spec.layout import TensorSpec
from bitproof_spec.strict_json import JsonValue
from bitproof_spec.vectors import Failure, Vector, content

SINCE = "1.0"
MALFORMED = ("header", "digest", "text")  # phases that find no manifest to speak of


class Absent:
    """What removes a member when it is put in its place."""


ABSENT = Absent()


class Row(NamedTuple):
    """One row of a table and its block; what is None is what the writer would state."""

    id: str
    dtype: str
    shape: tuple[int, ...]
    data: bytes
    offset: int | None = None
    length: int | None = None
    sha256: str | None = None


def bits(name: str, size: int) -> bytes:
    """That many bytes, the same for one name always, otherwise without pattern."""
    pieces = (sha256(f"{name} {index}".encode()).digest() for index in range(-(-size // 32)))
    return b"".join(pieces)[:size]


def checkpoint(
    precision: Precision,
    stages: Sequence[Stage],
    training: Training | None = None,
    given: Mapping[str, bytes] | None = None,
) -> Checkpoint:
    """A document with every tensor that it owes: of `given` bytes, or of bits that its id determines."""
    specs = table(precision, stages, training.optimizer if training else None)
    tensors = ((spec.name, _block(spec, given or {})) for spec in specs)
    return Checkpoint(precision, tuple(stages), training, tuple(tensors))


def _block(spec: TensorSpec, given: Mapping[str, bytes]) -> Block:
    return Block(spec.storage.tag, spec.shape, given.get(spec.name, bits(spec.name, spec.nbytes)))


def rows(document: Checkpoint) -> list[Row]:
    """The table of a document."""
    return [Row(id, block.tag, block.shape, bytes(block.data)) for id, block in document.tensors]


def tabled(document: Checkpoint, table: Sequence[Row], *, end: int | None = None) -> bytes:
    """The file of a document's model with this table instead; its blocks are cut or filled with zeros at `end`."""
    stated: list[JsonValue] = []
    data, after = bytearray(), 0
    for row in table:
        offset = align_up(after) if row.offset is None else row.offset
        length = len(row.data) if row.length is None else row.length
        digest = sha256(row.data).hexdigest() if row.sha256 is None else row.sha256
        keys = ("id", "dtype", "shape", "offset", "length", "sha256")
        stated.append(dict(zip(keys, (row.id, row.dtype, row.shape, offset, length, digest), strict=True)))
        data[len(data) :] = bytes(max(offset - len(data), 0))
        data[offset : offset + len(row.data)] = row.data
        after = offset + length
    text = canonical({**head(document), "tensors": tuple(stated)})
    end = len(data) if end is None else end
    return assemble(text, bytes(data[:end]).ljust(end, b"\0") if table else None)


def assemble(text: bytes, data: bytes | None) -> bytes:
    """Header, manifest, padding and data; without data (None) nothing after the manifest."""
    start = data_start(len(text), 0 if data is None else 1)
    body = text.ljust(start - HEADER_SIZE, b"\0") + (data or b"")
    return pack(of_manifest(len(text), HEADER_SIZE + len(body), sha256(text).digest())) + body


def patched(file: bytes, field: Field, value: int) -> bytes:
    """A file with another number in one field of its header."""
    end = field.offset + field.size
    return file[: field.offset] + value.to_bytes(field.size, "little") + file[end:]


def flipped(file: bytes, at: int) -> bytes:
    """A file with the lowest bit of one byte changed."""
    return file[:at] + bytes([file[at] ^ 1]) + file[at + 1 :]


def manifest(document: Checkpoint) -> dict[str, JsonValue]:
    """The manifest of a document's file, as a value."""
    return manifest_value(document, [sha256(block.data).digest() for _, block in document.tensors])


def text(document: Checkpoint) -> bytes:
    """The manifest of a document's file, as canonical text."""
    return canonical(manifest(document))


def with_text(document: Checkpoint, text: bytes) -> bytes:
    """A document's file with another manifest text over the same data; header and padding follow the text."""
    start = layout(document).start
    return assemble(text, encode(KNN, document)[start:] if document.tensors else None)


def edited(document: Checkpoint, edits: Mapping[str, JsonValue | Absent]) -> bytes:
    """A document's file with other values at some JSON pointers of its manifest, over the same data."""
    value: JsonValue = manifest(document)
    for pointer, new in edits.items():
        value = _put(value, tuple(pointer.split("/")[1:]), new)
    return with_text(document, canonical(value))


def _put(value: JsonValue, steps: tuple[str, ...], new: JsonValue | Absent) -> JsonValue:
    """The value with another one at a place; a member that isn't there is added."""
    if not steps:
        return None if isinstance(new, Absent) else new
    if isinstance(value, tuple):
        at = int(steps[0])
        return (*value[:at], _put(value[at], steps[1:], new), *value[at + 1 :])
    if not isinstance(value, dict):
        raise TypeError(f"no members below {value!r}")
    rest = {name: item for name, item in value.items() if name != steps[0]}
    if isinstance(new, Absent) and len(steps) == 1:
        return rest
    return {**rest, steps[0]: _put(value.get(steps[0]), steps[1:], new)}


def valid(area: str, name: str, clauses: str, document: Checkpoint, effect: str, file: bytes | None = None) -> Vector:
    """A vector that every reader owes to accept, as `document`; `clauses` are ids between spaces."""
    whole = encode(KNN, document) if file is None else file
    return Vector(
        f"knn/{area}/{name}", tuple(clauses.split()), "valid", "", effect, "", whole, (), content(document), {}, SINCE
    )


def invalid(
    area: str, name: str, clause: str, file: bytes, where: str, twin: str, effect: str = "", **request: int
) -> Vector:
    """A vector that breaks one clause at one place; without an effect of its own, the rule's reason is its effect."""
    rule = RULES[clause]
    failure: Failure = "malformed" if rule.phase in MALFORMED else "invalid"
    return Vector(
        f"knn/{area}/{name}",
        (clause,),
        "invalid",
        "over budget" if clause == "KNN-TAB-10" else failure,
        effect or rule.why,
        f"knn/{twin}",
        file,
        ((clause, where),),
        {},
        request,
        SINCE,
    )
