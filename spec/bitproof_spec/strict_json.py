"""Strict JSON: RFC 8259 text under bounds, to a value or to its first fault.

Refused beyond the RFC: duplicate names, a byte-order mark, lone surrogates, and every number but `0|[1-9][0-9]*`.
Nothing recurses with the text, no literal is converted before its length is bounded, no value is built beyond its
bound; whatever the bytes, the answer is a value or one `JsonFault`, in time linear in the text.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from bitproof_spec.json_scanner import FaultKind, Limits, Scanner, Stop, cut

__all__ = ["FaultKind", "JsonFault", "JsonValue", "Limits", "parse"]

JsonValue: TypeAlias = "None | bool | int | str | tuple[JsonValue, ...] | dict[str, JsonValue]"

BOM = b"\xef\xbb\xbf"
CLOSING = {b"{": b"}", b"[": b"]"}


class JsonFault(NamedTuple):
    """The first fault of a text: its kind, its byte offset, what was found there and what was owed.

    `pointer` (RFC 6901) names the value in which the fault lies, of a duplicate name the second member itself.
    """

    kind: FaultKind
    offset: int
    pointer: str
    found: str
    owed: str


def parse(text: bytes, limits: Limits) -> JsonValue | JsonFault:
    """The value that `text` is, an object as dict in the order of the text, an array as tuple; or its first fault.

    The first fault is the one at the lowest offset, where a bad string has it at the bad byte and a bad number or
    literal at its start. Never raises, whatever the bytes.
    """
    if len(text) > limits.size:
        return JsonFault("size", limits.size, "", f"{len(text)} bytes", f"at most {limits.size}")
    if text.startswith(BOM):
        return JsonFault("bom", 0, "", "a byte-order mark", "none")
    parser = _Parser(text, limits)
    try:
        return parser.document()
    except Stop as stop:
        return JsonFault(stop.kind, stop.offset, parser.pointer(), stop.found, stop.owed)


class _Array(list[JsonValue]):
    """An array that is being read."""


class _Object(dict[str, JsonValue]):
    """An object that is being read, and the name of the member that is being read."""

    name: str | None = None


class _Parser(Scanner):
    """One pass with a stack of its own: `_begin` reads up to a whole value, `_attach` what follows a whole value."""

    def __init__(self, text: bytes, limits: Limits) -> None:
        super().__init__(text, limits)
        self._open: list[_Array | _Object] = []
        self._last: JsonValue = None  # the value that was read last

    def document(self) -> JsonValue:
        """The value of the whole text; Stop at its first fault."""
        if self.byte() == b"":
            raise Stop("empty", self.at, "no value", "a value")
        whole = self._begin()
        while self._open:
            whole = self._attach() if whole else self._begin()
        if self.byte() != b"":
            raise Stop("trailing", self.at, self.shown(), "the end of the text")
        return self._last

    def pointer(self) -> str:
        """The JSON pointer of the value that is being read."""
        steps = [str(len(top)) if isinstance(top, _Array) else top.name for top in self._open]
        return "".join("/" + cut(step).replace("~", "~0").replace("/", "~1") for step in steps if step is not None)

    def _begin(self) -> bool:
        """Read a scalar, an empty container or the start of a container; true when `_last` is a whole value."""
        byte = self.byte()
        if byte in CLOSING:
            return self._enter(byte)
        if byte.isdigit() and self._open and isinstance(top := self._open[-1], _Array):
            top += self.naturals()
            byte = self.byte()
            if byte in CLOSING:
                return self._enter(byte)
        self._last = self.scalar(byte)
        return True

    def _enter(self, byte: bytes) -> bool:
        """Open a container; true when it is empty and so whole."""
        self.count()
        if len(self._open) == self.limits.depth:
            raise Stop("depth", self.at, f"depth {self.limits.depth + 1}", f"at most {self.limits.depth}")
        self.at += 1
        top = _Object() if byte == b"{" else _Array()
        if self.byte() == CLOSING[byte]:
            self.at += 1
            self._last = {} if isinstance(top, _Object) else ()
            return True
        self._open.append(top)
        if isinstance(top, _Object):
            self._name(top)
        return False

    def _attach(self) -> bool:
        """Put `_last` into the container on top; true when that ends the container, which then is `_last`."""
        top = self._open[-1]
        if isinstance(top, _Array):
            top.append(self._last)
        elif top.name is not None:
            top[top.name] = self._last
            top.name = None
        byte, end = self.byte(), b"]" if isinstance(top, _Array) else b"}"
        if byte == end:
            self.at += 1
            self._open.pop()
            self._last = tuple(top) if isinstance(top, _Array) else dict(top)
            return True
        if byte != b",":
            raise self.unexpected(f"',' or '{end.decode()}'")
        self.at += 1
        if isinstance(top, _Object):
            self._name(top)
        return False

    def _name(self, top: _Object) -> None:
        """Read the name of the next member and its colon."""
        if self.byte() != b'"':
            raise self.unexpected("a name")
        start = self.at
        top.name = self.string()
        if top.name in top:
            raise Stop("duplicate", start, f"name {cut(top.name)!r} again", "each name once")
        if self.byte() != b":":
            raise self.unexpected("':'")
        self.at += 1
