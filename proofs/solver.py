"""z3: a claim is proved when its negation has no model."""

from __future__ import annotations

from collections.abc import Mapping

import z3

from proofs.law import Result


def prove(claims: Mapping[str, z3.BoolRef], *, seconds: int = 60) -> Result:
    """ "proved" when z3 finds the negation of every named claim unsatisfiable; else the first claim that failed."""
    for name, claim in claims.items():
        solver = z3.Solver()
        solver.set("timeout", seconds * 1000)
        solver.add(z3.Not(claim))
        verdict = solver.check()
        if verdict == z3.sat:
            return Result("refuted", 1, f"{name}: {solver.model()}".replace("\n", ""))
        if verdict != z3.unsat:
            return Result("unknown", 0, f"{name}: {solver.reason_unknown()}")
    return Result("proved", len(claims), "claims, negations unsatisfiable")
