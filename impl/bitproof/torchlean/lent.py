"""Sequences whose items are made when asked for and not held: a device's tensors, one at a time in host memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar, overload

X = TypeVar("X")
Y = TypeVar("Y")


class Lent(Sequence[Y], Generic[X, Y]):
    """`make` of each source, anew whenever it is asked for."""

    def __init__(self, sources: Sequence[X], make: Callable[[X], Y]) -> None:
        self._sources = sources
        self._make = make

    def __len__(self) -> int:
        return len(self._sources)

    @overload
    def __getitem__(self, index: int) -> Y: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Y]: ...
    def __getitem__(self, index: int | slice) -> Y | Sequence[Y]:
        if isinstance(index, slice):
            return Lent(self._sources[index], self._make)
        return self._make(self._sources[index])
