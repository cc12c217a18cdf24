"""Paths as given: their bytes for the system, and their text for messages. Nothing in a name is expanded."""

from __future__ import annotations

import errno
import os
from typing import TypeAlias

FilePathLike: TypeAlias = str | bytes | os.PathLike[str] | os.PathLike[bytes]


def path_name(path: FilePathLike) -> str | bytes:
    """The path as it was given, in text or bytes; TypeError unless it is path-like."""
    try:
        return os.fspath(path)
    except TypeError:
        raise TypeError(f"path is a str, bytes or os.PathLike, not {type(path).__name__}") from None


def path_bytes(path: FilePathLike) -> bytes:
    """The bytes of a path exactly as given (PUB-NAME-01, PUB-NAME-02).

    TypeError unless it is path-like, ValueError for a null byte or for text that no name can be, FileNotFoundError
    when it is empty.
    """
    given = path_name(path)
    try:
        raw = os.fsencode(given)
    except UnicodeEncodeError:
        raise ValueError(f"no file can have this name: {escape_path(given)}") from None
    if b"\0" in raw:
        raise ValueError(f"no name can hold a null byte: {escape_path(given)}")
    if not raw:
        raise FileNotFoundError(errno.ENOENT, "an empty path names no file", given)
    return raw


def escape_path(path: FilePathLike, encoding: str = "utf-8") -> str:
    r"""A path as text that can be printed in `encoding`, on one line, and that no other path has (PUB-NAME-03).

    Undecodable bytes become `\xff`, unprintable characters and those that the encoding lacks `\n`, `\x1b` or `\u0085`,
    and, where it doesn't separate, a backslash becomes two.
    """
    return "".join(_escaped(character, encoding) for character in os.fsdecode(path))


def _escaped(character: str, encoding: str) -> str:
    code = ord(character)
    if "\udc80" <= character <= "\udcff":
        return f"\\x{code - 0xDC00:02x}"
    if character == "\\" and os.sep != "\\":
        return "\\\\"
    if character.isprintable() and character.encode(encoding, "ignore"):
        return character
    if code < 0x80:
        return character.encode("unicode_escape").decode("ascii")
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"  # two digits are a byte's, never a character's
