"""Complex numbers: the product of their component's encoding with itself, real part first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from bitproof_spec.encoding import BINARY32, BINARY64, Binary32, Binary64, Encoding

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Complex(Generic[S]):
    """Two scalars of one format; no arithmetic passes through them, so -0 and NaN payloads stay in their parts."""

    re: S
    im: S


@dataclass(frozen=True)
class ComplexOf(Generic[S]):
    """The encoding of `Complex[S]`: the real part's word, then the imaginary part's."""

    part: Encoding[S]

    @property
    def tag(self) -> str:
        """`complex(...)` around the component's tag."""
        return f"complex({self.part.tag})"

    @property
    def width(self) -> int:
        """Twice the component's bytes."""
        return 2 * self.part.width

    def accepts(self, word: bytes, /) -> bool:
        """Two words that the component takes."""
        half = self.part.width
        return self.part.accepts(word[:half]) and self.part.accepts(word[half:])

    def encode(self, scalar: Complex[S], /) -> bytes:
        """Both words; ValueError when a part doesn't fit."""
        return self.part.encode(scalar.re) + self.part.encode(scalar.im)

    def decode(self, word: bytes, /) -> Complex[S]:
        """Both parts; ValueError for another size or a word that the component doesn't take."""
        half = self.part.width
        return Complex(self.part.decode(word[:half]), self.part.decode(word[half:]))


COMPLEX64: Encoding[Complex[Binary32]] = ComplexOf(BINARY32)
COMPLEX128: Encoding[Complex[Binary64]] = ComplexOf(BINARY64)
