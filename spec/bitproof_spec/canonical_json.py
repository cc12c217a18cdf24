"""Canonical JSON: the one text of a value (RFC 8785) for what strict JSON can hold."""

from __future__ import annotations

from bitproof_spec.json_text import quote
from bitproof_spec.strict_json import JsonValue

LARGEST = (1 << 53) - 1  # above it RFC 8785 has no exact integers


def canonical(value: JsonValue) -> bytes:
    """The canonical text of a value: no white space, names sorted by UTF-16 code units, shortest escapes.

    Nothing recurses with the value. ValueError for an integer outside 0 … 2^53-1 and for a lone surrogate.
    """
    out: list[bytes] = []
    todo: list[JsonValue | bytes] = [value]  # a stack, next on top; bytes are text ready to be put out
    while todo:
        item = todo.pop()
        if isinstance(item, bytes):
            out.append(item)
        elif isinstance(item, tuple):
            parts: list[JsonValue | bytes] = [b"["]
            for element in item:
                parts += [element, b","]
            todo += reversed([*parts[: max(len(parts) - 1, 1)], b"]"])
        elif isinstance(item, dict):
            parts = [b"{"]
            for name in sorted(item, key=_units):
                parts += [quote(name) + b":", item[name], b","]
            todo += reversed([*parts[: max(len(parts) - 1, 1)], b"}"])
        else:
            out.append(_scalar(item))
    return b"".join(out)


def _scalar(value: None | bool | int | str) -> bytes:
    if isinstance(value, str):
        return quote(value)
    if value is None or isinstance(value, bool):
        return {None: b"null", True: b"true", False: b"false"}[value]
    if not 0 <= value <= LARGEST:
        raise ValueError(f"{value:#x} is no natural up to 2^53-1")
    return b"%d" % value


def _units(name: str) -> bytes:
    return name.encode("utf-16-be", "surrogatepass")
