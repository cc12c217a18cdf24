"""Formats: a document to segments that tile its file under clauses, and a view of a file to document or violations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import NamedTuple, Protocol, TypeVar

from bitproof_spec.document import Data, Document
from bitproof_spec.violations import Violations

D = TypeVar("D", bound=Document)


class Segment(NamedTuple):
    """A run of bytes under one clause. The segments of a document tile its file: writer, map and coverage are one."""

    clause: str
    data: Data


class Payload(NamedTuple):
    """One tensor's bytes and their SHA-256 (b"" unless asked for).

    A view that only checks may drop the bytes and hand over an empty `data`; the verdict doesn't depend on them.
    """

    data: Data
    sha256: bytes


class View(Protocol):
    """All that a judge may do with a file, so that one judge serves bytes, descriptors with threads, and recorders."""

    @property
    def size(self) -> int:
        """Bytes in the file, fixed for the life of the view."""
        ...

    def look(self, clause: str, start: int, length: int, /) -> bytes:
        """The bytes of one small run; fewer where the file ends before it does."""
        ...

    def blocks(self, clause: str, ranges: Sequence[tuple[int, int]], /, *, digest: bool) -> Sequence[Payload]:
        """The payloads at (start, length) ranges that lie inside the file, in order; impl reads them in parallel."""
        ...


@dataclass
class OfBytes:
    """The spec's view of a file held as bytes; it records what was looked at, for the coverage law."""

    file: bytes
    seen: list[tuple[int, int, str]] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Bytes in the file."""
        return len(self.file)

    def look(self, clause: str, start: int, length: int, /) -> bytes:
        """The bytes of one run, recorded."""
        self.seen.append((start, length, clause))
        return self.file[start : start + length]

    def blocks(self, clause: str, ranges: Sequence[tuple[int, int]], /, *, digest: bool) -> Sequence[Payload]:
        """The payloads at the ranges, each recorded."""
        found = [self.look(clause, start, length) for start, length in ranges]
        return [Payload(data, sha256(data).digest() if digest else b"") for data in found]


class Format(Protocol[D]):
    """Laws: round trip, totality, canonical (when claimed), coverage and bounds of what `judge` looks at."""

    @property
    def name(self) -> str:
        """The format's name on command lines and in reports."""
        ...

    @property
    def canonical(self) -> bool:
        """Whether a document has exactly one file."""
        ...

    def segments(self, document: D, /) -> Iterable[Segment]:
        """The runs of bytes that tile the document's file, in order, each under its clause."""
        ...

    def judge(self, view: View, /) -> D | Violations:
        """The document that a file is, or every violation of the first phase that has any. Never raises for bytes."""
        ...


def encode(format: Format[D], document: D) -> bytes:
    """The whole file of a document."""
    return b"".join(segment.data for segment in format.segments(document))
