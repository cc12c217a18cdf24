"""The three precisions of Klyn models, as types: distinct at run time and for a type checker.

`Sequential[Float32]` and `Dense[Float16]` are classes of their own, made once each, so that a class method knows the
precision that it was reached through.
"""

from __future__ import annotations

from types import new_class
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from bitproof_spec.klyn import constants


class Precision:
    """A binary floating-point format as a type; it has no instances."""

    format: ClassVar[constants.Precision]

    def __new__(cls) -> Precision:
        """TypeError: a precision is a type argument, never a value."""
        raise TypeError(f"{cls.__name__} is a type argument and has no instances")


class Float16(Precision):
    """IEEE 754 binary16."""

    format = "binary16"


class Float32(Precision):
    """IEEE 754 binary32."""

    format = "binary32"


class Float64(Precision):
    """IEEE 754 binary64."""

    format = "binary64"


Float: TypeAlias = Float32
Double: TypeAlias = Float64

P = TypeVar("P", bound=Precision)
PRECISIONS: tuple[type[Precision], ...] = (Float16, Float32, Float64)
OF_FORMAT: dict[constants.Precision, type[Precision]] = {each.format: each for each in PRECISIONS}


class OfPrecision(Generic[P]):
    """A class that takes a precision: `C[Float32]` is a subclass of C, made once, whose `precision` is Float32."""

    __slots__ = ()
    precision: ClassVar[type[Precision] | None] = None

    def __class_getitem__(cls, parameter: Any) -> Any:  # Any: what typing's own subscription takes and gives
        """The class at a precision; TypeError for another argument, or when the class has a precision already."""
        if isinstance(parameter, TypeVar) or parameter is Any:  # in an annotation or a generic class
            return super().__class_getitem__(parameter)  # type: ignore[misc]  # typeshed hides Generic's subscription
        if parameter not in PRECISIONS or cls.precision is not None:
            raise TypeError(f"{cls.__name__}[…] takes one of Float16, Float32 and Float64, once; not {parameter!r}")
        known = _MADE.get((cls, parameter))
        return known or _MADE.setdefault((cls, parameter), _specialised(cls, parameter))


def origin(cls: type) -> type:
    """The class that was given a precision to make `cls`; `cls` itself when it isn't made so."""
    return cls.__mro__[1] if _MADE.get((cls.__mro__[1], getattr(cls, "precision", None))) is cls else cls


def _specialised(cls: type[OfPrecision[Any]], precision: type[Precision]) -> type[OfPrecision[Any]]:
    """A subclass that differs from `cls` by its precision and its name only."""
    name = f"{cls.__name__}[{precision.__name__}]"
    members = {"__slots__": (), "__module__": cls.__module__, "__doc__": cls.__doc__, "precision": precision}
    return new_class(name, (cls,), exec_body=lambda namespace: namespace.update(members))


_MADE: dict[tuple[type, Any], type[OfPrecision[Any]]] = {}
