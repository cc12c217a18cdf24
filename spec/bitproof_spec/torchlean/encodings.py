"""TorchLean's encodings of a scalar: a word under the tag that a JSON state names, with the rule on NaN words.

    FLOAT        torchlean_state_bits_v1                    binary64; of the NaNs only 7ff8000000000000
    FLOAT32      torchlean_state_float32_bits_v1            binary32; of the NaNs only 7fc00000
    configured   torchlean_state_binary_{exponent}_{fraction}_{bias}_{specials}_v1      every word
    complex      torchlean_state_complex_v1({the tag of its parts})

The native floats' runtime canonicalises NaNs; here a word that it would alter is refused, both ways, never altered.
Normative document: spec/torchlean.md, clauses TLJ-TAG-01, TLJ-SCA-02 and TLJ-NAN-01.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic, TypeVar

from bitproof_spec import formats
from bitproof_spec.composite import Complex, ComplexOf
from bitproof_spec.encoding import Binary, Configured, Encoding
from bitproof_spec.formats import BinaryFormat, Specials
from bitproof_spec.words import storage_bytes

S = TypeVar("S")
W = TypeVar("W", bound=int)


class Float(int):
    """The word of a native binary64 number, and the name of that scalar."""

    __slots__ = ()


class Float32(int):
    """The word of a native binary32 number, and the name of that scalar."""

    __slots__ = ()


OLD_TAG = "torchlean_paramlist_bits_v1"
COMPLEX_OPEN = "torchlean_state_complex_v1("
TAG_LIMIT = 512
BITS_LIMIT = 4096
_CONFIGURED = re.compile(
    r"torchlean_state_binary_([1-9][0-9]{0,3})_([1-9][0-9]{0,3})_([1-9][0-9]{0,399})_([a-z-]+)_v1", re.ASCII
)


@dataclass(frozen=True)
class Words:
    """What the words of an encoding are: `levels` of pairs, real part first, over words of one binary format.

    `nan` is the only NaN word of a native float, None where every word is a value.
    """

    format: BinaryFormat
    nan: int | None = None
    levels: int = 0

    @property
    def width(self) -> int:
        """Bytes of a word of the format."""
        return storage_bytes(self.format.bits)

    @cached_property
    def _sign_and_infinity(self) -> tuple[int, int]:
        return self.format.sign_word, self.format.largest + 1

    def alters(self, word: int) -> bool:
        """Whether a word of the format is a NaN that a native runtime would replace."""
        if self.nan is None or word == self.nan:
            return False
        sign, infinity = self._sign_and_infinity
        return word % sign > infinity

    def takes(self, word: int) -> bool:
        """Whether a natural is a word of the format, and none that a native runtime would replace."""
        return word >> self.format.bits == 0 and not self.alters(word)


@dataclass(frozen=True)
class StateEncoding(Generic[S]):
    """An encoding under a state tag.

    `storage` is the tag of the words as they lie in a block, which says nothing of the rule on NaNs. `parts` says what
    they are made of.
    """

    tag: str
    storage: str
    words: Encoding[S]
    parts: Words

    @property
    def width(self) -> int:
        """Bytes of one word."""
        return self.words.width

    def accepts(self, word: bytes, /) -> bool:
        """Every word of the format but a native float's other NaNs."""
        return self.words.accepts(word) and (self.parts.levels > 0 or self.parts.takes(int.from_bytes(word, "little")))

    def encode(self, scalar: S, /) -> bytes:
        """The little-endian word; ValueError when it doesn't fit, or is a NaN that the runtime would alter."""
        return self._owed(self.words.encode(scalar))

    def decode(self, word: bytes, /) -> S:
        """The scalar; ValueError for a word that `accepts` doesn't take."""
        return self.words.decode(self._owed(word))

    def _owed(self, word: bytes) -> bytes:
        if self.words.accepts(word) and not self.accepts(word):
            nan = self.parts.nan or 0
            raise ValueError(f"{self.tag}: {word[::-1].hex()} is a NaN, and the only one allowed is {nan:x}")
        return word


def _native(tag: str, format: BinaryFormat, name: str, make: Callable[[int], W], nan: int) -> StateEncoding[W]:
    return StateEncoding(tag, name, Binary(name, format, make), Words(format, nan))


FLOAT = _native("torchlean_state_bits_v1", formats.BINARY64, "binary64", Float, 0x7FF8000000000000)
FLOAT32 = _native("torchlean_state_float32_bits_v1", formats.BINARY32, "binary32", Float32, 0x7FC00000)


def state_tag(format: str) -> str:
    """The tag of a state in the configured format of that tag."""
    return f"torchlean_state_{format}_v1"


def complex_tag(part: str) -> str:
    """The tag of a state of complex numbers whose parts have that tag."""
    return f"{COMPLEX_OPEN}{part})"


def configured_state(format: BinaryFormat, make: Callable[[int], W]) -> StateEncoding[W]:
    """The encoding of a configured format; `make` is the NewType that keeps its scalars apart for a type checker.

    ValueError for words of more than 4096 bits or a bias of more than 400 digits, which no JSON state may hold.
    """
    tag = "" if format.bits > BITS_LIMIT else state_tag(format.tag)
    if not _CONFIGURED.fullmatch(tag):
        raise ValueError(f"no JSON state holds words of {format.bits} bits with a bias of {format.bias:#x}")
    return StateEncoding(tag, format.tag, Binary(format.tag, format, make), Words(format))


def complex_state(part: StateEncoding[S]) -> StateEncoding[Complex[S]]:
    """The complex encoding over a scalar's, real part first; a native part keeps its rule on NaNs.

    ValueError for a tag of more than 512 characters.
    """
    tag = complex_tag(part.tag)
    if len(tag) > TAG_LIMIT:
        raise ValueError(f"a tag has at most {TAG_LIMIT} characters, not {len(tag)}")
    parts = replace(part.parts, levels=part.parts.levels + 1)
    return StateEncoding(tag, f"complex({part.storage})", ComplexOf(part), parts)


def encoding_of(tag: str) -> StateEncoding[object] | None:
    """The encoding that a tag names, None for a text that is no tag; complex nests as far as `TAG_LIMIT` allows."""
    if len(tag) > TAG_LIMIT:
        return None
    depth = 0
    while tag.startswith(COMPLEX_OPEN) and tag.endswith(")"):
        tag, depth = tag[len(COMPLEX_OPEN) : -1], depth + 1
    found = _real(tag)
    for _ in range(depth):
        found = found and _erased(complex_state(found))
    return found


def _real(tag: str) -> StateEncoding[object] | None:
    native = {encoding.tag: encoding for encoding in (_erased(FLOAT), _erased(FLOAT32))}
    match = _CONFIGURED.fullmatch(tag)
    if match is None:
        return native.get(tag)
    exponent, fraction, bias, specials = match.groups()
    try:
        return _erased(
            configured_state(BinaryFormat(int(exponent), int(fraction), int(bias), Specials(specials)), Configured)
        )
    except ValueError:  # parameters that no configured format has
        return None


def _erased(encoding: StateEncoding[S]) -> StateEncoding[object]:
    """The same encoding for callers that know it by its tag only."""
    words: Encoding[object] = encoding.words  # type: ignore[assignment]  # decode's result is only handed to encode
    return StateEncoding(encoding.tag, encoding.storage, words, encoding.parts)
