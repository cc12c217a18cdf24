"""The parameter list of a module: every parameter and persistent buffer in state order, tied ones by their storage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

import torch

from bitproof.tensors import tag_of
from bitproof_spec.torchlean.optimizer_document import SlotSchema

S_co = TypeVar("S_co", covariant=True)


@dataclass(frozen=True)
class Param:
    """One state tensor: a trained parameter, or a buffer (not trained)."""

    tensor: torch.Tensor
    trainable: bool


class ParamList(Generic[S_co]):
    """State tensors in order, indexed by their shapes; all of one dtype.

    TypeError for tensors of several dtypes or of one that no file holds.
    """

    def __init__(self, scalar: type[S_co], params: Iterable[Param]) -> None:
        self.scalar = scalar
        self.params = tuple(params)
        dtypes = {param.tensor.dtype for param in self.params}
        if len(dtypes) > 1:
            raise TypeError(f"a parameter list has one dtype, not {', '.join(sorted(map(str, dtypes)))}")
        self.tag = tag_of(dtypes.pop()) if dtypes else None

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

    def schema(self) -> tuple[SlotSchema, ...]:
        """Dims, flags and owners. Two slots are aliases only when they share storage, place, shape and strides."""
        owner: dict[tuple[object, ...], int] = {}
        slots = []
        for index, param in enumerate(self.params):
            first = owner.setdefault(_identity(param.tensor, index), index) if param.trainable else None
            slots.append(SlotSchema(tuple(param.tensor.shape), param.trainable, first))
        return tuple(slots)


def _identity(tensor: torch.Tensor, index: int) -> tuple[object, ...]:
    """What tells storage apart; a tensor without elements shares none."""
    if tensor.numel() == 0:
        return ("empty", index)
    storage = tensor.untyped_storage().data_ptr()
    return (storage, tensor.storage_offset(), tuple(tensor.shape), tensor.stride())
