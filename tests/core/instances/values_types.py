"""Loading values as types: `types(Mlp, AdamW[Mlp], int)` is a target whose result a type checker knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar, Generic, NamedTuple, TypeAlias, TypeVar, get_args, get_origin, overload

import torch

from bitproof.tensors import tensor_of
from bitproof_spec.document import Block
from bitproof_spec.target import Commit
from bitproof_spec.violations import Violation, Violations
from tests.core.instances.values_document import FloatValue, ModelValue, OptimizerValue, Value, Values
from tests.core.instances.values_format import float_of

Fields: TypeAlias = "Mapping[str, tuple[str, tuple[int, ...]]]"


class Model:
    """Named tensors, each of the declared storage and shape."""

    fields: ClassVar[Fields] = {}

    def __init__(self, tensors: Mapping[str, torch.Tensor]) -> None:
        self.tensors = dict(tensors)


M = TypeVar("M", bound=Model)
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
E = TypeVar("E")
F = TypeVar("F")


class AdamW(Generic[M]):
    """The optimizer of one model: rate, updates so far, a float32 moment for each floating field."""

    def __init__(self, model: M, rate: float, updates: int, moments: Mapping[str, torch.Tensor]) -> None:
        self.model, self.rate, self.updates, self.moments = model, rate, updates, dict(moments)


class Wanted(NamedTuple):
    """A type that a value is loaded as: what the file calls it, and the model that it is or is about."""

    kind: str
    model: type[Model]


class Types(Generic[A]):
    """`Target[Values, A]`: every difference from the types that were named, or new objects of these types."""

    def __init__(self, wanted: Sequence[Wanted], make: Callable[[list[object]], A]) -> None:
        self._wanted, self._make = wanted, make

    def stage(self, document: Values, /) -> Commit[A] | Violations:
        found = tuple(_differences(document.values, self._wanted))
        if found:
            return Violations(found)
        made: list[object] = []
        for value, wanted in zip(document.values, self._wanted, strict=True):
            made.append(_made(value, wanted, made))
        result = self._make(made)
        return lambda: result


@overload
def types(a: type[A], /) -> Types[A]: ...
@overload
def types(a: type[A], b: type[B], /) -> Types[tuple[A, B]]: ...
@overload
def types(a: type[A], b: type[B], c: type[C], /) -> Types[tuple[A, B, C]]: ...
@overload
def types(a: type[A], b: type[B], c: type[C], e: type[E], f: type[F], /) -> Types[tuple[A, B, C, E, F]]: ...
def types(*wanted: object) -> object:
    """The target of some types: one gives its bare value, several a tuple in their order. TypeError for other types."""
    return Types(list(map(_wanted, wanted)), lambda made: made[0] if len(made) == 1 else tuple(made))


def _wanted(type_: object) -> Wanted:
    if type_ in (bool, int, float):
        return Wanted(_NAMES[type_], Model)
    arguments = get_args(type_)
    model = arguments[0] if get_origin(type_) is AdamW else type_
    if not isinstance(model, type) or not issubclass(model, Model):
        raise TypeError(f"{type_} is no type that values are loaded as")
    return Wanted(f"AdamW[{model.__name__}]" if arguments else f"model {model.__name__}", model)


_NAMES: Mapping[object, str] = {bool: "bool", int: "int", float: "float"}


def _differences(values: Sequence[Value], wanted: Sequence[Wanted]) -> Iterator[Violation]:
    if len(values) != len(wanted):
        yield Violation("VAL-COUNT", "/", f"{len(values)} values", f"{len(wanted)} types")
    for position, (value, owed) in enumerate(zip(values, wanted, strict=False), 1):
        if _kind(value) != owed.kind:
            yield Violation("VAL-KIND", f"value {position}", _kind(value), owed.kind)
        elif isinstance(value, ModelValue):
            yield from _misfits(f"value {position}", dict(value.fields), owed.model.fields)
        elif isinstance(value, OptimizerValue):
            yield from _misfits(f"value {position}", dict(value.moments), _moments(owed.model))
            if f"model {owed.model.__name__}" not in map(_kind, values[: position - 1]):
                yield Violation("VAL-MODEL", f"value {position}", "no model before it", owed.model.__name__)


def _misfits(where: str, blocks: Mapping[str, Block], owed: Fields) -> Iterator[Violation]:
    for name in dict.fromkeys((*owed, *blocks)):
        found = f"{blocks[name].tag}{list(blocks[name].shape)}" if name in blocks else "absent"
        wanted = f"{owed[name][0]}{list(owed[name][1])}" if name in owed else "absent"
        if found != wanted:
            yield Violation("VAL-FIELD", f"{where} {name}", found, wanted)


def _made(value: Value, wanted: Wanted, before: Sequence[object]) -> object:
    match value:
        case ModelValue(_, fields):
            return wanted.model({name: tensor_of(block) for name, block in fields})
        case OptimizerValue(_, rate, updates, moments):
            model = next(made for made in before if type(made) is wanted.model)
            return AdamW(model, float_of(rate), updates, {name: tensor_of(block) for name, block in moments})
        case FloatValue(word):
            return float_of(word)
    return value


def _kind(value: Value) -> str:
    match value:
        case ModelValue(name):
            return f"model {name}"
        case OptimizerValue(name):
            return name
    return "float" if isinstance(value, FloatValue) else _NAMES[type(value)]


def _moments(model: type[Model]) -> Fields:
    """A binary32 moment for each floating field, whatever its precision."""
    return {name: ("binary32", shape) for name, (tag, shape) in model.fields.items() if not tag.startswith("int")}
