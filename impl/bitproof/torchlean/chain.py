"""`Sequential[In, Out, *Shapes]`: layers that fit, and the shapes of their state in order, known to a type checker.

A model says nothing of scalars: `State[S, *Shapes]` is an immutable value of its layout, `Module` a live one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar, TypeVarTuple, overload

import torch

from bitproof.torchlean.context import Context, Own
from bitproof.torchlean.layers import FiveTensors, Layer, OneTensor, Stateless, StateSlot, TwoTensors

In = TypeVar("In", bound="tuple[int, ...]")
Out = TypeVar("Out", bound="tuple[int, ...]")
Next = TypeVar("Next", bound="tuple[int, ...]")
A = TypeVar("A", bound="tuple[int, ...]")
B = TypeVar("B", bound="tuple[int, ...]")
C = TypeVar("C", bound="tuple[int, ...]")
D = TypeVar("D", bound="tuple[int, ...]")
E = TypeVar("E", bound="tuple[int, ...]")
Shapes = TypeVarTuple("Shapes")


class Sequential(Generic[In, Out, *Shapes]):
    """A chain of layers; made by `sequential(shape)` and `then`."""

    def __init__(self, input_shape: In, output_shape: Out, layers: Sequence[Layer[Any, Any]]) -> None:
        self.input_shape = input_shape
        self.output_shape = output_shape
        self.layers = tuple(layers)

    @overload
    def then(self, layer: Stateless[Out, Next]) -> Sequential[In, Next, *Shapes]: ...
    @overload
    def then(self, layer: OneTensor[Out, Next, A]) -> Sequential[In, Next, *Shapes, A]: ...
    @overload
    def then(self, layer: TwoTensors[Out, Next, A, B]) -> Sequential[In, Next, *Shapes, A, B]: ...
    @overload
    def then(self, layer: FiveTensors[Out, Next, A, B, C, D, E]) -> Sequential[In, Next, *Shapes, A, B, C, D, E]: ...
    def then(self, layer: Layer[Out, Next]) -> Sequential[Any, Any, *tuple[Any, ...]]:
        """The model with one more layer; ValueError when its input isn't the model's output."""
        if layer.input_shape != self.output_shape:
            raise ValueError(f"a layer from {layer.input_shape} can't follow an output of {self.output_shape}")
        return Sequential(self.input_shape, layer.output_shape, (*self.layers, layer))

    @property
    def slots(self) -> tuple[StateSlot, ...]:
        """Every state tensor, the layers' left to right."""
        return tuple(slot for layer in self.layers for slot in layer.slots)

    @property
    def state_shapes(self) -> tuple[tuple[int, ...], ...]:
        """The layout of every file of this model."""
        return tuple(slot.shape for slot in self.slots)

    def forward(self, state: Sequence[torch.Tensor], x: torch.Tensor, context: Context) -> torch.Tensor:
        """[batch, *input shape] to [batch, *output shape]."""
        at = 0
        for layer in self.layers:
            x = layer.forward(x, Own(state, at, context))
            at += len(layer.slots)
        return x


def sequential(input_shape: In) -> Sequential[In, In]:
    """The empty model, from samples of a shape to themselves."""
    return Sequential(input_shape, input_shape, ())
