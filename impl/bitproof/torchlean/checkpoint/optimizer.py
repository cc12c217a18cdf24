"""Optimizer state that a module's backend owns: moments, step counts, configuration and the random counter."""

from __future__ import annotations

import warnings
from typing import TypeVar

from bitproof.paths import FilePathLike, escape_path
from bitproof.torchlean import files
from bitproof.torchlean.errors import LegacyCheckpointWarning, StateError
from bitproof.torchlean.objective import Objective
from bitproof.torchlean.optimizer_io import OptimizerTarget
from bitproof.views import open_view
from bitproof_spec.target import Commit
from bitproof_spec.target import load as load_document
from bitproof_spec.torchlean.optimizer_document import OptimizerState
from bitproof_spec.torchlean.optimizer_file import OptimizerFile
from bitproof_spec.violations import Violations

S = TypeVar("S")

LEGACY = (
    "this optimizer file lacks the random counter: its moments are restored and the counter stays as it is, "
    "so a training with dropout can't continue exactly"
)


def save(objective: Objective[S], path: FilePathLike) -> None:
    """Save the backend's optimizer state as TLADAMF version 4.

    StateError, and no file, when the backend owns none, before its first update, and for a counter of 2^64 or more.
    """
    files.publish_document(path, OptimizerFile(), OptimizerTarget(objective, error=StateError).lend())


def load(objective: Objective[S], path: FilePathLike) -> None:
    """Restore it, all or nothing. StateError with every finding, also when the backend owns no such state; OSError.

    A file without the random counter warns with LegacyCheckpointWarning once its moments are in place.
    """
    target = OptimizerTarget(objective, error=StateError)
    target.owe_owner()
    with open_view(path, keep=True) as view:
        legacy = load_document(_Telling(target), OptimizerFile(), view, error=StateError, subject=escape_path(path))
    if legacy:
        warnings.warn(LEGACY, LegacyCheckpointWarning, stacklevel=2)


class _Telling:
    """The same target, whose commit tells whether the document lacks the random counter."""

    def __init__(self, target: OptimizerTarget[S]) -> None:
        self._stage = target.stage

    def stage(self, document: OptimizerState, /) -> Commit[bool] | Violations:
        """As the target's."""
        commit = self._stage(document)
        if isinstance(commit, Violations):
            return commit
        install = commit

        def told() -> bool:
            install()
            return document.legacy

        return told
