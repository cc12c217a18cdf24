"""The text of a JSON state as TorchLean prints it: width 80, one space a nesting level, no final newline.

An array or object is a group (open, items joined by a comma and a line, close, nested by 1); a member is a group of
`"key":`, a line and the value. A group stays flat exactly when it and the text up to the next possible break fit in
80 columns; a line in a flat group is one space, in a broken one a newline and the indentation of its nesting level.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from bitproof_spec.json_text import decimal

WIDTH = 80

Printed: TypeAlias = "int | str | Sequence[Printed] | Mapping[str, Printed]"


def layout(value: Printed) -> str:
    """The printed text of a value made of naturals, ASCII strings, arrays and objects (in the order given)."""
    return "".join(_render(value, 0, 0, 0))


def _items(value: Sequence[Printed] | Mapping[str, Printed]) -> Iterator[tuple[str, Printed]]:
    """Each item with the label that stands before it."""
    if isinstance(value, Mapping):
        return ((f'"{key}":', item) for key, item in value.items())
    return (("", item) for item in value)


def _flat(value: Printed) -> str:
    """A group on one line."""
    if isinstance(value, int):
        return decimal(value)
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{label} {_flat(item)}" for label, item in _items(value)) + "}"
    return "[" + ", ".join(map(_flat, value)) + "]"


def _room_after(value: Printed, room: int) -> int:
    """What a group on one line leaves of `room` columns; negative, and not looked at to its end, where it doesn't fit.

    Every item takes columns, so a group of any size is given up after at most `room` of them.
    """
    if isinstance(value, int | str):
        return room - len(_flat(value))
    room -= 2 * max(len(value), 1)  # brackets, and a comma and a space between items
    for label, item in _items(value):
        if room < 0:
            break
        room = _room_after(item, room - (len(label) + 1 if label else 0))
    return room


def _render(value: Printed, column: int, level: int, trailing: int) -> Iterator[str]:
    """The pieces of a value at `column`, nested `level` deep, with `trailing` columns up to the next possible break."""
    if isinstance(value, int | str) or _room_after(value, WIDTH - column - trailing) >= 0:
        yield _flat(value)
        return
    opening, closing = "{}" if isinstance(value, Mapping) else "[]"
    between = ",\n" + " " * (level + 1)
    yield opening
    if not isinstance(value, Mapping) and all(isinstance(item, int) for item in value):
        yield between.join(map(_flat, value))  # as below, at once: numbers are the bulk of a state
    else:
        column, last = column + 1, len(value) - 1
        for position, (label, item) in enumerate(_items(value)):
            after = trailing + 1 if position == last else 1  # the closing bracket and what follows it, or the comma
            yield from _item(label, item, column, level + 1, after)
            if position != last:
                yield between
                column = level + 1
    yield closing


def _item(label: str, item: Printed, column: int, level: int, after: int) -> Iterator[str]:
    if not label:
        yield from _render(item, column, level, after)
    elif _room_after(item, WIDTH - column - len(label) - 1 - after) >= 0:
        yield f"{label} {_flat(item)}"
    else:
        yield label + "\n" + " " * level
        yield from _render(item, level, level, after)
