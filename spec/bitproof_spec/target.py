"""Targets: what a document is loaded into, and the only load there is.

`stage` does all that can fail and changes nothing; the commit that it returns can't fail and changes everything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias, TypeVar

from bitproof_spec.document import Document
from bitproof_spec.format import Format, View, encode
from bitproof_spec.violations import CheckpointError, Violations

D = TypeVar("D", bound=Document)
D_co = TypeVar("D_co", bound=Document, covariant=True)
D_contra = TypeVar("D_contra", bound=Document, contravariant=True)
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

Commit: TypeAlias = Callable[[], R]


class Target(Protocol[D_contra, R_co]):
    """What a document is loaded into: a live model (R = None), a class, an immutable state, a list of types."""

    def stage(self, document: D_contra, /) -> Commit[R_co] | Violations:
        """A commit that can't fail, or every way in which the document doesn't fit. Changes nothing."""
        ...


class Source(Protocol[D_co]):
    """A live object whose document can be taken without disturbing it."""

    def capture(self) -> D_co:
        """The document of the object as it is now; later changes of the object don't reach it."""
        ...


class Checkpointable(Source[D], Target[D, None], Protocol[D]):
    """A live object: captured without being disturbed, restored whole or not at all."""


class Trainable(Checkpointable[D], Protocol[D]):
    """A checkpointable object that can also advance, its next state a function of its state."""

    def advance(self, steps: int, /) -> None:
        """Train that many steps."""
        ...


def save(source: Source[D], format: Format[D]) -> bytes:
    """The file of a live object."""
    return encode(format, source.capture())


def load(
    target: Target[D, R],
    format: Format[D],
    view: View,
    *,
    error: type[CheckpointError] = CheckpointError,
    subject: str = "",
) -> R:
    """Judge, stage, commit: the only load there is.

    Raises `error` with every finding of the judge, or of the target when the judge accepts; then nothing changed.
    """
    document = format.judge(view)
    if isinstance(document, Violations):
        raise error(document, subject)
    commit = target.stage(document)
    if isinstance(commit, Violations):
        raise error(commit, subject)
    return commit()
