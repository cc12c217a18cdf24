"""Classes whose instances say something once and for all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


def _refuse(self: object, name: str, *_: object) -> None:
    """AttributeError: what a declaration says, and how it computes, is settled when it is made."""
    raise AttributeError(f"{type(self).__name__} is a declaration: its {name} can't be changed")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def declaration(cls: type[T]) -> type[T]:
    """A frozen dataclass with slots whose instances refuse every other attribute too, a patched `call` included."""
    made = dataclass(frozen=True, slots=True)(cls)
    for method in ("__setattr__", "__delattr__"):
        setattr(made, method, _refuse)
    return made
