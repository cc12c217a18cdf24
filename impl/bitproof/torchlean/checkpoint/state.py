"""Immutable states in their scalar's encoding, with the layout that a model gives; no module is touched."""

from __future__ import annotations

from typing import TypeVar, TypeVarTuple

from bitproof.paths import FilePathLike, escape_path
from bitproof.torchlean import files
from bitproof.torchlean.canonical_nans import owe_canonical
from bitproof.torchlean.chain import Sequential
from bitproof.torchlean.errors import StateError
from bitproof.torchlean.state import State, layout
from bitproof.views import open_view
from bitproof_spec.target import load as load_document
from bitproof_spec.torchlean.encodings import StateEncoding
from bitproof_spec.torchlean.json_state import TLJSON
from bitproof_spec.violations import Violations

S = TypeVar("S")
In = TypeVar("In", bound="tuple[int, ...]")
Out = TypeVar("Out", bound="tuple[int, ...]")
Shapes = TypeVarTuple("Shapes")


def save(model: Sequential[In, Out, *Shapes], state: State[S, *Shapes], path: FilePathLike) -> None:
    """Save a state of the model's layout as JSON under its encoding's tag.

    StateError for a state of another layout, and for a NaN that the tag doesn't allow, tensor and index named; OSError.
    """
    document = state.document()
    fit = layout(model, state.encoding).stage(document)
    if isinstance(fit, Violations):
        raise StateError(fit, escape_path(path))
    owe_canonical(document, path)
    files.publish_document(path, TLJSON, document)


def load(model: Sequential[In, Out, *Shapes], encoding: StateEncoding[S], path: FilePathLike) -> State[S, *Shapes]:
    """A new state of the model's layout. StateError with every finding, another tag too: never a cast; OSError."""
    with open_view(path, keep=True) as view:
        return load_document(layout(model, encoding), TLJSON, view, error=StateError, subject=escape_path(path))
