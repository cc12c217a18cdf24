"""The premises of the law of resume, tried on a runtime: loading undoes saving, saving disturbs nothing, and the next
state is a function of the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from hypothesis import strategies as st

from bitproof_spec.document import Document, Leaf, differences
from proofs.law import Result
from proofs.sampling import sample

R = TypeVar("R")
M = TypeVar("M")


@dataclass(frozen=True)
class Runtime(Generic[R, M]):
    """A runtime: recipes of models, a new model of a recipe (alike each time), training, and both ways of a file.

    `restored` saves a model and loads the file into a new model of that recipe.
    """

    recipes: st.SearchStrategy[R]
    fresh: Callable[[R], M]
    advance: Callable[[R, M, int], None]
    restored: Callable[[R, M], M]
    state: Callable[[M], Document]


def hold(runtime: Runtime[R, M], examples: int) -> Result:
    """Both premises for recipes that Hypothesis draws, with 1 to 3 steps before and after the save."""

    def holds(drawn: tuple[R, int, int]) -> bool:
        recipe, before, after = drawn
        saved = runtime.fresh(recipe)
        runtime.advance(recipe, saved, before)
        here = runtime.state(saved)
        loaded = runtime.restored(recipe, saved)
        if differences(here, runtime.state(loaded)) or differences(here, runtime.state(saved)):
            return False
        runtime.advance(recipe, saved, after)
        runtime.advance(recipe, loaded, after)
        return not differences(runtime.state(saved), runtime.state(loaded))

    return sample(holds, st.tuples(runtime.recipes, st.integers(1, 3), st.integers(1, 3)), examples, shrink=False)


@dataclass(frozen=True)
class Together:
    """Several documents as one: the leaves of each under its name."""

    documents: Mapping[str, Document]

    def leaves(self) -> Mapping[str, Leaf]:
        """The leaves of all documents, each under its document's name."""
        return {f"{name}/{where}": leaf for name, one in self.documents.items() for where, leaf in one.leaves().items()}
