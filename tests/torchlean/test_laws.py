"""TorchLean's instances of the law suite: every encoding, module and optimizer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import prod
from typing import Any

import pytest
import torch
from hypothesis import strategies as st

from bitproof import tensors
from bitproof.case import Case
from bitproof.properties import Law
from bitproof.strategies import blocks, shapes
from bitproof.suite import each_law, failing, refuted
from bitproof.torchlean.backends import EagerNative
from bitproof.torchlean.module import Module
from bitproof.torchlean.optimizer_io import OptimizerTarget
from bitproof.torchlean.optimizers import AdamW
from bitproof.torchlean.scalars import Float32
from bitproof.torchlean.state import Layout
from bitproof.torchlean.state_io import JsonTarget, StreamedTarget
from bitproof_spec import formats
from bitproof_spec.document import Block
from bitproof_spec.encoding import BINARY32, Configured
from bitproof_spec.target import Commit
from bitproof_spec.torchlean.encodings import FLOAT, FLOAT32, StateEncoding, complex_state, configured_state
from bitproof_spec.torchlean.json_state import TLJSON, JsonState
from bitproof_spec.torchlean.optimizer_document import ADAM, ADAMW, Config, Entry, OptimizerState, SlotSchema
from bitproof_spec.torchlean.optimizer_file import OptimizerFile
from bitproof_spec.torchlean.streamed import TLSF32B, Tensors
from bitproof_spec.violations import Violations
from tests.torchlean.builders import LINEAR_SHAPES, batch, linear, native, plain


class LiveModule:
    """A module without dropout trained by gradient descent: its state is all that its training depends on."""

    def __init__(self, module: Module[Any], target: StreamedTarget[Any] | JsonTarget[Any]) -> None:
        self.capture = target.capture
        self.stage = target.stage
        self._module = module

    def advance(self, steps: int, /) -> None:
        """Train on one batch."""
        for _ in range(steps):
            self._module.backend.step(self._module, batch(self._module.parameters().tensors[0].dtype))


def float32_module() -> LiveModule:
    module = Module(linear(), Float32, plain().backend, seed=3)
    return LiveModule(module, StreamedTarget(module.parameters()))


def float_module() -> LiveModule:
    module = plain(3)
    return LiveModule(module, JsonTarget(module.parameters()))


def mirror_module() -> LiveModule:
    module = plain(3, use_cuda=True)
    return LiveModule(module, StreamedTarget(module.parameters()))


class LiveOptimizer:
    """A backend's state, trained by gradients that depend on nothing but its counter."""

    def __init__(self) -> None:
        module = native()
        backend = EagerNative(AdamW(0.03, 0.85, 0.97, 3e-7, 0.02), seed=7)
        module.backend = self._backend = backend
        self._params = module.parameters()
        self._target = OptimizerTarget(module)
        self.capture = self._target.capture
        self.stage = self._target.stage
        self.advance(1)

    def advance(self, steps: int, /) -> None:
        """Update every owning slot by drawn gradients."""
        for _ in range(steps):
            owned = [i for i, slot in enumerate(self._params.schema()) if slot.owner == i]
            draw = self._backend.session.units
            tensors_ = self._params.tensors
            self._backend.apply(self._params, {i: draw(tuple(tensors_[i].shape), torch.float32) - 0.4 for i in owned})


class LiveState:
    """An immutable state in a box. A step moves its words by one place, since they are no numbers to compute with."""

    def __init__(self, encoding: StateEncoding[Any]) -> None:
        self._layout: Layout[Any] = Layout(encoding, LINEAR_SHAPES)
        width = encoding.width
        words = [[(i + 1).to_bytes(width, "little") for i in range(prod(shape))] for shape in LINEAR_SHAPES]
        self._state = self._layout.state([[encoding.decode(word) for word in tensor] for tensor in words])

    def capture(self) -> JsonState:
        """The state in the box."""
        return self._state.document()

    def stage(self, document: JsonState, /) -> Commit[None] | Violations:
        """Put another state of the layout into the box."""
        commit = self._layout.stage(document)
        if isinstance(commit, Violations):
            return commit
        made = commit

        def install() -> None:
            self._state = made()

        return install

    def advance(self, steps: int, /) -> None:
        """Rotate the words of every tensor."""
        encoding = self._layout.encoding
        for _ in range(steps):
            held = [self._state.scalars(tensor) for tensor in range(len(LINEAR_SHAPES))]
            self._state = self._layout.state([(*tensor[1:], *tensor[:1]) for tensor in held])
        assert self._state.encoding is encoding


