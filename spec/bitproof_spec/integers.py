"""Integers and booleans, as buffers hold them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NewType, TypeVar

from bitproof_spec.encoding import Encoding
from bitproof_spec.words import DoesNotFit, from_bytes, to_bytes

W = TypeVar("W", bound=int)

Int8 = NewType("Int8", int)
Int16 = NewType("Int16", int)
Int32 = NewType("Int32", int)
Int64 = NewType("Int64", int)
UInt8 = NewType("UInt8", int)


@dataclass(frozen=True)
class Integer(Generic[W]):
    """An integer of `width` whole bytes, two's complement when `signed`."""

    tag: str
    width: int
    signed: bool
    make: Callable[[int], W]

    def accepts(self, word: bytes, /) -> bool:
        """Every word of the right size."""
        return len(word) == self.width

    def encode(self, scalar: W, /) -> bytes:
        """The word, little-endian; DoesNotFit when the scalar is out of range."""
        count, least = self._count, self._least
        if not least <= scalar < count + least:
            raise DoesNotFit(scalar, self.tag)
        return to_bytes(scalar % count, 8 * self.width)

    def decode(self, word: bytes, /) -> W:
        """The integer of a word; ValueError for another size."""
        unsigned = from_bytes(word, 8 * self.width)
        return self.make(unsigned if unsigned < self._count + self._least else unsigned - self._count)

    @property
    def _count(self) -> int:
        """How many integers there are."""
        return 1 << 8 * self.width

    @property
    def _least(self) -> int:
        """The least integer: the weight of the sign bit below 0, or 0."""
        return -self._count // 2 if self.signed else 0


@dataclass(frozen=True)
class Boolean:
    """A boolean in one byte, 0 or 1; no other byte is one."""

    tag: str = "bool"
    width: int = 1

    def accepts(self, word: bytes, /) -> bool:
        """Exactly the bytes 0 and 1."""
        return word in (b"\x00", b"\x01")

    def encode(self, scalar: bool, /) -> bytes:
        """One byte; ValueError for an integer other than 0 and 1."""
        if scalar not in (False, True):
            raise ValueError(f"{scalar!r} is no boolean")
        return bytes([scalar])

    def decode(self, word: bytes, /) -> bool:
        """The boolean; ValueError for another byte or size."""
        if not self.accepts(word):
            raise ValueError(f"{word.hex()} is no boolean")
        return word == b"\x01"


INT8: Encoding[Int8] = Integer("int8", 1, True, Int8)
INT16: Encoding[Int16] = Integer("int16", 2, True, Int16)
INT32: Encoding[Int32] = Integer("int32", 4, True, Int32)
INT64: Encoding[Int64] = Integer("int64", 8, True, Int64)
UINT8: Encoding[UInt8] = Integer("uint8", 1, False, UInt8)
BOOL: Encoding[bool] = Boolean()
