"""The law of resume, derived from two premises; z3 checks each line of the derivation for all states and numbers.

Premises: (1) loading a saved state gives that state; (2) the next state is a function of the state. Lines:

    1. load(save(run(n, s))) = run(n, s)                    by (1)
    2. run(m, run(n, s)) = run(n + m, s)                    by (2) and induction on m
    3. run(m, load(save(run(n, s)))) = run(n + m, s)        by 1 and 2

That the premises hold of a runtime is a law of its own, and only tested.
"""

from __future__ import annotations

from typing import NamedTuple

import z3

from proofs.law import Law, Result, part
from proofs.solver import prove

STATE, FILE = z3.DeclareSort("State"), z3.DeclareSort("File")
save = z3.Function("save", STATE, FILE)
load = z3.Function("load", FILE, STATE)
run = z3.Function("run", z3.IntSort(), STATE, STATE)
step = z3.Function("step", STATE, STATE)
step_at = z3.Function("step_at", z3.IntSort(), STATE, STATE)


class Premises(NamedTuple):
    """What is granted: that loading undoes saving, and that a step depends on the state alone (not on its number)."""

    restores: bool = True
    is_function: bool = True


def derivation(granted: Premises) -> Result:
    """The three lines, each an implication between instances of the premises and of the lines before it."""
    s, x = z3.Consts("s x", STATE)
    n, m = z3.Ints("n m")
    middle = run(n, s)
    loaded = load(save(middle)) == middle
    premise = loaded if granted.restores else z3.BoolVal(True)
    counted = z3.And(n >= 0, m >= 0)
    joined, joined_next = run(m, middle) == run(n + m, s), run(m + 1, middle) == run(n + m + 1, s)
    first = run(0, x) == x
    follows = z3.And(defines(granted, m, middle), defines(granted, n + m, s))
    outcome = prove(
        {
            "line 1": z3.Implies(premise, loaded),
            "line 2, base": z3.Implies(z3.substitute(first, (x, middle)), run(0, middle) == run(n + 0, s)),
            "line 2, step": z3.Implies(z3.And(counted, follows, joined), joined_next),
            "line 3": z3.Implies(z3.And(loaded, joined), run(m, load(save(middle))) == run(n + m, s)),
        }
    )
    return outcome._replace(outcome="derived") if outcome.outcome == "proved" else outcome


def defines(granted: Premises, count: z3.ArithRef, state: z3.ExprRef) -> z3.BoolRef:
    """What one step more is: of a function, the step of the state; else a step that knows its number."""
    before = run(count, state)
    return run(count + 1, state) == (step(before) if granted.is_function else step_at(count, before))


LAW = Law(
    id="resume",
    statement="if loading undoes saving and a step is a function of the state, then n steps, save, load, m steps "
    "equal n + m steps",
    committed="derived",
    parts=(
        part(
            "three lines from the premises",
            "derivation, z3",
            "derived",
            derivation,
            Premises(),
            {
                "something isn't restored": Premises(restores=False),
                "a step knows its number in the process": Premises(is_function=False),
            },
        ),
    ),
)
