"""A model of loading, small enough to be run in every way: a file of tensors that may be refused, misfit, or fail.

Reading and staging pass a point a tensor, at each of which the machine may fail; a commit passes one too, so that
what an observer sees in between is known, but there nothing can fail. `load` itself is the specification's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple, TypeAlias

from bitproof_spec.document import Leaf
from bitproof_spec.format import OfBytes, Segment, View
from bitproof_spec.target import Commit, load
from bitproof_spec.violations import CheckpointError, Violation, Violations

OLD, NEW = 0, 1


class Fault(Exception):
    """The machine fails: a read error, no memory, an interrupt."""


class Run(NamedTuple):
    """One way of loading: how many tensors, which don't fit, whether the file is refused, and where a fault strikes."""

    tensors: int
    misfits: frozenset[int]
    refused: bool
    fault: int | None


class Seen(NamedTuple):
    """What an observer saw: where the load stood, and the target's tensors there."""

    phase: str
    live: tuple[int, ...]


@dataclass
class Machine:
    """One run: counts points, fails at the chosen one, and keeps what was seen at each."""

    run: Run
    live: list[int]
    seen: list[Seen] = field(default_factory=list)

    def point(self, phase: str) -> None:
        """One step of the load; Fault where this run has it, except in a commit."""
        here = len([one for one in self.seen if one.phase != "commit"])
        self.seen.append(Seen(phase, tuple(self.live)))
        if phase != "commit" and here == self.run.fault:
            raise Fault


class Contents(NamedTuple):
    """The document of the model: new tensors."""

    tensors: tuple[int, ...]

    def leaves(self) -> Mapping[str, Leaf]:
        """The tensors by place."""
        return {str(place): tensor for place, tensor in enumerate(self.tensors)}


@dataclass
class ModelFormat:
    """Reads one tensor a point; refuses after all were read."""

    machine: Machine
    name: str = "model"
    canonical: bool = True

    def segments(self, _document: Contents, /) -> Iterator[Segment]:
        """The model writes nothing."""
        return iter(())

    def judge(self, _view: View, /) -> Contents | Violations:
        """The new tensors, or a refusal."""
        for _ in range(self.machine.run.tensors):
            self.machine.point("judge")
        if self.machine.run.refused:
            return Violations((Violation("MODEL-FILE", "/", "a bad file", "a good one"),))
        return Contents((NEW,) * self.machine.run.tensors)


@dataclass
class ModelTarget:
    """Stages one tensor a point into memory of its own, then installs them one a point."""

    machine: Machine

    def stage(self, document: Contents, /) -> Commit[None] | Violations:
        """All misfits, or a commit of all tensors."""
        places = range(len(document.tensors))
        found = tuple(violation for place in places for violation in self.misfit(place))
        return Violations(found) if found else self.commit(document, places)

    def misfit(self, place: int) -> Iterator[Violation]:
        """One tensor staged: what is wrong with it."""
        self.machine.point("stage")
        if place in self.machine.run.misfits:
            yield Violation("MODEL-FIT", f"/{place}", "another shape", "this one")

    def commit(self, document: Contents, places: Iterable[int]) -> Commit[None]:
        """A commit of the tensors at some places."""

        def install() -> None:
            for place in places:
                self.machine.point("commit")
                self.machine.live[place] = document.tensors[place]

        return install


MakeTarget: TypeAlias = Callable[[Machine], ModelTarget]


def runs(most: int) -> Iterator[Run]:
    """Every load of up to so many tensors: each set of misfits, refused or not, a fault at each point or none."""
    for tensors, refused in product(range(most + 1), (False, True)):
        for chosen in product((False, True), repeat=tensors):
            misfits = frozenset(place for place, misfit in enumerate(chosen) if misfit)
            for fault in (None, *range(2 * tensors)):  # one point a tensor to read it, one to stage it
                yield Run(tensors, misfits, refused, fault)


class Trace(NamedTuple):
    """How a run went: whether it failed, what it left, and what was seen on the way."""

    failed: bool
    left: tuple[int, ...]
    seen: tuple[Seen, ...]


def trace(run: Run, make: MakeTarget) -> Trace:
    """The specification's `load` of one run."""
    machine = Machine(run, [OLD] * run.tensors)
    try:
        load(make(machine), ModelFormat(machine), OfBytes(b""))
        failed = False
    except (Fault, CheckpointError):
        failed = True
    return Trace(failed, tuple(machine.live), tuple(machine.seen))


def broken(run: Run, traced: Trace) -> str | None:
    """What is wrong with a run as it went, None when nothing is."""
    old, new = (OLD,) * run.tensors, (NEW,) * run.tensors
    if traced.failed != (run.refused or bool(run.misfits) or run.fault is not None):
        return "failed without a reason" if traced.failed else "succeeded in spite of a reason to fail"
    if traced.left != (old if traced.failed else new):
        return f"left {traced.left}"
    early = [seen for seen in traced.seen if seen.phase != "commit" and seen.live != old]
    return f"{early[0].live} seen before the commit, in {early[0].phase}" if early else None
