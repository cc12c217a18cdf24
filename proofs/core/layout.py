"""The law of layout: where the blocks of a file stand, for any number of them.

CrossHair confirms on the code one block and up to four; z3 proves base and step of the induction over their number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import z3

from bitproof_spec.alignment import ALIGNMENT, align_up, place
from proofs.crosshair_runner import contracts
from proofs.law import Law, Result, part
from proofs.solver import prove

Offset: TypeAlias = Callable[[z3.ArithRef], z3.ArithRef]


def one(end: int, length: int) -> tuple[int, int]:
    """The step on the code: one block after whatever ends at `end`.

    pre: end >= 0 and length >= 0
    post: __return__[0] % 64 == 0
    post: end <= __return__[0] < end + 64
    post: __return__[1] == length
    """
    return next(iter(place((length,), end)))


def one_unaligned(end: int, length: int) -> tuple[int, int]:
    """A twin that packs blocks.

    pre: end >= 0 and length >= 0
    post: __return__[0] % 64 == 0
    post: end <= __return__[0] < end + 64
    post: __return__[1] == length
    """
    return end, length


def follows(blocks: Iterable[tuple[int, int]], start: int) -> bool:
    """Whether blocks are aligned, in order, without overlap, and with less than 64 bytes between them."""
    end = start
    for offset, length in blocks:
        if offset % 64 or not end <= offset < end + 64:
            return False
        end = offset + length
    return True


def three(a: int, b: int, c: int) -> bool:
    """Three blocks on the code.

    pre: a >= 0 and b >= 0 and c >= 0
    post: __return__
    """
    return follows(place((a, b, c)), 0)


def three_with_a_gap(a: int, b: int, c: int) -> bool:
    """A twin that starts a new line after each block, full lines too.

    pre: a >= 0 and b >= 0 and c >= 0
    post: __return__
    """
    return follows(spaced((a, b, c)), 0)


def spaced(lengths: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Blocks with an extra line where one ends on a multiple of 64."""
    end = 0
    for length in lengths:
        yield end, length
        end = align_up(end + length + 1)


def for_any_number(offset: Offset) -> Result:
    """The invariant after n blocks: all of them are aligned and disjoint, and none reaches beyond `end`.

    Base: before the first block `end` is the start and there is no block. Step: for whatever `end` and whatever
    earlier block that ends at or before it, the next block keeps the invariant.
    """
    end, length, earlier, start, total, count = z3.Ints("end length earlier start total count")
    here = offset(end)
    after = here + length
    some = z3.And(end >= 0, length >= 0)
    claims = {
        "aligned": here % ALIGNMENT == 0,
        "in order and disjoint": z3.Implies(earlier <= end, earlier <= here),
        "less than 64 bytes between": z3.And(here - end >= 0, here - end < ALIGNMENT),
        "none reaches beyond the new end": z3.And(
            after >= end, here <= after, z3.Implies(earlier <= end, earlier <= after)
        ),
        "the end is bounded by the lengths": z3.Implies(
            end <= total + 63 * count, after <= total + length + 63 * (count + 1)
        ),
        "an aligned start moves every block by itself": z3.Implies(
            z3.And(start >= 0, start % ALIGNMENT == 0), offset(start + end) == start + here
        ),
    }
    base = {
        "the first block stands at an aligned start": z3.Implies(
            z3.And(start >= 0, start % ALIGNMENT == 0), offset(start) == start
        )
    }
    return prove({**base, **{name: z3.Implies(some, claim) for name, claim in claims.items()}})


LAW = Law(
    id="layout",
    statement="blocks are aligned, in order, disjoint, less than 64 bytes apart, and the last ends the file, "
    "for any number of tensors",
    committed="confirmed",
    parts=(
        contracts("the step on the code", (one,), {"packed": one_unaligned}),
        contracts("three blocks on the code", (three,), {"a line between": three_with_a_gap}),
        part(
            "base and step, so any number of blocks",
            "z3, induction",
            "proved",
            for_any_number,
            lambda end: end + (-end) % ALIGNMENT,
            {
                "packed": lambda end: end,
                "always up": lambda end: end + ALIGNMENT - end % ALIGNMENT,
                "down": lambda end: end - end % ALIGNMENT,
            },
        ),
    ),
)