def states(encoding: StateEncoding[Any]) -> st.SearchStrategy[JsonState]:
    """States of an encoding: half of them of the layout, half of any shapes."""
    fitting = st.tuples(*(stored(encoding, st.just(shape)) for shape in LINEAR_SHAPES))
    return (fitting | st.lists(stored(encoding, shapes()), max_size=3)).map(lambda b: JsonState(encoding.tag, tuple(b)))


def stored(encoding: StateEncoding[Any], shape: st.SearchStrategy[tuple[int, ...]]) -> st.SearchStrategy[Block]:
    """Blocks of words that the encoding takes, under the tag of its storage."""
    return blocks(encoding, shape).map(lambda b: Block(encoding.storage, b.shape, b.data))


def streams() -> st.SearchStrategy[Tensors]:
    """Streams: half of them of the layout, half of any shapes."""
    fitting = st.tuples(*(blocks(BINARY32, shape) for shape in LINEAR_SHAPES))
    return (fitting | st.lists(blocks(BINARY32), max_size=3)).map(lambda b: Tensors(tuple(b)))


def optimizer_states() -> st.SearchStrategy[OptimizerState]:
    """Optimizer states: with the slots of the live one and other moments, or of any slots."""
    live = LiveOptimizer().capture()
    fitting = st.tuples(st.integers(0, 2**64 - 1), *(entries(e.slot, e.first.shape) for e in live.entries)).map(
        lambda drawn: replace(live, counter=drawn[0], entries=drawn[1:])
    )
    config = st.builds(
        lambda beta, decay: Config(ADAMW, beta, 0x3FE0000000000000, 0x3E7AD7F29ABCAF48, decay),
        st.integers(0, 0x3FEFFFFFFFFFFFFF) | st.just(1 << 63),
        st.integers(0, 0x7FEFFFFFFFFFFFFF),
    ) | st.just(Config(ADAM, 1, 2, 0x3E45798EE2308C3A, 1 << 63))
    return fitting | st.builds(
        lambda c, n, slots, version: tabled(c, n, slots, version),
        config,
        st.integers(0, 2**64 - 1),
        slots(),
        st.sampled_from([2, 3, 4]),
    ).flatmap(lambda state: moments(state))


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


HALF = configured_state(formats.BINARY16, Configured)
ENCODINGS: dict[str, StateEncoding[Any]] = {
    "float": FLOAT,
    "float32": FLOAT32,
    **{name: configured_state(format, Configured) for name, format in formats.NAMED.items()},
    "width-300": configured_state(formats.BinaryFormat(20, 279, 2**19 - 1), Configured),
    "complex-half": complex_state(HALF),
    "complex-float32": complex_state(FLOAT32),
    "complex-complex-half": complex_state(complex_state(HALF)),
}
CASES: tuple[Case[Any], ...] = (
    Case("float32", TLSF32B, streams(), float32_module, fault_at=failing(tensors, "adopt")),
    Case("mirror", TLSF32B, streams(), mirror_module, fault_at=failing(tensors, "adopt")),
    Case("float", TLJSON, states(FLOAT), float_module, fault_at=failing(tensors, "adopt"), largest_look=2**20),
    Case("optimizer", OptimizerFile(), optimizer_states(), LiveOptimizer, fault_at=failing(tensors, "adopt")),
    *(
        Case(
            f"state-{name}",
            TLJSON,
            states(encoding),
            partial(LiveState, encoding),
            encodings=(encoding,),
            largest_look=2**20,
        )
        for name, encoding in ENCODINGS.items()
    ),
)


@each_law(*CASES)
def test_every_law_holds_of_every_instance(law: Law) -> None:
    law.check()


class Rounds(LiveState):
    """Loses the sign of zero, as a reader through a number would."""

    def stage(self, document: JsonState, /) -> Commit[None] | Violations:
        """Every word loses its highest bit."""
        cut = tuple(Block(b.tag, b.shape, bytes(x & 0x7F for x in bytes(b.data))) for b in document.blocks)
        return super().stage(JsonState(document.tag, cut))


class ForgetsCounter(LiveOptimizer):
    """Restores the moments and not the counter."""

    def stage(self, document: OptimizerState, /) -> Commit[None] | Violations:
        """As a legacy file."""
        return self._target.stage(replace(document, version=3, counter=None))


@pytest.mark.parametrize(
    "twin",
    [
        Case("rounds", TLJSON, states(FLOAT), partial(Rounds, FLOAT), largest_look=2**20),
        Case("forgets", OptimizerFile(), optimizer_states(), ForgetsCounter),
    ],
    ids=lambda case: case.name,
)
def test_a_broken_twin_is_refuted(twin: Case[Any]) -> None:
    found = refuted(twin)
    assert "staged" in found or "commit" in found
