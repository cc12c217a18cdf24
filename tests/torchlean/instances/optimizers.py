"""Live optimizer state, trained by gradients that depend on nothing but its random counter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import torch
from hypothesis import strategies as st

from bitproof.strategies import blocks, shapes
from bitproof.torchlean.backends import EagerNative
from bitproof.torchlean.module import Module
from bitproof.torchlean.objective import Objective
from bitproof.torchlean.optimizer_io import OptimizerTarget
from bitproof.torchlean.optimizers import Adam, AdamW
from bitproof.torchlean.scalars import Float32
from bitproof_spec.encoding import BINARY32
from bitproof_spec.target import Commit
from bitproof_spec.torchlean.optimizer_document import ADAM, ADAMW, Config, Entry, OptimizerState, SlotSchema
from bitproof_spec.violations import Violations
from tests.torchlean.builders import deep
from tests.torchlean.two_branches import TwoBranches

NATURALS = st.integers(0, 2**64 - 1)


class LiveOptimizer:
    """The optimizer state of an objective after its first update."""

    def __init__(self, objective: Objective[Any], backend: EagerNative) -> None:
        self._backend, self._params = backend, objective.parameters()
        self._target = OptimizerTarget(objective)
        self.capture = self._target.capture
        self.advance(1)

    def stage(self, document: OptimizerState, /) -> Commit[None] | Violations:
        """What the target says."""
        return self._target.stage(document)

    def advance(self, steps: int, /) -> None:
        """Update every owning slot by drawn gradients; steps near 2^64 start again, since they have to be saved."""
        shapes_, schema = self._params.shapes, self._params.schema()
        for _ in range(steps):
            for moments in self._backend.moments.values():
                moments.step %= 2**63
            self._backend.session.counter %= 2**63
            owned = [i for i, slot in enumerate(schema) if slot.owner == i]
            draw = self._backend.session.units
            self._backend.apply(self._params, {i: draw(shapes_[i], torch.float32) - 0.4 for i in owned})


def adamw() -> LiveOptimizer:
    """Slots of every layer, some frozen."""
    backend = EagerNative(AdamW(0.03, 0.85, 0.97, 3e-7, 0.02), seed=7)
    return LiveOptimizer(Module(deep(), Float32, backend, seed=5), backend)


def adam_tied() -> LiveOptimizer:
    """Slots of which one shares another's storage."""
    backend = EagerNative(Adam(0.02, 0.8, 0.95, 2e-7), seed=3)
    return LiveOptimizer(TwoBranches(backend), backend)


def optimizer_states(fresh: Callable[[], LiveOptimizer]) -> st.SearchStrategy[OptimizerState]:
    """Optimizer states: with the slots of the live one and other moments, or of any slots."""
    live = fresh().capture()
    fitting = st.tuples(NATURALS, *(entries(e.slot, e.first.shape) for e in live.entries)).map(
        lambda drawn: replace(live, counter=drawn[0], entries=drawn[1:])
    )
    config = st.builds(
        lambda beta, decay: Config(ADAMW, beta, 0x3FE0000000000000, 0x3E7AD7F29ABCAF48, decay),
        st.integers(0, 0x3FEFFFFFFFFFFFFF) | st.just(1 << 63),
        st.integers(0, 0x7FEFFFFFFFFFFFFF),
    ) | st.just(Config(ADAM, 1, 2, 0x3E45798EE2308C3A, 1 << 63))
    others = st.builds(tabled, config, NATURALS, slots(), st.sampled_from([2, 3, 4])).flatmap(moments)
    return fitting | others


def entries(slot: int, dims: tuple[int, ...]) -> st.SearchStrategy[Entry]:
    """An entry of a slot with any moments."""
    return st.builds(Entry, st.just(slot), st.integers(1, 2**64 - 1), blocks(BINARY32, dims), blocks(BINARY32, dims))


def slots() -> st.SearchStrategy[tuple[SlotSchema, ...]]:
    """Frozen, owning and tied slots."""
    return st.lists(st.tuples(shapes(), st.sampled_from(["frozen", "owner", "tied"])), max_size=4).map(schema)


def schema(drawn: Sequence[tuple[tuple[int, ...], str]]) -> tuple[SlotSchema, ...]:
    """A tied slot goes to the first owner of its dims, or owns itself when there is none."""
    found: list[SlotSchema] = []
    for index, (dims, role) in enumerate(drawn):
        owners = [i for i, slot in enumerate(found) if slot.owner == i and slot.dims == dims]
        owner = None if role == "frozen" else owners[0] if role == "tied" and owners else index
        found.append(SlotSchema(dims, role != "frozen", owner))
    return tuple(found)


def tabled(config: Config, counter: int, slots: tuple[SlotSchema, ...], version: int) -> OptimizerState:
    """A state without entries yet; version 2 knows no ties, and only version 4 a counter."""
    if version == 2:
        slots = tuple(replace(slot, owner=i if slot.trainable else None) for i, slot in enumerate(slots))
    return OptimizerState(version, config, counter if version == 4 else None, slots, ())


def moments(state: OptimizerState) -> st.SearchStrategy[OptimizerState]:
    """The same state with an entry for each owning slot."""
    owned = [(i, slot.dims) for i, slot in enumerate(state.slots) if slot.owner == i]
    return st.tuples(*(entries(i, dims) for i, dims in owned)).map(lambda drawn: replace(state, entries=drawn))
