"""The layers' types: what goes in, what comes out, and the shapes of their state, all known to a type checker.

A layer takes a batch: x is [batch, *input shape]. Its class says how many state tensors it has, since only a fixed
number of shapes can be appended to a model's type.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

import torch

from bitproof.torchlean.context import Own

In = TypeVar("In", bound="tuple[int, ...]")
Out = TypeVar("Out", bound="tuple[int, ...]")
A = TypeVar("A", bound="tuple[int, ...]")
B = TypeVar("B", bound="tuple[int, ...]")
C = TypeVar("C", bound="tuple[int, ...]")
D = TypeVar("D", bound="tuple[int, ...]")
E = TypeVar("E", bound="tuple[int, ...]")

Fill = Callable[[tuple[int, ...], torch.Generator], torch.Tensor]


class StateSlot(NamedTuple):
    """One state tensor of a layer: its shape, whether it is trained, and its first value in binary64."""

    shape: tuple[int, ...]
    trainable: bool
    fill: Fill


class Layer(ABC, Generic[In, Out]):
    """A layer from samples of one shape to samples of another."""

    def __init__(self, input_shape: In, output_shape: Out) -> None:
        self.input_shape = input_shape
        self.output_shape = output_shape

    @property
    def slots(self) -> tuple[StateSlot, ...]:
        """The layer's state tensors in file order."""
        return ()

    @abstractmethod
    def forward(self, x: torch.Tensor, own: Own) -> torch.Tensor:
        """The output batch of an input batch."""


class Stateless(Layer[In, Out]):
    """A layer without state."""


class OneTensor(Layer[In, Out], Generic[In, Out, A]):
    """A layer with one state tensor."""


class TwoTensors(Layer[In, Out], Generic[In, Out, A, B]):
    """A layer with two state tensors."""


class FiveTensors(Layer[In, Out], Generic[In, Out, A, B, C, D, E]):
    """A layer with five state tensors."""
