"""What stands at an offset of a JSON text that conforms, as a JSON pointer."""

from __future__ import annotations

from bitproof_spec.strict_json import JsonFault, Limits, parse

_BETWEEN = b",:]} \t\r\n"
_TOKEN = frozenset(b"0123456789abcdefghijklmnopqrstuvwxyz")


def pointer_at(text: bytes, limits: Limits) -> str:
    """The pointer of the value to which the last byte of `text`, the beginning of a text, belongs; "" where none is.

    The text is damaged there, so that its first fault names the value that is being read: at the beginning of a number
    or literal, since one that is cut short may be whole. A byte between values names what comes after it.
    """
    at = len(text) - 1
    if text[at] in _BETWEEN:
        damaged = text
    else:
        while at and text[at] in _TOKEN and text[at - 1] in _TOKEN:
            at -= 1
        damaged = text[:at] + b"\0"
    read = parse(damaged, limits)
    return read.pointer or "/" if isinstance(read, JsonFault) else ""
