"""Encodings: one scalar to one little-endian word and back. No float value exists here, so no bit can get lost.

A scalar is its word: `Binary32` is an int in [0, 2^32) that a type checker keeps apart from `Binary64`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NewType, Protocol, TypeVar

S = TypeVar("S")
W = TypeVar("W", bound=int)

Binary16 = NewType("Binary16", int)
Binary32 = NewType("Binary32", int)
Binary64 = NewType("Binary64", int)


class Storage(Protocol):
    """What a file needs to know of a scalar; read-only, so every Encoding[S] is a Storage."""

    @property
    def tag(self) -> str:
        """The name of the scalar format, different for different formats."""
        ...

    @property
    def width(self) -> int:
        """Bytes of one word."""
        ...

    def accepts(self, word: bytes, /) -> bool:
        """Whether `word` is the storage of some scalar."""
        ...


class Encoding(Storage, Protocol[S]):
    """Laws: decode(encode(x)) == x; encode(decode(w)) == w for each word that `accepts` takes."""

    def encode(self, scalar: S, /) -> bytes:
        """The little-endian word of a scalar, `width` bytes; ValueError when it doesn't fit."""
        ...

    def decode(self, word: bytes, /) -> S:
        """The scalar of a word; ValueError for a word that `accepts` doesn't take."""
        ...


@dataclass(frozen=True)
class Binary(Generic[W]):
    """A binary format by its word."""

    tag: str
    width: int
    make: Callable[[int], W]

    def accepts(self, word: bytes, /) -> bool:
        """Every word of the right size."""
        return len(word) == self.width

    def encode(self, scalar: W, /) -> bytes:
        """The word, little-endian; OverflowError is never raised, ValueError when the scalar doesn't fit."""
        if not 0 <= scalar < 1 << 8 * self.width:
            raise ValueError(f"{self.tag}: {scalar} is no word of {self.width} bytes")
        return scalar.to_bytes(self.width, "little")

    def decode(self, word: bytes, /) -> W:
        """The word as a number; ValueError for another size."""
        if not self.accepts(word):
            raise ValueError(f"{self.tag}: {word.hex()} is no word of {self.width} bytes")
        return self.make(int.from_bytes(word, "little"))


BINARY16: Encoding[Binary16] = Binary("binary16", 2, Binary16)
BINARY32: Encoding[Binary32] = Binary("binary32", 4, Binary32)
BINARY64: Encoding[Binary64] = Binary("binary64", 8, Binary64)
