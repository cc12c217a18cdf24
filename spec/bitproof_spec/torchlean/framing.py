"""What TLSF32B and TLADAMF share: seven ASCII bytes of magic, then unsigned 64-bit little-endian numbers ("nat64").

A `Cursor` reads numbers in order, each bounded by the bytes that are left before anything of its size is read.
"""

from __future__ import annotations

from collections.abc import Sequence

from bitproof_spec.findings import Findings, counted
from bitproof_spec.format import View
from bitproof_spec.words import from_bytes, to_bytes

NAT64_LIMIT = 2**64
MAGIC_LENGTH = 7
RANK_LIMIT = 1024
TENSOR_LIMIT = 2**20


def nat64(n: int) -> bytes:
    """A natural number as eight little-endian bytes; ValueError when it doesn't fit."""
    return to_bytes(n, 64)


def nat64s(numbers: Sequence[int]) -> bytes:
    """Several natural numbers, one after the other."""
    return b"".join(nat64(n) for n in numbers)


def span(start: int, length: int) -> str:
    """A half-open byte range as findings write it."""
    return f"{start:#x}..{start + length:#x}"


def product(dims: Sequence[int], limit: int = NAT64_LIMIT) -> int:
    """The number of elements of a shape, 1 for rank 0; `limit` stands for every product that reaches it.

    Linear in the rank whatever the dims: a hostile shape costs no big-number arithmetic.
    """
    if 0 in dims:
        return 0
    total = 1
    for dim in dims:
        total *= dim
        if total >= limit:
            return limit
    return total


class EndOfFile(Exception):  # control flow inside a judge; it never leaves one
    """The file ends inside a field of `length` bytes at `start`; `payload` tells a tensor's bytes from a number."""

    def __init__(self, start: int, length: int, left: int, payload: bool) -> None:
        super().__init__()
        self.start, self.length, self.left, self.payload = start, length, left, payload

    def report(self, findings: Findings, number_rule: str, payload_rule: str) -> None:
        """Record the truncation under the rule for what is cut."""
        rule = payload_rule if self.payload else number_rule
        found = f"{counted(self.left, 'byte')} to the end of the file"
        findings.add(rule, span(self.start, self.length), found, counted(self.length, "byte"))


class Cursor:
    """Reads a view front to back; raises EndOfFile where a field isn't there whole."""

    def __init__(self, view: View) -> None:
        self._view = view
        self.at = 0

    @property
    def left(self) -> int:
        """Bytes not yet read."""
        return self._view.size - self.at

    def take(self, clause: str, length: int) -> bytes:
        """The next `length` bytes."""
        return self._view.look(clause, self._pass(length, payload=False), length)

    def payload(self, length: int) -> int:
        """Pass over a tensor's bytes, to be read later; where they start."""
        return self._pass(length, payload=True)

    def nat(self, clause: str) -> int:
        """The next nat64."""
        return from_bytes(self.take(clause, 8), 64)

    def nats(self, clause: str, count: int) -> tuple[int, ...]:
        """The next `count` nat64s, refused as a whole where the file can't hold them."""
        data = self.take(clause, 8 * count)
        return tuple(from_bytes(data[i : i + 8], 64) for i in range(0, len(data), 8))

    def _pass(self, length: int, *, payload: bool) -> int:
        if length > self.left:
            raise EndOfFile(self.at, length, self.left, payload)
        self.at += length
        return self.at - length
