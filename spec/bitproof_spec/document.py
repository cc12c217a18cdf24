"""Documents: immutable values whose equality is equality bit for bit, and the one list of their differences.

Reals are words (int or hex text) in a document, never float; a tensor is a `Block` of raw little-endian bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import NamedTuple, Protocol, TypeAlias

Data: TypeAlias = "bytes | memoryview"

PIECE = 1 << 16  # bytes compared at once


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """The bits of one tensor: row-major, little-endian, `prod(shape)` words of the storage that `tag` names.

    `data` is bytes in the spec; impl may hand over a flat memoryview of unsigned bytes that it owns.
    """

    tag: str
    shape: tuple[int, ...]
    data: Data

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Block):
            return NotImplemented
        return (self.tag, self.shape) == (other.tag, other.shape) and first_difference(self.data, other.data) is None

    def __hash__(self) -> int:
        return hash((self.tag, self.shape))  # the data may be memory that can be written


Leaf: TypeAlias = "bool | int | str | bytes | None | Block"


class Document(Protocol):
    """An immutable value; `==` is equality bit for bit. `leaves` walks it in one order, every leaf under its name."""

    def leaves(self) -> Mapping[str, Leaf]:
        """Every leaf by name, in the document's order."""
        ...


class Difference(NamedTuple):
    """One leaf that differs: where, and a short form of both sides ("absent" where one lacks it)."""

    where: str
    left: str
    right: str


def differences(left: Document, right: Document) -> tuple[Difference, ...]:
    """Each differing leaf once, in left's order, then what only right has; empty exactly when all leaves agree."""
    a, b = left.leaves(), right.leaves()
    return (
        *(_difference(k, a[k], b[k]) for k in a if k in b and not same(a[k], b[k])),
        *(Difference(k, brief(a[k]), "absent") for k in a if k not in b),
        *(Difference(k, "absent", brief(b[k])) for k in b if k not in a),
    )


def same(a: Leaf, b: Leaf) -> bool:
    """Equality of leaves bit for bit; a bool is never an int."""
    return type(a) is type(b) and a == b


def first_difference(a: Data, b: Data) -> int | None:
    """The index of the first byte that differs, the shorter length where one begins the other, None when equal.

    Piece by piece as bytes: those are compared as memory, while memoryviews are compared item by item.
    """
    shorter = min(len(a), len(b))
    for start in range(0, shorter, PIECE):
        left, right = bytes(a[start : start + PIECE]), bytes(b[start : start + PIECE])
        if left[: shorter - start] != right[: shorter - start]:
            return start + next(index for index, (x, y) in enumerate(zip(left, right, strict=False)) if x != y)
    return None if len(a) == len(b) else shorter


def words(block: Block, index: int) -> str:
    """The word at a flat element index as hex digits, most significant first."""
    width = len(block.data) // max(prod(block.shape), 1)
    return bytes(block.data[index * width : (index + 1) * width])[::-1].hex()


def brief(leaf: Leaf) -> str:
    """A leaf in at most 60 characters."""
    return _window(_text(leaf), 0)


def _text(leaf: Leaf) -> str:
    """A leaf as text, in full but for the bytes of a tensor; different for leaves of different kinds."""
    if isinstance(leaf, Block):
        return f"{leaf.tag}{list(leaf.shape)} {bytes(leaf.data[:16]).hex()}"
    return repr(leaf) if not isinstance(leaf, int) or abs(leaf) < 2**64 else hex(leaf)


def _window(text: str, start: int) -> str:
    """At most 60 characters of a text, from `start` on, with dots where some are left out."""
    head = "..." if start else ""
    room = 60 - len(head)
    return head + (text[start:] if len(text) - start <= room else f"{text[start : start + room - 3]}...")


def _difference(where: str, left: Leaf, right: Leaf) -> Difference:
    """Tensors of one tag and shape are compared at their first differing element, both words shown.

    Of texts too long to show, both are shown from shortly before the place where they part.
    """
    if isinstance(left, Block) and isinstance(right, Block) and (left.tag, left.shape) == (right.tag, right.shape):
        byte, width = first_difference(left.data, right.data), len(left.data) // max(prod(left.shape), 1)
        if byte is None or not width or len(left.data) != len(right.data):
            return Difference(where, f"{len(left.data)} bytes", f"{len(right.data)} bytes")
        index = byte // width
        return Difference(f"{where}[{index}]", words(left, index), words(right, index))
    a, b = _text(left), _text(right)
    parting = next((index for index, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    start = max(parting - 20, 0) if max(len(a), len(b)) > 60 else 0
    return Difference(where, _window(a, start), _window(b, start))
