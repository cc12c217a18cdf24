"""The document of a KNN-like file and its manifest: canonical JSON of the numbers and of the table of tensors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from math import prod
from typing import NamedTuple

from bitproof_spec.document import Block, Leaf
from bitproof_spec.encoding import BINARY16, BINARY32, Storage

STORAGES: Mapping[str, Storage] = {BINARY16.tag: BINARY16, BINARY32.tag: BINARY32}


@dataclass(frozen=True)
class Knn:
    """A model of one precision: its tensors by id, and what training accumulates outside of them."""

    precision: str
    power: int
    """The word of a binary64."""
    counter: int
    tensors: tuple[tuple[str, Block], ...]

    def leaves(self) -> Mapping[str, Leaf]:
        numbers: dict[str, Leaf] = {
            "precision": self.precision,
            "power": f"{self.power:016x}",
            "counter": self.counter,
            "number of tensors": len(self.tensors),
        }
        return numbers | {f"tensors/{id}": block for id, block in self.tensors}


class Row(NamedTuple):
    """One tensor as the manifest describes it."""

    id: str
    tag: str
    shape: tuple[int, ...]
    sha256: str

    @property
    def nbytes(self) -> int:
        return prod(self.shape) * STORAGES[self.tag].width


class Manifest(NamedTuple):
    """All that a file says before its blocks."""

    precision: str
    power: int
    counter: int
    rows: tuple[Row, ...]


def manifest_of(document: Knn) -> Manifest:
    """The manifest that a document owes."""
    rows = (Row(id, b.tag, b.shape, sha256(b.data).hexdigest()) for id, b in document.tensors)
    return Manifest(document.precision, document.power, document.counter, tuple(rows))


def text_of(manifest: Manifest) -> bytes:
    """The one text of a manifest: members sorted, no space, words and counters in hex."""
    rows = [{"id": r.id, "tag": r.tag, "shape": r.shape, "sha256": r.sha256} for r in manifest.rows]
    numbers = {"power": f"{manifest.power:016x}", "counter": f"{manifest.counter:064x}"}
    members = {"precision": manifest.precision, **numbers, "tensors": rows}
    return json.dumps(members, sort_keys=True, separators=(",", ":")).encode()


def manifest_from(text: bytes) -> Manifest | None:
    """The manifest whose text this is, or None: a text that is read but written differently is none."""
    try:
        members = json.loads(text)
        rows = tuple(map(_row, members["tensors"]))
        manifest = Manifest(str(members["precision"]), int(members["power"], 16), int(members["counter"], 16), rows)
        return manifest if text_of(manifest) == text and _in_range(manifest) else None
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _row(member: Mapping[str, object]) -> Row:
    id, tag, shape, digest = (member[key] for key in ("id", "tag", "shape", "sha256"))
    if not (isinstance(id, str) and isinstance(tag, str) and isinstance(shape, list) and isinstance(digest, str)):
        raise TypeError("a row's members have other types")
    if tag not in STORAGES or not all(type(extent) is int and 0 <= extent < 2**16 for extent in shape):
        raise ValueError("a row's storage or shape is unknown")
    return Row(id, tag, tuple(shape), digest)


def _in_range(manifest: Manifest) -> bool:
    """Every id once, every number within the digits it is written in."""
    distinct = len({row.id for row in manifest.rows}) == len(manifest.rows)
    return distinct and manifest.power < 2**64 and manifest.counter < 2**256
