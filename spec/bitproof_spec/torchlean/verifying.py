"""What a reader will say of a document's file, found before the file is written and without its payloads."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import TypeVar

from bitproof_spec.document import Document
from bitproof_spec.format import Format, Payload, Segment
from bitproof_spec.violations import Violations

D = TypeVar("D", bound=Document)

PAYLOADS = ("TLS-PAY-01", "TLA-PAY-01")


def verify(format: Format[D], document: D) -> Violations | None:
    """Why the document's file would be refused, None when it wouldn't; ValueError for what no file can say."""
    verdict = format.judge(_Frame(format.segments(document)))
    return verdict if isinstance(verdict, Violations) else None


class _Frame:
    """A view of a file of which only the bytes outside tensors are held."""

    def __init__(self, segments: Iterable[Segment]) -> None:
        self._starts: list[int] = []
        self._pieces: list[bytes] = []
        self.size = 0
        for clause, data in segments:
            if clause not in PAYLOADS:
                self._starts.append(self.size)
                self._pieces.append(bytes(data))
            self.size += len(data)

    def look(self, clause: str, start: int, length: int, /) -> bytes:
        """The bytes of one run; ValueError where a tensor's are among them."""
        first = bisect_right(self._starts, start) - 1
        found, at, size = b"", start - self._starts[first], min(length, self.size - start)
        while len(found) < at + size:
            if first == len(self._pieces) or self._starts[first] != start - at + len(found):
                raise ValueError(f"{clause} looks at bytes {start}..{start + length}, of which some are a tensor's")
            found += self._pieces[first]
            first += 1
        return found[at : at + size]

    def blocks(self, clause: str, ranges: Sequence[tuple[int, int]], /, *, digest: bool) -> Sequence[Payload]:
        """Payloads without their bytes; ValueError for digests of them."""
        if digest:
            raise ValueError(f"{clause}: payloads that aren't held have no digests")
        return [Payload(b"", b"")] * len(ranges)
