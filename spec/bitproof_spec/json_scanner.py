"""The scanner of strict JSON: white space, strings, numbers and literals at one place of a text, under bounds.

It raises `Stop` at the first fault, which never leaves `strict_json.parse`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from bitproof_spec.json_text import BODY, DIGITS, StringFault, natural, unquote

FaultKind: TypeAlias = Literal[
    "size",  # more bytes than allowed
    "empty",  # no value, or nothing but white space
    "bom",  # a byte-order mark
    "utf8",  # not well-formed UTF-8
    "syntax",  # a byte that can't stand there
    "end",  # the text ends within a value
    "trailing",  # something after the value
    "depth",  # too many open objects and arrays
    "values",  # too many objects, arrays and scalars
    "duplicate",  # a name twice in one object
    "control",  # a control character inside a string
    "escape",  # a backslash that begins no escape
    "surrogate",  # an escaped surrogate without its partner
    "nonfinite",  # NaN or Infinity, with or without a sign
    "minus",  # a number with a sign
    "zero",  # a number with a leading zero
    "digits",  # a literal too long to be converted
    "fraction",  # a number with a fraction
    "exponent",  # a number with an exponent
    "range",  # an integer above the largest allowed
]

SPACE = re.compile(rb"[ \t\n\r]*+")
INTEGER = re.compile(rb"[0-9]++")
WORD = re.compile(rb"[A-Za-z0-9_]*+")
DELIMITER = re.compile(r"(?<=.)[\s,:\[\]{}]")
LITERALS: dict[bytes, None | bool] = {b"null": None, b"true": True, b"false": False}
NONFINITE = (b"NaN", b"Infinity", b"-Infinity", b"-NaN")
SHOWN = 40  # characters of a text that a fault repeats


class Limits(NamedTuple):
    """Bounds of a text, all inclusive.

    `size` in bytes; `depth` of open objects and arrays, the outermost being 1; `values` counts objects, arrays and
    scalars, not names; `digits` of one literal; `integer` is the largest, None where `digits` alone bound it.
    """

    size: int
    depth: int
    values: int
    digits: int
    integer: int | None


class Stop(Exception):
    """The first fault: its kind, its byte offset, what was found there and what was owed."""

    def __init__(self, kind: FaultKind, offset: int, found: str, owed: str) -> None:
        super().__init__(kind, offset, found, owed)
        self.kind: FaultKind = kind
        self.offset = offset
        self.found = found
        self.owed = owed


class Scanner:
    """A text, the place reached in it, and the number of values begun so far."""

    def __init__(self, text: bytes, limits: Limits) -> None:
        self.text = text
        self.limits = limits
        self.at = 0
        self.values = 0
        self._run: re.Pattern[bytes] | None = run_of(min(limits.digits, DIGITS))

    def byte(self) -> bytes:
        """The next byte that isn't white space, b"" at the end of the text; the place moves to it."""
        byte = self.text[self.at : self.at + 1]
        if byte.isspace():
            self.at = after(SPACE, self.text, self.at)
            byte = self.text[self.at : self.at + 1]
        return byte

    def count(self) -> None:
        """One more value begins here."""
        self.values += 1
        if self.values > self.limits.values:
            raise Stop("values", self.at, "one value more", f"at most {self.limits.values} values")

    def scalar(self, byte: bytes) -> None | bool | int | str:
        """Read the string, number or literal that begins with `byte`, which is the one at this place."""
        if byte == b'"':
            self.count()
            return self.string()
        if byte.isdigit():
            self.count()
            return self._number()
        return self._literal()

    def naturals(self) -> list[int]:
        """Read the numbers here that are followed by a comma, commas too: the bulk of a large array, at once.

        A run that breaks a bound is left to `scalar`, which finds where; it is the last one, so time stays linear.
        """
        if self._run is None:
            return []
        end = after(self._run, self.text, self.at)
        run = self.text[self.at : end]
        size = run.count(b",")
        if self.values + size > self.limits.values:
            self._run = None
            return []
        numbers = [*map(int, run.split(b",", size)[:size])]
        if self.limits.integer is not None and max(numbers, default=0) > self.limits.integer:
            self._run = None
            return []
        self.values += size
        self.at = end
        return numbers

    def string(self) -> str:
        """Read the string whose opening quote is at this place."""
        start = self.at + 1
        end = after(BODY, self.text, start)
        string = unquote(self.text[start:end])
        if isinstance(string, StringFault):
            found = "a lone surrogate" if string.kind == "surrogate" else "ill-formed UTF-8"
            raise Stop(string.kind, start + string.offset, found, "Unicode text")
        self.at = end
        closing = self.text[end : end + 1]
        if closing == b"":
            raise Stop("end", end, "the end of the text", "a closing quote")
        if closing == b"\\":
            raise Stop("escape", end, self.shown(), "an escape of RFC 8259")
        if closing != b'"':
            raise Stop("control", end, f"control character 0x{closing.hex()}", "an escape for it")
        self.at = end + 1
        return string

    def _number(self) -> int:
        """Read digits; every fault of a number lies at its first byte."""
        start, end = self.at, after(INTEGER, self.text, self.at)
        if end > start + 1 and self.text.startswith(b"0", start):
            raise Stop("zero", start, self.shown(), "no leading zero")
        if end - start > self.limits.digits:
            raise Stop("digits", start, f"{end - start} digits", f"at most {self.limits.digits}")
        if self.text.startswith(b".", end):
            raise Stop("fraction", start, self.shown(), "a natural in plain form")
        if self.text.startswith((b"e", b"E"), end):
            raise Stop("exponent", start, self.shown(), "a natural in plain form")
        number = natural(self.text[start:end])
        if self.limits.integer is not None and number > self.limits.integer:
            raise Stop("range", start, self.shown(), f"at most {self.limits.integer}")
        self.at = end
        return number

    def _literal(self) -> None | bool:
        end = after(WORD, self.text, self.at)
        word = self.text[self.at : end]
        if word in LITERALS:
            self.count()
            self.at = end
            return LITERALS[word]
        if self.text.startswith(NONFINITE, self.at):
            raise Stop("nonfinite", self.at, self.shown(), "a finite number")
        if self.text.startswith(b"-", self.at):
            raise Stop("minus", self.at, self.shown(), "a number without a sign")
        raise self.unexpected("a value")

    def unexpected(self, owed: str) -> Stop:
        """The fault of a byte that can't stand at this place, or begins no character, or of the text's end."""
        if self.at == len(self.text):
            return Stop("end", self.at, "the end of the text", owed)
        try:
            self.text[self.at : self.at + 4].decode("utf-8")
        except UnicodeDecodeError as error:
            if error.start == 0:
                return Stop("utf8", self.at, "ill-formed UTF-8", "Unicode text")
        return Stop("syntax", self.at, self.shown(), owed)

    def shown(self) -> str:
        """The text at this place up to the next delimiter, in short."""
        rest = self.text[self.at : self.at + 4 * SHOWN].decode("utf-8", "replace")
        return repr(cut(DELIMITER.split(rest, maxsplit=1)[0]))


@lru_cache
def run_of(digits: int) -> re.Pattern[bytes]:
    """Naturals of at most so many digits (at least 1), each with its comma."""
    return re.compile(rb"(?:[ \t\n\r]*+(?:0|[1-9][0-9]{0,%d}+)[ \t\n\r]*+,)++" % (digits - 1))


def after(pattern: re.Pattern[bytes], text: bytes, start: int) -> int:
    """Where the match of a pattern that is tried at `start` ends; `start` when there is none."""
    match = pattern.match(text, start)
    return match.end() if match else start


def cut(text: str) -> str:
    """A text in at most SHOWN characters."""
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."
