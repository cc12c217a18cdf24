"""Runs like the ShapeScript instance, each with one fault."""

from __future__ import annotations

from typing import ClassVar

import torch

from bitproof_spec.target import Commit
from bitproof_spec.violations import Violations
from tests.core.instances.values_document import Values
from tests.core.instances.values_run import Run
from tests.core.twins.commits import then


class EagerInstall(Run):
    """Installs the steps done before the other values are judged."""

    def stage(self, document: Values, /) -> Commit[None] | Violations:
        for value in document.values:
            if type(value) is int:
                self.done = value
        return super().stage(document)


class SharedMoments(Run):
    """Keeps the moments of all runs loaded from one document in one place."""

    newest: ClassVar[tuple[Values, dict[str, torch.Tensor]] | None] = None

    def stage(self, document: Values, /) -> Commit[None] | Violations:
        return then(super().stage(document), lambda: self._share(document))

    def _share(self, document: Values) -> None:
        newest = SharedMoments.newest
        if newest is not None and newest[0] is document:
            self.optimizer.moments = newest[1]
        SharedMoments.newest = document, self.optimizer.moments


class RateThroughFloat32(Run):
    """Holds a float of the file in binary32."""

    def stage(self, document: Values, /) -> Commit[None] | Violations:
        return then(super().stage(document), self._narrow)

    def _narrow(self) -> None:
        self.optimizer.rate = float(torch.tensor(self.optimizer.rate, dtype=torch.float32))


class ResetUpdates(Run):
    """Counts updates from the start again after a load."""

    def stage(self, document: Values, /) -> Commit[None] | Violations:
        return then(super().stage(document), self._reset)

    def _reset(self) -> None:
        self.optimizer.updates = 0


class OneStepTooMany(Run):
    """Counts the step at which it was saved again."""

    def stage(self, document: Values, /) -> Commit[None] | Violations:
        values = tuple(value + 1 if type(value) is int else value for value in document.values)
        return super().stage(Values(values))
