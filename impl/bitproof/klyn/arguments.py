"""Arguments of stages and optimizers, held to the ranges that a file's members have, before anything is built.

TypeError for a value of the wrong kind, ValueError for one out of range; each names the argument and the value.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from typing import SupportsIndex, TypeVar, cast

import numpy as np

from bitproof_spec.encoding import Binary64
from bitproof_spec.klyn.constants import INTEGER_LIMIT, NAME_PATTERN, RANK_LIMIT
from bitproof_spec.klyn.reals import MINUS_ZERO, Range, is_finite, within

T = TypeVar("T", bound=str)


def word_of(value: float) -> Binary64:
    """The binary64 word of a float."""
    return Binary64(int.from_bytes(struct.pack("<d", value), "little"))


def float_of(word: int) -> float:
    """The float of a binary64 word."""
    value: float = struct.unpack("<d", word.to_bytes(8, "little"))[0]
    return value


def integer(name: str, value: object, least: int = 0) -> int:
    """An integer from `least` to 2^53 - 1; numpy's count, booleans don't."""
    if isinstance(value, bool | np.bool) or not isinstance(value, SupportsIndex):
        raise TypeError(f"{name} is an integer, not {value!r}")
    number = int(value.__index__())
    if not least <= number <= INTEGER_LIMIT:
        raise ValueError(f"{name} = {number} is not in {least} … 2^53 - 1")
    return number


def extents(name: str, value: object, least: int = 0) -> tuple[int, ...]:
    """Integers, at least one and at most 32."""
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        raise TypeError(f"{name} is a tuple of integers, not {value!r}")
    if not 1 <= len(value) <= RANK_LIMIT:
        raise ValueError(f"{name} has {len(value)} extents, not 1 … {RANK_LIMIT}")
    return tuple(integer(f"{name}[{index}]", item, least) for index, item in enumerate(value))


def pair(name: str, value: object) -> tuple[int, int]:
    """Two integers of at least 1, or one that stands for both."""
    both = extents(name, value, 1) if isinstance(value, Sequence) else (integer(name, value, 1),) * 2
    if len(both) != 2:
        raise ValueError(f"{name} = {value!r} is neither one integer nor two")
    return both[0], both[1]


def real(name: str, value: object, range: Range) -> float:
    """A real number in a range; finite, and +0 when it is zero."""
    if isinstance(value, bool | np.bool) or not isinstance(value, float | int | np.floating | np.integer):
        raise TypeError(f"{name} is a real number, not {value!r}")
    try:
        number = float(value)
    except OverflowError:
        raise ValueError(f"{name} = {value} is beyond binary64") from None
    word = word_of(number)
    if word == MINUS_ZERO:
        raise ValueError(f"{name} = -0.0: no file can hold it; write 0.0")
    if not is_finite(word) or not within(word, range):
        raise ValueError(f"{name} = {value!r} is not {range.owed}")
    return number


def flag(name: str, value: object) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise TypeError(f"{name} is True or False, not {value!r}")
    return value


def choice(name: str, value: object, options: Sequence[T]) -> T:
    """One of some strings."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is one of {', '.join(options)}, not {value!r}")
    if value not in options:
        raise ValueError(f"{name} = {value!r} is none of {', '.join(options)}")
    return cast("T", value)


def stage_name(value: object) -> str:
    """A stage's name."""
    if not isinstance(value, str):
        raise TypeError(f"a stage's name is a str, not {value!r}")
    if re.fullmatch(NAME_PATTERN, value) is None:
        raise ValueError(f"a stage's name is {NAME_PATTERN}, not {value!r}")
    return value
