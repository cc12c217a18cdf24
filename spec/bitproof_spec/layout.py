"""Shape-indexed states: the ordered slots of a state, and values of exactly that layout.

`Slot[Binary32, tuple[Literal[2], Literal[3]]]` carries scalar and shape for a type checker. A layout comes from the
model, never from the file. Two TypeVarTuples can't be concatenated, so layouts grow slot by slot with `then`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Generic, TypeVar, TypeVarTuple

from bitproof_spec.document import Block, Leaf
from bitproof_spec.encoding import Encoding, Storage
from bitproof_spec.violations import Violation, Violations

S = TypeVar("S")
H_co = TypeVar("H_co", bound="tuple[int, ...]", covariant=True)
Ts = TypeVarTuple("Ts")


@dataclass(frozen=True)
class TensorSpec:
    """What formats and comparisons need of one tensor, whatever its static type; [] is one element, 0 is allowed."""

    name: str
    storage: Storage
    shape: tuple[int, ...]

    def __post_init__(self) -> None:
        if any(extent < 0 for extent in self.shape):
            raise ValueError(f"{self.name}: an extent of {self.shape} is negative")

    @property
    def nbytes(self) -> int:
        """Size of the tensor's block in bytes, exact."""
        return prod(self.shape) * self.storage.width


@dataclass(frozen=True)
class Slot(TensorSpec, Generic[S, H_co]):
    """A TensorSpec whose scalar and shape a type checker knows."""

    storage: Encoding[S]
    shape: H_co


class Layout(Generic[*Ts]):
    """The ordered slots of a state, with different names."""

    def __init__(self, *slots: *Ts) -> None:
        specs = tuple(slot for slot in slots if isinstance(slot, TensorSpec))
        if len(specs) != len(slots) or len({spec.name for spec in specs}) != len(specs):
            raise TypeError("a layout is made of slots with different names")
        self.slots = slots
        self.specs: tuple[TensorSpec, ...] = specs

    def then(self, slot: Slot[S, H_co]) -> Layout[*Ts, Slot[S, H_co]]:
        """The layout with one more slot at its end."""
        return Layout(*self.slots, slot)

    def state(self, blocks: Sequence[Block]) -> State[*Ts] | Violations:
        """The one door from loose blocks to a typed state: every difference named, in slot order."""
        found = tuple(misfits(self.specs, blocks))
        return Violations(found) if found else State(self, tuple(blocks))


def misfits(specs: Sequence[TensorSpec], blocks: Sequence[Block]) -> Iterator[Violation]:
    """Every way in which blocks differ from what the specs owe: number, then per tensor tag, shape, size."""
    if len(specs) != len(blocks):
        yield Violation("LAY-COUNT-01", "/", f"{len(blocks)} tensors", f"{len(specs)}")
    for spec, block in zip(specs, blocks, strict=False):
        if spec.storage.tag != block.tag:
            yield Violation("LAY-TAG-01", spec.name, block.tag, spec.storage.tag)
        elif spec.shape != block.shape:
            yield Violation("LAY-SHAPE-01", spec.name, str(list(block.shape)), str(list(spec.shape)))
        elif len(block.data) != spec.nbytes:
            yield Violation("LAY-SIZE-01", spec.name, f"{len(block.data)} bytes", f"{spec.nbytes}")


class State(Generic[*Ts]):
    """An immutable value of exactly one layout. Made by `Layout.state` only."""

    def __init__(self, layout: Layout[*Ts], blocks: tuple[Block, ...]) -> None:
        self.layout = layout
        self.blocks = blocks

    def scalars(self, slot: Slot[S, H_co]) -> tuple[S, ...]:
        """The decoded elements of one slot, row-major; ValueError when the layout has no such slot."""
        data, step = self.blocks[self.layout.specs.index(slot)].data, slot.storage.width
        return tuple(slot.storage.decode(bytes(data[i : i + step])) for i in range(0, len(data), step))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.layout.specs == other.layout.specs and self.blocks == other.blocks

    def __hash__(self) -> int:
        return hash((self.layout.specs, tuple(bytes(block.data) for block in self.blocks)))

    def leaves(self) -> Mapping[str, Leaf]:
        """The blocks by slot name."""
        return {spec.name: block for spec, block in zip(self.layout.specs, self.blocks, strict=True)}
