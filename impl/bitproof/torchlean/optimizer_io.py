"""The optimizer state of an objective's backend as a document, and a document staged into it, all or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar, overload

import torch

from bitproof import tensors
from bitproof.torchlean.backends import EagerNative
from bitproof.torchlean.objective import Objective
from bitproof.torchlean.optimizers import Moments
from bitproof_spec.document import Block
from bitproof_spec.target import Commit
from bitproof_spec.torchlean.optimizer_document import ADAM, Entry, OptimizerState
from bitproof_spec.torchlean.optimizer_file import WRITE_VERSION
from bitproof_spec.torchlean.optimizer_target import OptimizerFacts, misfits, ownerless, unready
from bitproof_spec.violations import CheckpointError, Violations

S = TypeVar("S")


class LentEntries(Sequence[Entry]):
    """The moments of some slots, each entry's two tensors taken to host memory when it is asked for and not held."""

    def __init__(self, slots: Sequence[int], live: Mapping[int, Moments]) -> None:
        self._slots = slots
        self._live = live

    def __len__(self) -> int:
        return len(self._slots)

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Entry]: ...
    def __getitem__(self, index: int | slice) -> Entry | Sequence[Entry]:
        if isinstance(index, slice):
            return LentEntries(self._slots[index], self._live)
        slot = self._slots[index]
        moments = self._live[slot]
        return Entry(slot, moments.step, tensors.block_view(moments.first), tensors.block_view(moments.second))


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
        entries = LentEntries(owed, moments)
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


def _copy(block: Block) -> Block:
    return Block(block.tag, block.shape, bytes(block.data))


def _moments(entry: Entry, device: torch.device) -> Moments:
    """An entry's moments in tensors of their own."""
    return Moments(entry.step, tensors.adopt(entry.first, device), tensors.adopt(entry.second, device))
