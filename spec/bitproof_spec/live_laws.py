"""Laws of live objects beyond one undisturbed load: what staging alone does, faults, sharing, captures.

Each raises `LawBroken` with the first difference when its law doesn't hold, and returns None when it does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TypeVar

from bitproof_spec.document import Block, Document, Leaf
from bitproof_spec.format import Format, OfBytes
from bitproof_spec.laws import LawBroken, new_objects, owe_equal
from bitproof_spec.target import Checkpointable, Trainable, load, save
from bitproof_spec.violations import CheckpointError, Violations

D = TypeVar("D", bound=Document)

FaultAt = Callable[[int], AbstractContextManager[object]]


class Fault(Exception):
    """Raised by a fault that a law planted; nothing else may catch it."""


def law_capture(fresh: Callable[[], Trainable[D]], n: int) -> None:
    """Capture: two captures of one state agree, new objects are alike, training never reaches a captured document."""
    live, twin = new_objects("capture", fresh, 2)
    owe_equal("capture: two new objects differ", live.capture(), twin.capture())
    live.advance(n)
    document = live.capture()
    owe_equal("capture: two captures of one state differ", document, live.capture())
    frozen = Frozen.of(document)
    live.advance(1)
    owe_equal("capture: training changed a captured document", frozen, document)


def law_trains(fresh: Callable[[], Trainable[D]]) -> None:
    """Training changes the document: without this the laws of resuming and sharing would hold of anything."""
    live, idle = new_objects("trains", fresh, 2)
    live.advance(1)
    if Frozen.of(live.capture()) == Frozen.of(idle.capture()):
        raise LawBroken("trains: one step changes no leaf, so no law about training can fail")


def law_commit(live: Checkpointable[D], document: D) -> bool:
    """Commit: staging alone changes nothing, its commit everything. Returns whether the document fits the target."""
    before = Frozen.of(live.capture())
    commit = live.stage(document)
    owe_equal("commit: staging alone changed", before, live.capture())
    if isinstance(commit, Violations):
        return False
    commit()
    owe_equal("commit: after it the target differs from its document at", document, live.capture())
    return True


def law_independent(format: Format[D], fresh: Callable[[], Trainable[D]], n: int) -> None:
    """Independent: targets of one document share nothing with it or with each other; training one shows in no other.

    What is wrong before any training is told as what it is: a wrong file, a wrong load, a document written to.
    """
    source, one, other = new_objects("independent", fresh, 3)
    source.advance(n)
    saved = Frozen.of(source.capture())
    document = format.judge(OfBytes(save(source, format)))
    if isinstance(document, Violations):
        raise LawBroken(f"independent: own file refused: {document.all[0]}")
    frozen = Frozen.of(document)
    owe_equal("independent: own file read as another document", saved, frozen)

    def owe_untouched(act: str) -> None:
        owe_equal(f"independent: {act} a target changed the document it was loaded from", frozen, document)
        owe_equal(f"independent: {act} a target changed the object that was saved", saved, source.capture())

    for target in (one, other):
        commit = target.stage(document)
        if isinstance(commit, Violations):
            raise LawBroken(f"independent: own document refused: {commit.all[0]}")
        commit()
    owe_untouched("loading")
    for target in (one, other):
        owe_equal("independent: the loaded target differs from its document at", frozen, target.capture())
    one.advance(1)
    owe_untouched("training")
    owe_equal("independent: training one target changed another of the same document", frozen, other.capture())


def law_read_faults(format: Format[D], live: Checkpointable[D], file: bytes) -> int:
    """Faults of reading: whichever read of a load fails, its OSError comes out as it is and nothing has changed.

    Returns the number of reads at which a fault was planted.
    """
    before = Frozen.of(live.capture())
    reads = 0
    while True:
        view = _Failing(file, reads=reads)
        try:
            load(live, format, view)
        except OSError as error:
            if error is not view.planted:
                raise LawBroken(f"read-faults: read {reads} failed and another error came out: {error!r}") from error
        except CheckpointError as refusal:
            if view.fired:
                raise LawBroken(f"read-faults: read {reads} failed and the file was blamed: {refusal}") from refusal
            return reads
        else:
            if view.fired:
                raise LawBroken(f"read-faults: read {reads} failed and the load went on")
            return reads
        owe_equal(f"read-faults: read {reads} failed, and yet the load changed", before, live.capture())
        reads += 1


def law_stage_faults(format: Format[D], live: Checkpointable[D], file: bytes, fault_at: FaultAt) -> int:
    """Faults of staging: whichever step of staging fails, nothing has changed.

    Under `fault_at(k)` the k-th step of staging (one a tensor, from 0) raises `Fault`. Returns the number of faults.
    """
    before = Frozen.of(live.capture())
    step = 0
    while True:
        try:
            with fault_at(step):
                load(live, format, OfBytes(file))
        except Fault:
            owe_equal(f"stage-faults: step {step} failed, and yet the load changed", before, live.capture())
            step += 1
        else:
            return step


@dataclass(frozen=True)
class Frozen:
    """A deep copy of a document's leaves, out of reach of whatever memory the document may share."""

    copied: Mapping[str, Leaf]

    @staticmethod
    def of(document: Document) -> Frozen:
        """The copy of a document as it is now."""
        return Frozen({where: _copied(leaf) for where, leaf in document.leaves().items()})

    def leaves(self) -> Mapping[str, Leaf]:
        """The copied leaves, in the document's order."""
        return self.copied


def _copied(leaf: Leaf) -> Leaf:
    return Block(leaf.tag, leaf.shape, bytes(leaf.data)) if isinstance(leaf, Block) else leaf


@dataclass
class _Failing(OfBytes):
    """A view whose reads fail from the given one on, each look and each block of a batch being one read."""

    reads: int = 0
    fired: bool = False
    planted: OSError = field(default_factory=lambda: OSError(5, "a planted read error"))

    def look(self, clause: str, start: int, length: int, /) -> bytes:
        if len(self.seen) >= self.reads:
            self.fired = True
            raise self.planted
        return super().look(clause, start, length)
