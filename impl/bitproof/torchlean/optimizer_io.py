"""The optimizer state of an objective's backend as a document, and a document staged into it, all or nothing."""

from __future__ import annotations

from typing import Generic, TypeVar

import torch

from bitproof import tensors
from bitproof.torchlean.backends import EagerNative
from bitproof.torchlean.lent import Lent
from bitproof.torchlean.objective import Objective
from bitproof.torchlean.optimizers import Moments
from bitproof_spec.document import Block
from bitproof_spec.target import Commit
from bitproof_spec.torchlean.optimizer_document import ADAM, Entry, OptimizerState
from bitproof_spec.torchlean.optimizer_file import WRITE_VERSION
from bitproof_spec.torchlean.optimizer_target import OptimizerFacts, misfits, ownerless, unready
from bitproof_spec.violations import CheckpointError, Violations

S = TypeVar("S")


class OptimizerTarget(Generic[S]):
    """The optimizer state that an objective's backend owns, if it does. ValueError for a backend of another objective.

    `error` is what is raised where there is nothing to capture.
    """

    def __init__(self, objective: Objective[S], *, error: type[CheckpointError] = CheckpointError) -> None:
        self._params = objective.backend.parameters_of(objective)
        self._backend = objective.backend
        self._error = error

    def facts(self) -> OptimizerFacts:
        """What the backend owns, and what a file must agree with."""
        backend, slots = self._backend, self._params.schema()
        if not isinstance(backend, EagerNative):
            return OptimizerFacts(f"the {backend.name} backend", False, ADAM, None, slots, counted=True)
        name = f"the {backend.name} backend over {self._params.tag} tensors"
        kind = (backend.bound or backend.optimizer.config).kind
        return OptimizerFacts(name, backend.owns(self._params), kind, backend.bound, slots, counted=True)

    def owe_owner(self) -> None:
        """The error unless the backend owns optimizer state."""
        found = tuple(ownerless(self.facts()))
        if found:
            raise self._error(Violations(found), "optimizer state")

    def lend(self) -> OptimizerState:
        """The state, its moments lent while a save writes them. The error when there is none, or it can't be held."""
        facts, backend = self.facts(), self._backend
        moments = backend.moments if isinstance(backend, EagerNative) else {}
        found = tuple(unready(facts, backend.session.counter, {slot: each.step for slot, each in moments.items()}))
        if found or facts.bound is None:
            raise self._error(Violations(found), "optimizer state")
        owed = [index for index, slot in enumerate(facts.slots) if slot.owner == index]
        entries = Lent(owed, lambda slot: _entry(slot, moments[slot]))
        return OptimizerState(WRITE_VERSION, facts.bound, backend.session.counter, facts.slots, entries)

    def capture(self) -> OptimizerState:
        """A copy of the state. The error when there is none, or it can't be held."""
        lent = self.lend()
        copies = tuple(Entry(e.slot, e.step, _copy(e.first), _copy(e.second)) for e in lent.entries)
        return OptimizerState(lent.version, lent.config, lent.counter, lent.slots, copies)

    def stage(self, document: OptimizerState, /) -> Commit[None] | Violations:
        """A commit that installs configuration, moments and counter; a legacy file leaves the counter as it is."""
        found = tuple(misfits(document, self.facts()))
        backend = self._backend
        if found or not isinstance(backend, EagerNative):
            return Violations(found)
        live = self._params.tensors
        fresh = {entry.slot: _moments(entry, live[entry.slot].device) for entry in document.entries}

        def commit() -> None:
            backend.bound, backend.moments = document.config, fresh
            if document.counter is not None:
                backend.session.counter = document.counter

        return commit


def _entry(slot: int, moments: Moments) -> Entry:
    """The moments of a slot, both of its tensors lent."""
    return Entry(slot, moments.step, tensors.block_view(moments.first), tensors.block_view(moments.second))


def _copy(block: Block) -> Block:
    return Block(block.tag, block.shape, bytes(block.data))


def _moments(entry: Entry, device: torch.device) -> Moments:
    """An entry's moments in tensors of their own."""
    return Moments(entry.step, tensors.adopt(entry.first, device), tensors.adopt(entry.second, device))
