"""Words: a scalar's bits as one non-negative integer, its little-endian bytes, and the fields it is made of.

A word of `bits` bits takes the least number of whole bytes; the unused high bits of the last byte are zero.
"""

from __future__ import annotations

from typing import NamedTuple


def storage_bytes(bits: int) -> int:
    """The whole bytes that a word of `bits` bits takes; ValueError unless there is at least one bit."""
    if bits < 1:
        raise ValueError(f"a word has at least one bit, not {bits}")
    return (bits + 7) // 8


def fits(word: int, bits: int) -> bool:
    """Whether `word` is a word of `bits` bits: 0 <= word < 2^bits."""
    return 0 <= word < 1 << bits


def to_bytes(word: int, bits: int) -> bytes:
    """The bytes of a word of `bits` bits, least significant first; ValueError when it doesn't fit."""
    size = storage_bytes(bits)
    if not fits(word, bits):
        raise ValueError(f"{word} is no word of {bits} bits")
    return word.to_bytes(size, "little")


def from_bytes(data: bytes, bits: int) -> int:
    """The word of `bits` bits that `data` stores; ValueError for another number of bytes or a pad bit that is set."""
    size = storage_bytes(bits)
    if len(data) != size:
        raise ValueError(f"a word of {bits} bits takes {size} bytes, not {len(data)}")
    word = int.from_bytes(data, "little")
    if not fits(word, bits):
        raise ValueError(f"{data.hex()} sets bits above the {bits} of its word")
    return word


class Fields(NamedTuple):
    """The fields of a binary floating-point word, each a non-negative integer."""

    sign: int
    exponent: int
    fraction: int


def split(word: int, exponent_bits: int, fraction_bits: int) -> Fields:
    """The fields of a word, sign highest, fraction lowest; ValueError when it has more than these bits."""
    if not fits(word, 1 + exponent_bits + fraction_bits):
        raise ValueError(f"{word} is no word of 1+{exponent_bits}+{fraction_bits} bits")
    upper, fraction = divmod(word, 1 << fraction_bits)
    return Fields(*divmod(upper, 1 << exponent_bits), fraction)


def join(fields: Fields, exponent_bits: int, fraction_bits: int) -> int:
    """The word of its fields; ValueError when one of them doesn't fit."""
    sign, exponent, fraction = fields
    if not (fits(sign, 1) and fits(exponent, exponent_bits) and fits(fraction, fraction_bits)):
        raise ValueError(f"{tuple(fields)} are no fields of 1+{exponent_bits}+{fraction_bits} bits")
    return (sign * (1 << exponent_bits) + exponent) * (1 << fraction_bits) + fraction
