"""Text for a terminal or a pipe: strangers' text made printable, colours where they are wanted, and none elsewhere."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TextIO

_STYLES = {"error": "1;31", "advice": "1;33", "good": "32", "strong": "1", "faint": "2"}


def printable(text: str) -> str:
    r"""A text on one line, in which a character that can't be printed is `\x1b`, `\n` or `\u202e`."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


class Painter:
    """Adds colour to text for one stream: on a terminal, unless NO_COLOR is set; anywhere, when FORCE_COLOR is."""

    def __init__(self, stream: TextIO) -> None:
        self.on = coloured(stream)

    def __call__(self, style: str, text: str) -> str:
        """The text in a style; as it is where colours are off."""
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.on else text


def coloured(stream: TextIO) -> bool:
    """Whether colours are wanted on a stream."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def count(number: int, one: str, many: str = "") -> str:
    """A number and its noun: "1 file", "1,200 files"."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def hexdump(data: bytes, start: int, size: int) -> Iterator[str]:
    """Lines of 16 bytes of a file of `size` bytes, `data` standing at `start`: offset, hex, printable ASCII."""
    width = max(len(f"{size:x}"), 4)
    for at in range(0, len(data), 16):
        row = data[at : at + 16]
        text = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
        yield f"  {start + at:0{width}x}  {row[:8].hex(' '):<23}  {row[8:].hex(' '):<23}  {text}"
