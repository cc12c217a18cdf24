"""The laws, written once against the protocols and run over every instance.

Each raises `LawBroken` with the first difference when its law doesn't hold, and returns None when it does.
`live_laws` holds those of live objects beyond one undisturbed load: faults, sharing, captures.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from bitproof_spec.document import Block, Document, differences, first_difference
from bitproof_spec.encoding import Encoding
from bitproof_spec.format import Format, OfBytes, Payload, View, encode
from bitproof_spec.target import Checkpointable, Trainable, load, save
from bitproof_spec.violations import CheckpointError, Violations

S = TypeVar("S")
D = TypeVar("D", bound=Document)
X = TypeVar("X")


class LawBroken(AssertionError):
    """A law doesn't hold; the message begins with the law's name and tells the first difference."""


def law_encoding(encoding: Encoding[S], word: bytes) -> None:
    """Encoding: encode(decode(w)) == w for every word that is taken, and a refused word raises ValueError."""
    if not encoding.accepts(word):
        try:
            encoding.decode(word)
        except ValueError:
            return
        raise LawBroken(f"encoding: {encoding.tag}: {word.hex()} is not accepted, and yet decoded")
    if encoding.encode(encoding.decode(word)) != word:
        raise LawBroken(f"encoding: {encoding.tag}: {word.hex()} comes back as another word")


def law_round_trip(format: Format[D], document: D) -> None:
    """Round trip: judge(segments(d)) == d, and every leaf of d is of a kind that can be compared bit for bit."""
    for where, leaf in document.leaves().items():
        if leaf is not None and not isinstance(leaf, bool | int | str | bytes | Block):
            raise LawBroken(f"round-trip: {where} is a {type(leaf).__name__}, no leaf of a document")
    back = format.judge(OfBytes(encode(format, document)))
    if isinstance(back, Violations):
        raise LawBroken(f"round-trip: own file refused: {back.all[0]}")
    owe_equal("round-trip", document, back)
    if document != back:
        raise LawBroken("round-trip: unequal documents without a differing leaf")


def law_total(format: Format[D], file: bytes) -> None:
    """Totality: a document or violations, whatever the bytes; the same each time, and from a view that only checks."""
    verdict = _verdict(format, OfBytes(file))
    if verdict != _verdict(format, OfBytes(file)):
        raise LawBroken("total: two verdicts for one file")
    checked = _verdict(format, _Checking(file))
    if isinstance(verdict, Violations) or isinstance(checked, Violations):
        if verdict != checked:
            raise LawBroken("total: a view that only checks gets another verdict, as it hands over no data of blocks")
        return
    try:
        verdict.leaves()
    except Exception as error:
        raise LawBroken(f"total: the leaves raised {type(error).__name__}: {error}") from error


def law_canonical(format: Format[D], file: bytes) -> None:
    """Canonical: where the format claims it, an accepted file is the one file of its document."""
    document = format.judge(OfBytes(file))
    if isinstance(document, Violations) or not format.canonical:
        return
    byte = first_difference(encode(format, document), file)
    if byte is not None:
        raise LawBroken(f"canonical: two files for one document, which differ at byte {byte}")


def law_coverage(format: Format[D], file: bytes, largest_look: int) -> None:
    """Coverage and bounds: what an accepting judge took tiles the file, no look is larger than stated, and no block
    is asked for outside the file."""
    view = _Recorder(file)
    refused = isinstance(format.judge(view), Violations)
    for start, length, clause in view.looks:
        if not 0 <= length <= largest_look or start < 0 or (start + length > len(file) and not refused):
            raise LawBroken(f"coverage: {clause} looked at {length} bytes from {start} of {len(file)}")
    for start, length, clause in view.ranges:
        if length < 0 or start < 0 or start + length > len(file):
            raise LawBroken(f"coverage: {clause} took a block of {length} bytes from {start} of {len(file)}")
    if not refused:
        _owe_tiling(sorted((*view.looks, *view.ranges)), len(file))


def law_segments(format: Format[D], document: D) -> None:
    """Coverage of the writer: every segment names its clause."""
    for segment in format.segments(document):
        if not segment.clause:
            raise LawBroken(f"segments: {len(segment.data)} bytes under no clause")


def law_staged(format: Format[D], live: Checkpointable[D], file: bytes) -> bool:
    """Staged: a refused load changes nothing; an accepted one makes the target what its document says.

    Returns whether the load was accepted.
    """
    before = live.capture()
    try:
        load(live, format, OfBytes(file))
    except CheckpointError:
        owe_equal("staged: a refused load changed", before, live.capture())
        return False
    document = format.judge(OfBytes(file))
    if isinstance(document, Violations):
        raise LawBroken("staged: load and judge disagree")
    owe_equal("staged: the target differs from its document at", document, live.capture())
    return True


def law_resume(format: Format[D], fresh: Callable[[], Trainable[D]], n: int, m: int, used: int = 0) -> None:
    """Resume: n steps, save, load into a new object, m steps = n + m steps; and saving disturbs nothing.

    `used` is the number of steps that the object loaded into had taken before.
    """
    straight, cut, resumed = new_objects("resume", fresh, 3)
    straight.advance(n)
    straight.advance(m)
    cut.advance(n)
    resumed.advance(used)
    load(resumed, format, OfBytes(save(cut, format)))
    resumed.advance(m)
    before, after, other = _steps(n), _steps(m), _steps(used)
    plan = f"{before}, save, load into an object after {other}, {after}"
    owe_equal(f"resume: {plan}", straight.capture(), resumed.capture())
    cut.advance(m)
    owe_equal(f"resume: {before}, save, {after}: saving disturbed training", straight.capture(), cut.capture())


def owe_equal(law: str, owed: Document, found: Document) -> None:
    """Raise LawBroken with the law and the first difference, unless all leaves agree."""
    parted = differences(owed, found)
    if parted:
        first = parted[0]
        raise LawBroken(f"{law}: {first.where}: owed {first.left}, found {first.right} (1 of {len(parted)})")


def new_objects(law: str, fresh: Callable[[], X], count: int) -> list[X]:
    """So many new objects. LawBroken when `fresh` gives one of them twice: they would share all that they are."""
    made = [fresh() for _ in range(count)]
    if len(set(map(id, made))) < count:
        raise LawBroken(f"{law}: fresh gave one object twice, not two new ones")
    return made


def _steps(count: int) -> str:
    return f"{count} step" if count == 1 else f"{count} steps"


@dataclass
class _Recorder(OfBytes):
    """Keeps small looks and blocks apart: only looks are bounded in size, only blocks owe to lie inside the file."""

    looks: list[tuple[int, int, str]] = field(default_factory=list)
    ranges: list[tuple[int, int, str]] = field(default_factory=list)

    def look(self, clause: str, start: int, length: int, /) -> bytes:
        self.looks.append((start, length, clause))
        return self.file[max(start, 0) : max(start + length, 0)]

    def blocks(self, clause: str, ranges: Sequence[tuple[int, int]], /, *, digest: bool) -> Sequence[Payload]:
        self.ranges.extend((start, length, clause) for start, length in ranges)
        return OfBytes(self.file).blocks(clause, ranges, digest=digest)


class _Checking(OfBytes):
    """Hands over blocks as a view may that only checks: with their digests, without their data."""

    def blocks(self, clause: str, ranges: Sequence[tuple[int, int]], /, *, digest: bool) -> Sequence[Payload]:
        return [payload._replace(data=b"") for payload in super().blocks(clause, ranges, digest=digest)]


def _owe_tiling(taken: Sequence[tuple[int, int, str]], size: int) -> None:
    here = 0
    for start, length, clause in (*taken, (size, 0, "the end")):
        if start > here:
            raise LawBroken(f"coverage: bytes {here}..{start} before {clause} were not looked at")
        here = max(here, start + length)


def _verdict(format: Format[D], view: View) -> D | Violations:
    try:
        return format.judge(view)
    except Exception as error:
        raise LawBroken(f"total: the judge raised {type(error).__name__}: {error}") from error
