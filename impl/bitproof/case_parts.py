"""What the parts of a case have to be, as far as it shows before any law runs: mistakes of whoever registers it."""

from __future__ import annotations

from collections.abc import Sequence

from bitproof.hypothesis_extra import SearchStrategy

FORMAT = ("name", "canonical", "segments", "judge")


def owe_parts(name: object, format: object, fresh: object) -> None:
    """TypeError unless these can be a case's name, an instance of a format, and what makes new live objects."""
    if not isinstance(name, str) or not name:
        raise _error("name", "a text that says something", _shown(name))
    if isinstance(format, type):
        raise _error("format", "an instance", f"the class {format.__name__}")
    lacking = [part for part in FORMAT if not hasattr(format, part)]
    if lacking:
        raise _error("format", ", ".join(FORMAT), f"a {type(format).__name__} without {', '.join(lacking)}")
    for part, kind in (("name", str), ("canonical", bool)):
        if not isinstance(getattr(format, part), kind):
            raise _error(f"format.{part}", f"a {kind.__name__}", _shown(getattr(format, part)))
    if hasattr(type(fresh), "capture"):  # of its type, as classes and generics have the attribute too
        raise _error("fresh", "what makes new live objects", f"a live {type(fresh).__name__}")
    if not callable(fresh):
        raise _error("fresh", "what makes new live objects", f"a {type(fresh).__name__}")


def owe_strategies(documents: object, hostile: object, encodings: object) -> None:
    """TypeError unless these can be a case's strategies and encodings."""
    if not isinstance(documents, SearchStrategy):
        raise _error("documents", "a strategy", f"a {type(documents).__name__}")
    if hostile is not None and not isinstance(hostile, SearchStrategy):
        raise _error("hostile", "a strategy or None", f"a {type(hostile).__name__}")
    if not isinstance(encodings, Sequence):
        raise _error("encodings", "a sequence", f"a {type(encodings).__name__}")


def _error(part: str, owed: str, found: str) -> TypeError:
    return TypeError(f"{part}: owed {owed}, found {found}")


def _shown(value: object) -> str:
    return f"{type(value).__name__} {value!r}"
