"""The text of a JSON state as TorchLean prints it: width 80, one space a nesting level, no final newline.

An array or object is a group (open, items joined by a comma and a line, close, nested by 1); a member is a group of
`"key":`, a line and the value. A group stays flat exactly when it and the text up to the next possible break fit in
80 columns; a line in a flat group is one space, in a broken one a newline and the indentation of its nesting level.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

WIDTH = 80

Printed: TypeAlias = "int | str | Sequence[Printed] | Mapping[str, Printed]"


def layout(value: Printed) -> str:
    """The printed text of a value made of naturals, ASCII strings, arrays and objects (in the order given)."""
    return "".join(_render(value, 0, 0, 0))


def _flat(value: Printed) -> str:
    """A group on one line."""
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, Mapping):
        return "{" + ", ".join(f'"{key}": {_flat(item)}' for key, item in value.items()) + "}"
    return "[" + ", ".join(map(_flat, value)) + "]"


def _render(value: Printed, column: int, level: int, trailing: int) -> Iterator[str]:
    """The pieces of a value at `column`, nested `level` deep, with `trailing` columns up to the next possible break."""
    flat = _flat_within(value, WIDTH - column - trailing)
    if flat is not None or isinstance(value, int | str):
        yield _flat(value) if flat is None else flat
        return
    items = list(value.items()) if isinstance(value, Mapping) else [(None, item) for item in value]
    yield "{" if isinstance(value, Mapping) else "["
    column += 1
    for position, (key, item) in enumerate(items):
        last = position == len(items) - 1
        after = trailing + 1 if last else 1  # the closing bracket and what follows it, or the comma
        yield from _item(key, item, column, level + 1, after)
        if not last:
            yield ",\n" + " " * (level + 1)
            column = level + 1
    yield "}" if isinstance(value, Mapping) else "]"


def _item(key: str | None, item: Printed, column: int, level: int, after: int) -> Iterator[str]:
    if key is None:
        yield from _render(item, column, level, after)
        return
    label = f'"{key}":'
    flat = _flat_within(item, WIDTH - column - len(label) - 1 - after)
    if flat is not None:
        yield f"{label} {flat}"
        return
    yield label + "\n" + " " * level
    yield from _render(item, level, level, after)


def _flat_within(value: Printed, room: int) -> str | None:
    """The flat text when it fits in `room` columns; long sequences are given up early, so layout stays linear."""
    if isinstance(value, Sequence) and not isinstance(value, str) and len(value) > WIDTH:
        return None
    text = _flat(value)
    return text if len(text) <= room else None
