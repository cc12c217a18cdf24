"""Documents: immutable values whose equality is equality bit for bit, and the one list of their differences.

Reals are words (int or hex text) in a document, never float; a tensor is a `Block` of raw little-endian bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import NamedTuple, Protocol, TypeAlias

Data: TypeAlias = "bytes | memoryview"


@dataclass(frozen=True, slots=True)
class Block:
    """The bits of one tensor: row-major, little-endian, `prod(shape)` words of the storage that `tag` names.

    `data` is bytes in the spec; impl may hand over a flat memoryview of unsigned bytes that it owns.
    """

    tag: str
    shape: tuple[int, ...]
    data: Data


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
    """The index of the first byte that differs, the shorter length where one begins the other, None when equal."""
    if a == b:
        return None
    low, high = 0, min(len(a), len(b))
    while low < high:  # invariant: a[:low] == b[:low]; the first difference is at most `high`
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


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
