"""The law of bounds: sizes are exact and bounded before they are used, and the budget is asked before any block is.

What the judge looks at before the budget is the header and the manifest, so the manifest's bound is the bound of all
memory until then; the tests of hostile files measure it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import z3

from proofs.crosshair_runner import contracts
from proofs.klyn import bounds_contracts as contract
from proofs.law import Law, Result, part
from proofs.solver import prove

Step: TypeAlias = Callable[[z3.ArithRef, z3.ArithRef], z3.ArithRef]


def for_any_rank(step: Step) -> Result:
    """One more extent keeps the invariant, so it holds at every rank: the bound is at least 1, at least the true
    product, and at least every extent and every product that came before."""
    bound, product, extent = z3.Ints("bound product extent")
    before = z3.And(bound >= 1, product >= 0, bound >= product, extent >= 0)
    after = step(bound, extent)
    return prove(
        {
            "at least 1": z3.Implies(before, after >= 1),
            "at least the product": z3.Implies(before, after >= product * extent),
            "at least what was bounded before": z3.Implies(before, after >= bound),
            "at least the new extent": z3.Implies(before, after >= extent),
        }
    )


def _larger(a: z3.ArithRef, b: int) -> z3.ArithRef:
    return z3.If(a >= b, a, z3.IntVal(b))


LAW = Law(
    id="bounds",
    statement="no size of a KNN model passes its bound unrefused, a zero hides none, and the budget counts every block",
    committed="confirmed",
    parts=(
        contracts(
            "what is bounded is no less than what it bounds",
            (contract.bounds_a_tensor, contract.bounds_beside_a_zero),
            {"a zero hides it": contract.hidden_by_a_zero, "in 64 bits": contract.wraps},
        ),
        part(
            "and so at every rank",
            "z3, induction",
            "proved",
            for_any_rank,
            lambda bound, extent: bound * _larger(extent, 1),
            {"a zero hides it": lambda bound, extent: bound * extent, "a sum": lambda bound, extent: bound + extent},
        ),
        contracts(
            "windows never make an axis longer",
            (contract.windows_never_grow,),
            {"one window too many": contract.windows_one_too_many},
        ),
        contracts(
            "a transposed axis is refused before it passes 117 bits",
            (contract.transposed_is_bounded,),
            {"refused one stage later": contract.transposed_of_unbounded},
        ),
        contracts(
            "padding is less than a window",
            (contract.padding_is_less_than_a_window,),
            {"a whole window": contract.padding_of_a_whole_window},
        ),
        contracts(
            "the budget counts every block, inclusively",
            (contract.budget,),
            {"each by itself": contract.budget_of_each, "exclusive": contract.budget_exclusive},
        ),
    ),
)
