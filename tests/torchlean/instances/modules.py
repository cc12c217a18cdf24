"""Live modules: trained by gradient descent on one batch, their state is all that their training depends on."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from bitproof.strategies import blocks, shapes
from bitproof.torchlean.backends import PlainEager
from bitproof.torchlean.module import Module
from bitproof.torchlean.objective import Objective
from bitproof.torchlean.optimizers import Sgd
from bitproof.torchlean.scalars import Float, Float32
from bitproof.torchlean.state_io import JsonTarget, StreamedTarget
from bitproof_spec.document import Block
from bitproof_spec.encoding import BINARY32
from bitproof_spec.torchlean.streamed import Tensors
from tests.torchlean.builders import batch, deep, linear
from tests.torchlean.two_branches import TwoBranches

Target = StreamedTarget[Any] | JsonTarget[Any]
TIED_SHAPES = TwoBranches.state_shapes


class LiveModule:
    """An objective and the target of its state; the random counter, which isn't in it, is 0 before each step."""

    def __init__(self, objective: Objective[Any], target: type[StreamedTarget[Any]] | type[JsonTarget[Any]]) -> None:
        made = target(objective.parameters())
        self.capture = made.capture
        self.stage = made.stage
        self._objective = objective

    def advance(self, steps: int, /) -> None:
        """Train on one batch."""
        backend, data = self._objective.backend, batch(self._objective.parameters().tensors[0].dtype)
        for _ in range(steps):
            backend.session.counter = 0
            backend.step(self._objective, data)


def sgd() -> PlainEager:
    return PlainEager(Sgd(0.1), seed=8)


def float32_module() -> LiveModule:
    return LiveModule(Module(linear(), Float32, sgd(), seed=3), StreamedTarget)


def deep_module() -> LiveModule:
    """Every layer: dropout, running statistics, frozen numbers."""
    return LiveModule(Module(deep(), Float32, sgd(), seed=3), StreamedTarget)


def tied_module() -> LiveModule:
    """An architecture of its own, in which one weight is state twice."""
    return LiveModule(TwoBranches(sgd()), StreamedTarget)


def mirror_module() -> LiveModule:
    """A Float module as it is on CUDA: binary32."""
    return LiveModule(Module(linear(), Float, sgd(), seed=3, use_cuda=True), StreamedTarget)


def float_module() -> LiveModule:
    return LiveModule(Module(linear(), Float, sgd(), seed=3), JsonTarget)


def streams(layout: tuple[tuple[int, ...], ...]) -> st.SearchStrategy[Tensors]:
    """Streams: half of them of the layout, half of any shapes."""
    fitting = st.tuples(*(blocks(BINARY32, shape) for shape in layout))
    return (fitting | st.lists(blocks(BINARY32), max_size=3)).map(lambda drawn: Tensors(tuple(drawn)))


def tied_streams() -> st.SearchStrategy[Tensors]:
    """Streams of a layout whose third tensor is the first one again; half of them say so."""

    def tied(drawn: Tensors) -> Tensors:
        first, scale, _, average = drawn.blocks
        return Tensors((first, scale, Block(first.tag, first.shape, first.data), average))

    fitting = st.tuples(*(blocks(BINARY32, shape) for shape in TIED_SHAPES)).map(Tensors)
    return (
        fitting.map(tied) | fitting | st.lists(blocks(BINARY32, shapes()), max_size=3).map(lambda d: Tensors(tuple(d)))
    )
