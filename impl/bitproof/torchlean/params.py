"""The parameter list of a module: every parameter and persistent buffer in state order, tied ones by their storage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

import torch

from bitproof.tensors import tag_of, writable
from bitproof_spec.torchlean.optimizer_document import SlotSchema

S_co = TypeVar("S_co", covariant=True)


@dataclass(frozen=True)
class Param:
    """One state tensor: a trained parameter, or a buffer (not trained)."""

    tensor: torch.Tensor
    trainable: bool


class ParamList(Generic[S_co]):
    """State tensors in order, indexed by their shapes; all of one dtype.

    TypeError for tensors of several dtypes or of one that no file holds; ValueError for one that can't be written
    element by element, and for two whose places in memory overlap or interleave without being one and the same.
    """

    def __init__(self, scalar: type[S_co], params: Iterable[Param]) -> None:
        self.scalar = scalar
        self.params = tuple(params)
        dtypes = {param.tensor.dtype for param in self.params}
        if len(dtypes) > 1:
            raise TypeError(f"a parameter list has one dtype, not {', '.join(sorted(map(str, dtypes)))}")
        self.tag = tag_of(dtypes.pop()) if dtypes else None
        for index, param in enumerate(self.params):
            if not writable(param.tensor):
                raise ValueError(f"state tensor {index}: its elements can't be written one by one")
        _owe_apart(self.tensors)

    def __len__(self) -> int:
        return len(self.params)

    def __iter__(self) -> Iterator[Param]:
        return iter(self.params)

    @property
    def tensors(self) -> list[torch.Tensor]:
        """The state tensors in order."""
        return [param.tensor for param in self.params]

    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]:
        """Their shapes in order: the layout of every file of this module."""
        return tuple(tuple(param.tensor.shape) for param in self.params)

    @property
    def ties(self) -> tuple[int, ...]:
        """For each tensor the first one that shares its storage, itself where none does."""
        first: dict[Place, int] = {}
        return tuple(first.setdefault(_place(tensor, index), index) for index, tensor in enumerate(self.tensors))

    def schema(self) -> tuple[SlotSchema, ...]:
        """Dims, flags and owners. Two slots are aliases only when they are trained and share their storage."""
        owner: dict[Place, int] = {}
        slots = []
        for index, param in enumerate(self.params):
            first = owner.setdefault(_place(param.tensor, index), index) if param.trainable else None
            slots.append(SlotSchema(tuple(param.tensor.shape), param.trainable, first))
        return tuple(slots)


class Place(NamedTuple):
    """Where a tensor lies: its storage, and in it the first element, shape and strides."""

    storage: int
    start: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    @property
    def end(self) -> int:
        """The element after the furthest one."""
        return self.start + 1 + sum((n - 1) * step for n, step in zip(self.shape, self.strides, strict=True))


def _place(tensor: torch.Tensor, index: int) -> Place:
    """Where the tensor of that index lies; one without elements lies nowhere, and is told by its index."""
    storage = tensor.untyped_storage().data_ptr() if tensor.numel() else -1 - index
    return Place(storage, int(tensor.storage_offset()), tuple(tensor.shape), tuple(tensor.stride()))


def _owe_apart(tensors: Sequence[torch.Tensor]) -> None:
    """ValueError for tensors that share memory without being one and the same: an update of one would change others."""
    places = sorted((_place(tensor, index), index) for index, tensor in enumerate(tensors) if tensor.numel())
    for (before, one), (place, other) in pairwise(places):
        if before.storage == place.storage and before != place and place.start < before.end:
            raise ValueError(f"state tensors {one} and {other} overlap in memory without being one tensor")
