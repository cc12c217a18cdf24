"""The laws, written once against the protocols and run over every instance.

Each raises `LawBroken` with the first difference when its law doesn't hold, and returns None when it does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from bitproof_spec.document import Document, differences
from bitproof_spec.encoding import Encoding
from bitproof_spec.format import Format, OfBytes, encode
from bitproof_spec.target import Checkpointable, Trainable, load, save
from bitproof_spec.violations import CheckpointError, Violations

S = TypeVar("S")
D = TypeVar("D", bound=Document)


class LawBroken(AssertionError):
    """A law doesn't hold; the message names the law and the first difference."""


def law_encoding(encoding: Encoding[S], word: bytes) -> None:
    """Encoding: encode(decode(w)) == w for every word that is taken, and a refused word raises ValueError."""
    if not encoding.accepts(word):
        try:
            encoding.decode(word)
        except ValueError:
            return
        raise LawBroken(f"encoding {encoding.tag}: {word.hex()} is not accepted, and yet decoded")
    if encoding.encode(encoding.decode(word)) != word:
        raise LawBroken(f"encoding {encoding.tag}: {word.hex()} comes back as another word")


def law_round_trip(format: Format[D], document: D) -> None:
    """Round trip: judge(segments(d)) == d."""
    back = format.judge(OfBytes(encode(format, document)))
    if isinstance(back, Violations):
        raise LawBroken(f"round trip: own file refused: {back.all[0]}")
    _owe("round trip", document, back)
    if document != back:
        raise LawBroken("round trip: unequal documents without a differing leaf")


def law_total(format: Format[D], file: bytes) -> None:
    """Totality: a document or violations, whatever the bytes, each time the same; canonical: one file a document."""
    document = format.judge(OfBytes(file))
    again = format.judge(OfBytes(file))
    if document != again:
        raise LawBroken("total: two verdicts for one file")
    if not isinstance(document, Violations) and format.canonical and encode(format, document) != file:
        raise LawBroken("canonical: two files for one document")


def law_coverage(format: Format[D], file: bytes, largest_look: int) -> None:
    """Coverage and bounds: what an accepting judge looked at tiles the file, and no look is larger than stated."""
    view = OfBytes(file)
    refused = isinstance(format.judge(view), Violations)
    here = 0
    for start, length, clause in sorted(view.seen):
        if length > largest_look or start < 0 or (start + length > len(file) and not refused):
            raise LawBroken(f"bounds: {clause} looked at {length} bytes from {start} of {len(file)}")
        if start > here and not refused:
            raise LawBroken(f"coverage: bytes {here}..{start} before {clause}")
        here = max(here, start + length)
    if here < len(file) and not refused:
        raise LawBroken(f"coverage: bytes {here}.. to the end")


def law_segments(format: Format[D], document: D) -> None:
    """Coverage of the writer: every segment names its clause."""
    for segment in format.segments(document):
        if not segment.clause:
            raise LawBroken(f"segments: {len(segment.data)} bytes under no clause")


def law_staged(format: Format[D], live: Checkpointable[D], file: bytes) -> None:
    """Staged: a refused load changes nothing; an accepted one makes the target what its document says."""
    before = live.capture()
    try:
        load(live, format, OfBytes(file))
    except CheckpointError:
        _owe("staged: a refused load changed", before, live.capture())
        return
    document = format.judge(OfBytes(file))
    if isinstance(document, Violations):
        raise LawBroken("staged: load and judge disagree")
    _owe("faithful: the target differs from its document at", document, live.capture())


def law_resume(format: Format[D], fresh: Callable[[], Trainable[D]], n: int, m: int) -> None:
    """Resume: n steps, save, load into a new object, m steps = n + m steps; and saving disturbs nothing."""
    straight, cut, resumed = fresh(), fresh(), fresh()
    straight.advance(n)
    straight.advance(m)
    cut.advance(n)
    load(resumed, format, OfBytes(save(cut, format)))
    resumed.advance(m)
    _owe("resume", straight.capture(), resumed.capture())
    cut.advance(m)
    _owe("saving disturbed training", straight.capture(), cut.capture())


def _owe(law: str, left: Document, right: Document) -> None:
    found = differences(left, right)
    if found:
        raise LawBroken(f"{law}: {found[0].where}: {found[0].left} against {found[0].right} (1 of {len(found)})")
