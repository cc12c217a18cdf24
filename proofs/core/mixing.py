"""A function that mixes one word, recorded step by step: each step is a bijection, and so is the whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, cast

import z3

from proofs.law import Result
from proofs.solver import prove

MASK = (1 << 64) - 1
Step: TypeAlias = Callable[[z3.BitVecRef], z3.BitVecRef]


class NoBijection(Exception):
    """The function does something to the word that can't be undone, or that isn't of 64-bit words."""


@dataclass(frozen=True)
class Shifted:
    """A word shifted down, to be combined with that word itself."""

    steps: tuple[tuple[str, Step, Step], ...]
    by: int


@dataclass(frozen=True)
class Mixed:
    """A word after some steps, each with its name and its inverse; `masked` when it is below 2^64 again."""

    steps: tuple[tuple[str, Step, Step], ...] = ()
    masked: bool = True

    def _then(self, name: str, step: Step, back: Step, *, masked: bool) -> Mixed:
        return Mixed((*self.steps, (name, step, back)), masked)

    def __add__(self, other: int) -> Mixed:
        return self._then(f"+ {other:#x}", lambda x: x + other, lambda x: x - other, masked=False)

    def __mul__(self, other: int) -> Mixed:
        inverse = pow(other, -1, 1 << 64) if other % 2 else 1
        return self._then(f"* {other:#x}", lambda x: x * other, lambda x: x * inverse, masked=False)

    def __and__(self, other: int) -> Mixed:
        if other != MASK:
            raise NoBijection(f"bits lost to the mask {other:#x}")
        return Mixed(self.steps, masked=True)

    def __rshift__(self, count: int) -> Shifted:
        if not self.masked:
            raise NoBijection("a number of more than 64 bits shifted down")
        return Shifted(self.steps, count)

    def __xor__(self, other: object) -> Mixed:
        if not isinstance(other, Shifted) or other.steps != self.steps or not self.masked:
            raise NoBijection("combined with something else than itself shifted")
        by = other.by

        def back(x: z3.BitVecRef) -> z3.BitVecRef:
            whole = x
            for count in range(by, 64, by):
                whole = whole ^ z3.LShR(x, count)
            return whole

        return self._then(f"^ >> {by}", lambda x: x ^ z3.LShR(x, by), back, masked=True)


def bijective(mix: Callable[[int], int]) -> Result:
    """Run `mix` on a recorded word and prove of each step that its inverse undoes it, for every 64-bit word."""
    try:
        mixed = cast("Mixed", mix(cast("int", Mixed())))
    except NoBijection as fault:
        return Result("refuted", 1, str(fault))
    if not mixed.masked:
        return Result("refuted", 1, "the result has more than 64 bits")
    word = z3.BitVec("word", 64)
    return prove(
        {f"step {place}, {name}": back(step(word)) == word for place, (name, step, back) in enumerate(mixed.steps)}
    )
