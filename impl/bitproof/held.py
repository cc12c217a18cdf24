"""A live object around an immutable value, so that a target that makes new values passes through the laws as well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from bitproof_spec.document import Document
from bitproof_spec.target import Commit, Target
from bitproof_spec.violations import Violations

D = TypeVar("D", bound=Document)
R = TypeVar("R")


class Held(Generic[D, R]):
    """`Trainable[D]` around the newest of some values R: loading and training replace the value, never change it."""

    def __init__(self, value: R, *, target: Target[D, R], document: Callable[[R], D], step: Callable[[R], R]) -> None:
        self.value = value
        self._target, self._document, self._step = target, document, step

    def capture(self) -> D:
        """The document of the value held now."""
        return self._document(self.value)

    def stage(self, document: D, /) -> Commit[None] | Violations:
        """What the target says of the document; its commit makes the new value the one that is held."""
        commit = self._target.stage(document)
        if isinstance(commit, Violations):
            return commit
        make = commit

        def hold() -> None:
            self.value = make()

        return hold

    def advance(self, steps: int, /) -> None:
        """Replace the value by its successor, that many times."""
        for _ in range(steps):
            self.value = self._step(self.value)
