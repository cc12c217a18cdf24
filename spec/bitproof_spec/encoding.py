"""Encodings: one scalar to one little-endian word and back. No float value exists here, so no bit can get lost.

A scalar is its word: `Binary32` is an int in [0, 2^32) that a type checker keeps apart from `Binary64`. Complex numbers
are in `composite`, integers and booleans in `integers`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NewType, Protocol, TypeVar

from bitproof_spec import formats
from bitproof_spec.formats import BinaryFormat
from bitproof_spec.words import fits, from_bytes, storage_bytes, to_bytes

S = TypeVar("S")
W = TypeVar("W", bound=int)

Binary16 = NewType("Binary16", int)
BFloat16 = NewType("BFloat16", int)
Binary32 = NewType("Binary32", int)
Binary64 = NewType("Binary64", int)
Configured = NewType("Configured", int)


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
    """A binary format by its word, which takes whole bytes; pad bits above the word are zero."""

    tag: str
    format: BinaryFormat
    make: Callable[[int], W]

    @property
    def width(self) -> int:
        """Bytes of one word: its bits, rounded up."""
        return storage_bytes(self.format.bits)

    def accepts(self, word: bytes, /) -> bool:
        """Every word of the right size whose pad bits are zero."""
        return len(word) == self.width and fits(int.from_bytes(word, "little"), self.format.bits)

    def encode(self, scalar: W, /) -> bytes:
        """The word, little-endian; ValueError when it doesn't fit."""
        return to_bytes(scalar, self.format.bits)

    def decode(self, word: bytes, /) -> W:
        """The word as a number; ValueError for another size or a pad bit that is set."""
        return self.make(from_bytes(word, self.format.bits))


def configured(format: BinaryFormat, make: Callable[[int], W]) -> Binary[W]:
    """The encoding of a configured format under the format's own tag, which names every parameter.

    `make` is what a type checker keeps the scalars apart by: `Configured`, or a NewType of the caller's own.
    """
    return Binary(format.tag, format, make)


BINARY16: Encoding[Binary16] = Binary("binary16", formats.BINARY16, Binary16)
BFLOAT16: Encoding[BFloat16] = Binary("bfloat16", formats.BFLOAT16, BFloat16)
BINARY32: Encoding[Binary32] = Binary("binary32", formats.BINARY32, Binary32)
BINARY64: Encoding[Binary64] = Binary("binary64", formats.BINARY64, Binary64)
