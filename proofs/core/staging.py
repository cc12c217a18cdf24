"""The law of staging: a load that fails at any point changes nothing, one that succeeds changes everything."""

from __future__ import annotations

from bitproof_spec.target import Commit
from bitproof_spec.violations import Violations
from proofs.core.staging_model import Contents, MakeTarget, ModelTarget, Seen, broken, runs, trace
from proofs.law import Law, Result, part

TENSORS = 6


def all_or_nothing(make: MakeTarget) -> Result:
    """Every run of the model: what it leaves, and what is seen at each of its points; states are counted once."""
    states: set[tuple[frozenset[int], bool, int, Seen]] = set()
    for run in runs(TENSORS):
        traced = trace(run, make)
        if wrong := broken(run, traced):
            return Result("refuted", 1, f"{run}: {wrong}")
        states.update((run.misfits, run.refused, at, seen) for at, seen in enumerate(traced.seen))
    return Result("model-checked", len(states), f"states of loads of up to {TENSORS} tensors, a fault at every point")


class Eager(ModelTarget):
    """A twin that installs what fits while it stages."""

    def stage(self, document: Contents, /) -> Commit[None] | Violations:
        """One tensor staged and installed, then the next."""
        for place, tensor in enumerate(document.tensors):
            if found := tuple(self.misfit(place)):
                return Violations(found)
            self.machine.live[place] = tensor
        return self.commit(document, ())


class SkipsMisfits(ModelTarget):
    """A twin that loads what fits and leaves the rest."""

    def stage(self, document: Contents, /) -> Commit[None] | Violations:
        """A partial load."""
        return self.commit(document, [place for place in range(len(document.tensors)) if not [*self.misfit(place)]])


class ForgetsTheLast(ModelTarget):
    """A twin whose commit leaves the last tensor out."""

    def stage(self, document: Contents, /) -> Commit[None] | Violations:
        """All staged, not all installed."""
        commit = super().stage(document)
        return commit if isinstance(commit, Violations) else self.commit(document, range(len(document.tensors) - 1))


class Lazy(ModelTarget):
    """A twin whose commit still has to read the tensors."""

    def stage(self, document: Contents, /) -> Commit[None] | Violations:
        """Nothing is staged before the commit."""
        commit = super().stage(document)
        if isinstance(commit, Violations):
            return commit

        def read_and_install() -> None:
            for place, tensor in enumerate(document.tensors):
                self.machine.live[place] = tensor
                self.machine.point("stage")

        return read_and_install


LAW = Law(
    id="staging",
    statement="a load that fails at any point changes nothing, one that succeeds changes everything",
    committed="model-checked",
    parts=(
        part(
            "the specification's load over every file and target of the model",
            "model checking",
            "model-checked",
            all_or_nothing,
            ModelTarget,
            {
                "installs while it stages": Eager,
                "skips misfits": SkipsMisfits,
                "forgets the last tensor": ForgetsTheLast,
                "reads in its commit": Lazy,
            },
        ),
    ),
)
