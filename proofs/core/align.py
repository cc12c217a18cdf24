"""The law of alignment: `align_up(n)` is the least multiple of 64 that is at least n."""

from __future__ import annotations

from collections.abc import Callable

import z3

from bitproof_spec.alignment import ALIGNMENT, align_up
from proofs.crosshair_runner import contracts
from proofs.law import Law, Result, part
from proofs.solver import prove


def aligned(offset: int) -> int:
    """The contract of `align_up` for the file's alignment.

    pre: offset >= 0
    post: __return__ % 64 == 0
    post: offset <= __return__ < offset + 64
    """
    return align_up(offset)


def aligned_always_up(offset: int) -> int:
    """A twin that moves a multiple of 64 too.

    pre: offset >= 0
    post: __return__ % 64 == 0
    post: offset <= __return__ < offset + 64
    """
    return (offset // ALIGNMENT + 1) * ALIGNMENT


def aligned_to(offset: int, alignment: int) -> int:
    """Any alignment: never below, less than one step above.

    pre: offset >= 0 and 1 <= alignment
    post: offset <= __return__ < offset + alignment
    """
    return align_up(offset, alignment)


def aligned_to_below(offset: int, alignment: int) -> int:
    """A twin that rounds down.

    pre: offset >= 0 and 1 <= alignment
    post: offset <= __return__ < offset + alignment
    """
    return offset - offset % alignment


def least_multiple(formula: Callable[[z3.ArithRef], z3.ArithRef]) -> Result:
    """For every n: a multiple of 64, at least n, and no multiple of 64 that is at least n is smaller."""
    offset, other = z3.Ints("offset other")
    up = formula(offset)
    return prove(
        {
            "a multiple": z3.Implies(offset >= 0, up % ALIGNMENT == 0),
            "not below": z3.Implies(offset >= 0, up >= offset),
            "the least": z3.Implies(z3.And(offset >= 0, ALIGNMENT * other >= offset), ALIGNMENT * other >= up),
        }
    )


def _masked_after_63(offset: z3.ArithRef) -> z3.ArithRef:
    """The usual idiom with one unit too few: an offset of 64k + 1 goes down."""
    return (offset + 62) / ALIGNMENT * ALIGNMENT


LAW = Law(
    id="align",
    statement="align_up(n) is the least multiple of 64 that is at least n, for every n >= 0",
    committed="confirmed",
    parts=(
        contracts(
            "on the code",
            (aligned,),
            {"always up": aligned_always_up},
        ),
        contracts(
            "any alignment, on the code",
            (aligned_to,),
            {"down": aligned_to_below},
        ),
        part(
            "least, for every n",
            "z3",
            "proved",
            least_multiple,
            lambda offset: offset + (-offset) % ALIGNMENT,
            {
                "always up": lambda offset: (offset / ALIGNMENT + 1) * ALIGNMENT,
                "62 for 63": _masked_after_63,
                "down": lambda offset: offset - offset % ALIGNMENT,
            },
        ),
    ),
)
