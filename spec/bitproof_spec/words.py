"""Words: a scalar's bits as one non-negative integer, its little-endian bytes, and the fields it is made of.

A word of `bits` bits takes the least number of whole bytes; the unused high bits of the last byte are zero.
"""

from __future__ import annotations

from typing import NamedTuple


class DoesNotFit(ValueError):
    """An integer that is no `owed`; the text is made only when asked for, however long the integer."""

    def __init__(self, value: int, owed: str) -> None:
        super().__init__(value, owed)
        self.value = value
        self.owed = owed

    def __str__(self) -> str:
        return f"{self.value:#x} is no {self.owed}"


def storage_bytes(bits: int) -> int:
    """The whole bytes that a word of `bits` bits takes; ValueError unless there is at least one bit."""
    if bits < 1:
        raise ValueError(f"a word has at least one bit, not {bits}")
    return (bits + 7) // 8


def fits(word: int, bits: int) -> bool:
    """Whether `word` is a word of `bits` bits: 0 <= word < 2^bits."""
    return 0 <= word < 1 << bits


def to_bytes(word: int, bits: int) -> bytes:
    """The bytes of a word of `bits` bits, least significant first; DoesNotFit when it doesn't fit."""
    size = storage_bytes(bits)
    if not fits(word, bits):
        raise DoesNotFit(word, _word_of(bits))
    return word.to_bytes(size, "little")


def from_bytes(data: bytes, bits: int) -> int:
    """The word of `bits` bits that `data` stores; ValueError for another size, DoesNotFit when a pad bit is set."""
    size = storage_bytes(bits)
    if len(data) != size:
        raise ValueError(f"a word of {bits} bits takes {size} bytes, not {len(data)}")
    word = int.from_bytes(data, "little")
    if not fits(word, bits):
        raise DoesNotFit(word, _word_of(bits))
    return word


class Fields(NamedTuple):
    """The fields of a binary floating-point word, each a non-negative integer."""

    sign: int
    exponent: int
    fraction: int


def split(word: int, exponent_bits: int, fraction_bits: int) -> Fields:
    """The fields of a word, sign highest, fraction lowest; DoesNotFit when it has more than these bits."""
    if not fits(word, 1 + exponent_bits + fraction_bits):
        raise DoesNotFit(word, _word_of(1 + exponent_bits + fraction_bits))
    upper, fraction = divmod(word, 1 << fraction_bits)
    return Fields(*divmod(upper, 1 << exponent_bits), fraction)


def join(fields: Fields, exponent_bits: int, fraction_bits: int) -> int:
    """The word of its fields; DoesNotFit when one of them doesn't fit."""
    for field, bits in zip(fields, (1, exponent_bits, fraction_bits), strict=True):
        if not fits(field, bits):
            raise DoesNotFit(field, _word_of(bits))
    sign, exponent, fraction = fields
    return (sign * (1 << exponent_bits) + exponent) * (1 << fraction_bits) + fraction


def _word_of(bits: int) -> str:
    return f"word of {bits} bits"
