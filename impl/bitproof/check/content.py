"""What is in a file, as inspector and map show it: facts, tables, regions."""

from __future__ import annotations

from typing import NamedTuple


class Table(NamedTuple):
    """A table of an overview. A column's heading ends in `#`, which isn't printed, when its cells are numbers."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Overview(NamedTuple):
    """What is in a file: facts by name, tables, and the same as plain JSON values."""

    facts: tuple[tuple[str, str], ...]
    tables: tuple[Table, ...]
    plain: dict[str, object]


class Region(NamedTuple):
    """The bytes `start` to `end` of a file, the clause that governs them, and what they are, on one line.

    Of a tensor's block, `tag` names the scalar format and `shape` is the tensor's.
    """

    start: int
    end: int
    clause: str
    what: str
    tag: str = ""
    shape: tuple[int, ...] = ()
