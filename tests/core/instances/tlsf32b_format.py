"""TLSF32B: a count, then each tensor's rank, extents, element count and binary32 words; no names, no padding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod

from bitproof_spec.document import Block, Leaf
from bitproof_spec.encoding import BINARY32
from bitproof_spec.format import Segment, View
from bitproof_spec.violations import Violation, Violations

HEAD = b"TLSF32B" + (1).to_bytes(8, "little")


@dataclass(frozen=True)
class Tensors:
    """What a file says by itself. Which layout they should have is the business of whatever is loaded."""

    blocks: tuple[Block, ...]

    def leaves(self) -> Mapping[str, Leaf]:
        return {"count": len(self.blocks)} | {f"tensor {index}": block for index, block in enumerate(self.blocks)}


class Tlsf32b:
    name = "tlsf32b-like"
    canonical = True

    def segments(self, document: Tensors, /) -> Iterator[Segment]:
        yield Segment("TLS-HEAD", HEAD)
        yield Segment("TLS-COUNT", _nat64(len(document.blocks)))
        for block in document.blocks:
            numbers = (len(block.shape), *block.shape, prod(block.shape))
            yield Segment("TLS-SHAPE", b"".join(map(_nat64, numbers)))
            yield Segment("TLS-DATA", block.data)

    def judge(self, view: View, /) -> Tensors | Violations:
        try:
            return _Reader(view).tensors()
        except _Refused as refused:
            return Violations((refused.violation,))


TLSF32B = Tlsf32b()


class _Refused(Exception):
    """Ends the reading at the first violation; never leaves this module."""

    def __init__(self, rule: str, at: int, found: object, owed: object) -> None:
        self.violation = Violation(rule, f"{at:#x}", str(found), str(owed))


class _Reader:
    """Reads from front to back; every count is held against the bytes that are left before anything relies on it."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.at = 0

    def tensors(self) -> Tensors:
        head = self._take("TLS-HEAD", len(HEAD))
        if head != HEAD:
            raise _Refused("TLS-HEAD", 0, head.hex(), HEAD.hex())
        places = [self._place() for _ in range(self._count("TLS-COUNT", 16))]
        if self.at != self.view.size:
            raise _Refused("TLS-END", self.at, f"{self.view.size - self.at} more bytes", "the end")
        payloads = self.view.blocks("TLS-DATA", [place for _, place in places], digest=False)
        return Tensors(
            tuple(Block(BINARY32.tag, shape, p.data) for (shape, _), p in zip(places, payloads, strict=True))
        )

    def _place(self) -> tuple[tuple[int, ...], tuple[int, int]]:
        """The shape of the next tensor, and where its words are."""
        shape = tuple(self._nat64("TLS-SHAPE") for _ in range(self._count("TLS-SHAPE", 8)))
        elements, owed = self._count("TLS-SHAPE", 4), prod(shape)
        if elements != owed:
            raise _Refused("TLS-ELEMENTS", self.at - 8, elements, owed)
        self.at += 4 * elements
        return shape, (self.at - 4 * elements, 4 * elements)

    def _count(self, clause: str, size: int) -> int:
        """A number of things that take at least `size` bytes each."""
        number, room = self._nat64(clause), (self.view.size - self.at) // size
        if number > room:
            raise _Refused("TLS-ROOM", self.at - 8, number, f"at most {room} in the bytes that are left")
        return number

    def _nat64(self, clause: str) -> int:
        return int.from_bytes(self._take(clause, 8), "little")

    def _take(self, clause: str, length: int) -> bytes:
        if self.view.size - self.at < length:
            raise _Refused("TLS-ROOM", self.at, f"{self.view.size - self.at} bytes left", f"{length}")
        self.at += length
        return self.view.look(clause, self.at - length, length)


def _nat64(number: int) -> bytes:
    return number.to_bytes(8, "little")
