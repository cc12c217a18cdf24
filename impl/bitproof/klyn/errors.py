"""The one exception of the Klyn readers and of the Klyn runtime for a file or value that breaks the specification."""

from __future__ import annotations

from bitproof_spec.violations import CheckpointError


class ValueException(CheckpointError):
    """A KNN file that is refused, or a model that can't be stored as one; `.violations` holds every finding.

    A caller's own mistake (a wrong type, a bad suffix, training before compiling) is TypeError or ValueError;
    the system's errors (a missing file, a full disk) pass through as OSError.
    """
