"""`State[S, *Shapes]`: an immutable value of a model's layout in one scalar, saved and loaded without any module."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, TypeVarTuple

from bitproof.torchlean.chain import Sequential
from bitproof_spec.document import Block, Leaf
from bitproof_spec.target import Commit
from bitproof_spec.torchlean.encodings import StateEncoding
from bitproof_spec.torchlean.framing import product
from bitproof_spec.torchlean.json_state import JsonState
from bitproof_spec.torchlean.state_target import misfits, other_scalar
from bitproof_spec.violations import Violations

S = TypeVar("S")
In = TypeVar("In", bound="tuple[int, ...]")
Out = TypeVar("Out", bound="tuple[int, ...]")
Shapes = TypeVarTuple("Shapes")


class State(Generic[S, *Shapes]):
    """One block a state tensor, each word padded to whole bytes; from `Layout.state` and `checkpoint.state.load`."""

    def __init__(self, encoding: StateEncoding[S], blocks: Sequence[Block]) -> None:
        self.encoding = encoding
        self.blocks = tuple(blocks)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and (self.encoding.tag, self.blocks) == (other.encoding.tag, other.blocks)

    def __hash__(self) -> int:
        return hash((self.encoding.tag, tuple(bytes(block.data) for block in self.blocks)))

    def scalars(self, tensor: int) -> tuple[S, ...]:
        """The decoded elements of one state tensor, row-major."""
        data, width = self.blocks[tensor].data, self.encoding.width
        return tuple(self.encoding.decode(bytes(data[i : i + width])) for i in range(0, len(data), width))

    def leaves(self) -> Mapping[str, Leaf]:
        """The blocks by position."""
        return self.document().leaves()

    def document(self) -> JsonState:
        """What its file holds."""
        return JsonState(self.encoding.tag, self.blocks)


@dataclass(frozen=True)
class Layout(Generic[S, *Shapes]):
    """The layout of a model's state in one scalar: the target of `checkpoint.state.load`; it holds nothing itself."""

    encoding: StateEncoding[S]
    shapes: tuple[tuple[int, ...], ...]

    def state(self, scalars: Sequence[Sequence[S]]) -> State[S, *Shapes]:
        """The state of these elements, row-major, one sequence a tensor.

        ValueError for another number of tensors or elements, and for a scalar that its encoding doesn't take.
        """
        blocks = []
        for index, (shape, elements) in enumerate(zip(self.shapes, scalars, strict=True)):
            if len(elements) != product(shape):
                raise ValueError(f"tensor {index}: {len(elements)} elements for {list(shape)}")
            blocks.append(Block(self.encoding.storage, shape, b"".join(map(self.encoding.encode, elements))))
        return State(self.encoding, blocks)

    def stage(self, document: JsonState, /) -> Commit[State[S, *Shapes]] | Violations:
        """A new state; another tag, never a cast, and every difference in number and shape named."""
        width = self.encoding.width
        found = (*other_scalar(document.tag, self.encoding.tag),) or (*misfits(self.shapes, width, document.blocks),)
        if found:
            return Violations(found)
        made: State[S, *Shapes] = State(self.encoding, document.blocks)
        return lambda: made


def layout(model: Sequential[In, Out, *Shapes], encoding: StateEncoding[S]) -> Layout[S, *Shapes]:
    """The layout that a model gives a state in a scalar."""
    return Layout(encoding, model.state_shapes)
