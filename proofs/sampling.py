"""Checks by running: over every input there is (exhausted), or over inputs that Hypothesis draws (tested)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy

from proofs.law import Result

X = TypeVar("X")


def exhaust(holds: Callable[[X], bool], inputs: Iterable[X]) -> Result:
    """ "exhausted" when `holds` is true of every one of `inputs`; the caller says that these are all there are."""
    tried = 0
    for given_input in inputs:
        if not holds(given_input):
            return Result("refuted", 1, f"fails for {given_input!r}")
        tried += 1
    return Result("exhausted", tried, "inputs, all of them") if tried else Result("unknown", 0, "no inputs")


def sample(holds: Callable[[X], bool], inputs: SearchStrategy[X], examples: int, *, shrink: bool = True) -> Result:
    """ "tested" when `holds` is true of every example that Hypothesis draws, the same ones in each run."""
    count = 0

    @settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink) if shrink else (Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(inputs)
    def run(drawn: X) -> None:
        nonlocal count
        count += 1
        if not holds(drawn):
            raise Counterexample(repr(drawn))

    try:
        run()
    except Counterexample as found:
        return Result("refuted", 1, f"fails for {found}")
    return Result("tested", count, "examples")


class Counterexample(AssertionError):
    """An input for which a property doesn't hold."""
