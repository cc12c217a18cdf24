"""Adding to what a commit does: how twins of live objects go wrong after, or before, a load that is right."""

from __future__ import annotations

from collections.abc import Callable

from bitproof_spec.target import Commit
from bitproof_spec.violations import Violations


def then(staged: Commit[None] | Violations, more: Callable[[], object]) -> Commit[None] | Violations:
    """The commit followed by `more`, where there is a commit."""
    if isinstance(staged, Violations):
        return staged
    first = staged

    def commit() -> None:
        first()
        more()

    return commit
