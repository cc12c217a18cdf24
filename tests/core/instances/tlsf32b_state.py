"""States indexed by their layout: a live module, and immutable states whose load makes a new one."""

from __future__ import annotations

from typing import Generic, Literal, TypeAlias, TypeVar, TypeVarTuple

import torch

from bitproof.tensors import block_of, tensor_of
from bitproof_spec.encoding import BINARY32, Binary32
from bitproof_spec.layout import Layout, Slot, State
from bitproof_spec.target import Commit
from bitproof_spec.violations import Violations
from tests.core.instances.tlsf32b_format import Tensors

I = TypeVar("I", bound=int)  # noqa: E741  inputs, outputs and the next outputs, as layers are usually written
O = TypeVar("O", bound=int)  # noqa: E741
N = TypeVar("N", bound=int)
Ts = TypeVarTuple("Ts")

Scalar: TypeAlias = Slot[Binary32, tuple[()]]


class Linear(Generic[I, O]):
    """A layer from I to O features: a weight [O, I] and a bias [O]."""

    def __init__(self, inputs: I, outputs: O) -> None:
        self.inputs, self.outputs = inputs, outputs


class Chain(Generic[I, O, *Ts]):
    """Layers whose features fit, and the layout of the state they owe."""

    def __init__(self, inputs: I, outputs: O, layout: Layout[*Ts]) -> None:
        self.inputs, self.outputs, self.layout = inputs, outputs, layout

    def then(self, layer: Linear[O, N]) -> Chain[I, N, *Ts, Slot[Binary32, tuple[N, O]], Slot[Binary32, tuple[N]]]:
        """The chain with one more layer at its end."""
        count = len(self.layout.specs)
        weight = Slot(f"{count}/weight", BINARY32, (layer.outputs, layer.inputs))
        bias = Slot(f"{count + 1}/bias", BINARY32, (layer.outputs,))
        return Chain(self.inputs, layer.outputs, self.layout.then(weight).then(bias))


class Fresh(Generic[*Ts]):
    """`Target[Tensors, State]`: loading makes a new immutable state of exactly this layout."""

    def __init__(self, layout: Layout[*Ts]) -> None:
        self.layout = layout

    def stage(self, document: Tensors, /) -> Commit[State[*Ts]] | Violations:
        state = self.layout.state(document.blocks)
        if isinstance(state, Violations):  # narrowing to State instead would lose *Ts
            return state
        made = state
        return lambda: made


class Module(Generic[*Ts]):
    """`Trainable[Tensors]`: live parameters of one layout, which keep their identity when they are loaded into."""

    def __init__(self, layout: Layout[*Ts]) -> None:
        self.layout = layout
        self.parameters = [_initial(spec.shape) for spec in layout.specs]

    def capture(self) -> Tensors:
        return Tensors(tuple(map(block_of, self.parameters)))

    def stage(self, document: Tensors, /) -> Commit[None] | Violations:
        state = self.layout.state(document.blocks)
        if isinstance(state, Violations):
            return state
        staged = [tensor_of(block) for block in state.blocks]

        def commit() -> None:
            for parameter, new in zip(self.parameters, staged, strict=True):
                parameter.copy_(new)

        return commit

    def advance(self, steps: int, /) -> None:
        for _ in range(steps):
            for parameter in self.parameters:
                parameter.sub_(torch.sin(parameter) * 0.01 + 0.003)


def _initial(shape: tuple[int, ...]) -> torch.Tensor:
    return (torch.arange(torch.Size(shape).numel(), dtype=torch.float32) + 1).reshape(shape) / 7


W23: TypeAlias = Slot[Binary32, tuple[Literal[2], Literal[3]]]
B2: TypeAlias = Slot[Binary32, tuple[Literal[2]]]
FIRST: Linear[Literal[3], Literal[2]] = Linear(3, 2)
EMPTY: Layout[()] = Layout()
START: Chain[Literal[3], Literal[3]] = Chain(3, 3, EMPTY)
NET = START.then(FIRST)
LAYOUT: Layout[W23, B2, Scalar] = NET.layout.then(Scalar("momentum", BINARY32, ()))


def successor(state: State[*Ts]) -> State[*Ts]:
    """The state after one step; the given one stays as it is."""
    module = Module(state.layout)
    commit = module.stage(Tensors(state.blocks))
    if isinstance(commit, Violations):
        raise AssertionError(f"a state fits its own layout: {commit.all[0]}")
    commit()
    module.advance(1)
    made = state.layout.state(module.capture().blocks)
    if isinstance(made, Violations):
        raise AssertionError(f"training keeps the layout: {made.all[0]}")
    return made
