"""Changes of KNN files, and what coverage owes: looks that tile, runs that are judged, no block over the budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from bitproof_spec.format import OfBytes, Payload, Segment, View, encode
from bitproof_spec.klyn.container import KNN
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.rules import RULES
from bitproof_spec.klyn.stages import Dense, Dropout, Input
from bitproof_spec.klyn.training import RandomState, Sgd, Training
from bitproof_spec.klyn.vectors import vectors
from bitproof_spec.klyn.vectors.building import checkpoint
from bitproof_spec.klyn.vectors.models import EMPTY_LAST, HALF, HALF_ADAM, IMAGE, NONE, PLAIN, QUARTER, SGD, TENTH
from bitproof_spec.violations import Violations
from proofs.law import Result
from proofs.sampling import exhaust

Judge: TypeAlias = Callable[[View], "Checkpoint | Violations"]
Writer: TypeAlias = Callable[[Checkpoint], Iterable[Segment]]
SMALL = tuple(encode(KNN, document) for document in (NONE, EMPTY_LAST))
TINY = checkpoint(
    "binary32",
    (Input("i", (1,)), Dropout("d", QUARTER, 3), Dense("w", 1, False, "tanh", 2)),
    Training(Sgd(TENTH, HALF, True), 4, "mean_squared_error", None, (RandomState("d", 5),)),
)
LARGER = tuple(encode(KNN, document) for document in (PLAIN, TINY))
ALL = tuple(encode(KNN, document) for document in (NONE, EMPTY_LAST, PLAIN, TINY, SGD, HALF_ADAM))


class Changed(NamedTuple):
    """A file by what was done to another: its first `kept` bytes, `new`, and its bytes from `after` on."""

    file: bytes
    kept: int
    new: bytes
    after: int

    def __repr__(self) -> str:
        return f"{self.new.hex() or 'nothing'} in place of bytes {self.kept:#x}..{self.after:#x}"

    @property
    def bytes(self) -> bytes:
        """The whole file."""
        return self.file[: self.kept] + self.new + self.file[self.after :]


def bytes_changed(files: Sequence[bytes]) -> Iterator[Changed]:
    """Every other value of every byte."""
    for file in files:
        for at, byte in enumerate(file):
            yield from (Changed(file, at, bytes([value]), at + 1) for value in range(256) if value != byte)


def cut_or_extended(files: Sequence[bytes]) -> Iterator[Changed]:
    """Every truncation, every byte appended, and up to 128 zeros."""
    for file in files:
        size = len(file)
        yield from (Changed(file, kept, b"", size) for kept in range(size))
        yield from (Changed(file, size, bytes([value]), size) for value in range(256))
        yield from (Changed(file, size, bytes(count), size) for count in range(2, 129))


def refused(judge: Judge, changed: Changed) -> bool:
    """Whether the judge refuses a changed file."""
    return isinstance(judge(OfBytes(changed.bytes)), Violations)


def all_refused(changes: Callable[[], Iterable[Changed]], judge: Judge) -> Result:
    """Every one of these changes is refused."""
    return exhaust(partial(refused, judge), changes())


def tiled(judge: Judge, file: bytes) -> bool:
    """Whether the judge accepts a file, and what it took of it stands side by side, each under a rule's clause."""
    view = OfBytes(file)
    if isinstance(judge(view), Violations):
        return False
    here = 0
    for start, length, clause in sorted(view.seen):
        if start != here or clause not in RULES:
            return False
        here = start + length
    return here == len(file)


def all_tiled(judge: Judge) -> Result:
    """Every valid vector is tiled by what the judge takes of it."""
    return exhaust(partial(tiled, judge), (v.file for v in vectors() if v.result == "valid"))


class Blind(OfBytes):
    """A view that makes padding up."""

    def look(self, clause: str, start: int, length: int, /) -> bytes:
        """Zeros for padding, without looking."""
        return bytes(length) if clause == "KNN-PAD-01" else super().look(clause, start, length)


class Twice(OfBytes):
    """A view that reads each block twice."""

    def blocks(self, clause: str, ranges: Sequence[tuple[int, int]], /, *, digest: bool) -> Sequence[Payload]:
        """The payloads, after all of them have been looked at for nothing."""
        super().blocks(clause, ranges, digest=False)
        return super().blocks(clause, ranges, digest=digest)


def through(kind: type[OfBytes]) -> Judge:
    """The judge through another view, its looks recorded as if they were those of the one it is given."""

    def judge(view: View) -> Checkpoint | Violations:
        if not isinstance(view, OfBytes):
            raise TypeError(f"{type(view).__name__} holds no bytes")
        return KNN.judge(kind(view.file, view.seen))

    return judge


def writes_what_is_judged(writer: Writer, document: Checkpoint) -> bool:
    """Whether a document's runs of bytes are its file, each under a rule's clause, and are looked at under it."""
    runs = list(writer(document))
    view = OfBytes(b"".join(run.data for run in runs))
    if KNN.judge(view) != document or not all(run.clause in RULES for run in runs):
        return False
    owed = [(run.clause, bytes(run.data)) for run in runs if run.data and not run.clause.startswith("KNN-HDR")]
    looked = [(clause, view.file[at : at + size]) for at, size, clause in sorted(view.seen) if size]
    return looked[1:] == owed


def all_written(writer: Writer) -> Result:
    """Every model's file is written under the clauses by which it is judged."""
    return exhaust(partial(writes_what_is_judged, writer), (NONE, EMPTY_LAST, PLAIN, SGD, HALF_ADAM, IMAGE))


def without_padding_clause(document: Checkpoint) -> Iterator[Segment]:
    """A twin whose padding stands under the clause of blocks."""
    return (Segment(run.clause.replace("PAD", "BLK"), run.data) for run in KNN.segments(document))


def asks_for_no_block(judge: Callable[[int, View], object], budget: int) -> bool:
    """Whether a judge with a budget that is too small looks at no block of the file."""
    view = OfBytes(encode(KNN, HALF_ADAM))
    judge(budget, view)
    return all(clause != "KNN-BLK-01" for _, _, clause in view.seen)


def no_block_over_budget(judge: Callable[[int, View], object]) -> Result:
    """For every budget below the file's sum."""
    return exhaust(partial(asks_for_no_block, judge), range(sum(len(block.data) for _, block in HALF_ADAM.tensors)))
