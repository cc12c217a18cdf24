"""The document of a list of values: models, optimizers, booleans, integers and floats, these by their words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from bitproof_spec.document import Block, Leaf


@dataclass(frozen=True)
class ModelValue:
    """A model by its type's name and its fields."""

    type: str
    fields: tuple[tuple[str, Block], ...]


@dataclass(frozen=True)
class OptimizerValue:
    """An optimizer by its type's name, the word of its rate, its count of updates, its moments."""

    type: str
    rate: int
    updates: int
    moments: tuple[tuple[str, Block], ...]


@dataclass(frozen=True)
class FloatValue:
    """A float by the word of its binary64."""

    word: int


Value: TypeAlias = "ModelValue | OptimizerValue | FloatValue | bool | int"


@dataclass(frozen=True)
class Values:
    """A list of values in the order they were saved."""

    values: tuple[Value, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Values) and list(map(_typed, self.values)) == list(map(_typed, other.values))

    def __hash__(self) -> int:
        return hash(tuple(map(_typed, self.values)))

    def leaves(self) -> Mapping[str, Leaf]:
        return {"count": len(self.values)} | {
            f"value {position}{name}": leaf
            for position, value in enumerate(self.values, 1)
            for name, leaf in _leaves(value)
        }


def _leaves(value: Value) -> Iterator[tuple[str, Leaf]]:
    match value:
        case ModelValue(type, fields):
            yield "/type", type
            yield from ((f"/{name}", block) for name, block in fields)
        case OptimizerValue(type, rate, updates, moments):
            yield "/type", type
            yield "/rate", f"{rate:016x}"
            yield "/updates", updates
            yield from ((f"/moments/{name}", block) for name, block in moments)
        case FloatValue(word):
            yield "/float", f"{word:016x}"
        case bool() | int():
            yield "", value


def _typed(value: Value) -> tuple[type, Value]:
    """Python counts True as 1: a document doesn't."""
    return type(value), value
