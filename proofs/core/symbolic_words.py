"""Words of which z3 knows all values at once, so that the spec's own functions run on them and their terms are proved.

Python integers never wrap; 256 bits hold every number that the generators compute without loss, a product of two
64-bit words and a whole counter included.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import z3

BITS = 256


def constant(value: int) -> z3.BitVecRef:
    """A number as a bit vector."""
    return z3.BitVecVal(value, BITS)


@dataclass(frozen=True)
class Word:
    """A natural below 2^256, whatever its value: the operators of the generators and no others."""

    term: z3.BitVecRef

    def __add__(self, other: int) -> Word:
        return Word(self.term + constant(other))

    def __mul__(self, other: int) -> Word:
        return Word(self.term * constant(other))

    __rmul__ = __mul__

    def __and__(self, other: int) -> Word:
        return Word(self.term & constant(other))

    def __rshift__(self, count: int) -> Word:
        return Word(z3.LShR(self.term, count))

    def __mod__(self, modulus: int) -> Word:
        return self & modulus - 1 if modulus < 1 << BITS else self  # a power of two; the vector wraps at 2^256

    def __xor__(self, other: Word | int) -> Word:
        return Word(self.term ^ (other.term if isinstance(other, Word) else constant(other)))

    def __ge__(self, other: int) -> z3.BoolRef:
        return z3.UGE(self.term, constant(other))


def lane(name: str) -> Word:
    """Any 64-bit word."""
    return Word(z3.ZeroExt(BITS - 64, z3.BitVec(name, 64)))


def low_half(word: Word) -> z3.BitVecRef:
    """The low 64 bits of a word."""
    return z3.Extract(63, 0, word.term)


def same_terms(left: Sequence[z3.ExprRef], right: Sequence[z3.ExprRef]) -> bool:
    """Whether two runs gave the same terms, simplified, and so equal values for all values of their variables."""
    pairs = zip(map(z3.simplify, left), map(z3.simplify, right), strict=True)
    return len(left) == len(right) and all(a.eq(b) for a, b in pairs)
