"""The error and the warning of TorchLean's readers and runtime."""

from __future__ import annotations

from bitproof_spec.violations import CheckpointError


class StateError(CheckpointError):
    """A TorchLean file or state that is refused; `.violations` holds every finding.

    A caller's own mistake is TypeError or ValueError; the system's errors pass through as OSError.
    """


class LegacyCheckpointWarning(UserWarning):
    """An optimizer file without the random counter was loaded: a stochastic training can't continue exactly."""
