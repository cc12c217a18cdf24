"""The tokens of strict JSON that carry content, strings and naturals: each reader beside the writer that mirrors it.

Every expression is possessive, so it never backtracks: time is linear in the text and memory doesn't grow with the
number of repetitions. Strings are found in bytes and decoded after, so that offsets are offsets in the file.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

# The inside of a string up to its closing quote, or to the first byte that may not stand there.
BODY = re.compile(rb'[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+')
# The inside of a string up to the first escaped surrogate without its partner.
PAIRED = re.compile(rb"(?:[^\\]++|\\[^u]|\\u(?:[^dD]|[dD][0-7])|\\u[dD][89abAB]..\\u[dD][c-fC-F]..)*+", re.DOTALL)
UNITS = re.compile(r"(?:\\u[0-9a-fA-F]{4})++")
QUOTED = re.compile(r'["\\\x00-\x1f]')
DIGITS = 512  # converted at once; the interpreter's own limit on digits is never set below 640

SHORT = {'"': '"', "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
ESCAPES = {chr(code): f"\\u{code:04x}" for code in range(32)} | {
    char: f"\\{letter}" for letter, char in [*SHORT.items(), ("\\", "\\")] if letter != "/"
}
BACKSLASH = "\ud800"  # stands for an escaped backslash while others are replaced; no decoded text holds a surrogate


class StringFault(NamedTuple):
    """The lowest fault inside a string: ill-formed UTF-8 or an escaped surrogate without its partner."""

    kind: Literal["utf8", "surrogate"]
    offset: int


def unquote(body: bytes) -> str | StringFault:
    """The string whose inside, quotes left off, is `body`, a whole match of BODY; its lowest fault otherwise.

    Surrogate pairs become one character (RFC 8259, section 7); overlong forms, surrogates and code points beyond
    U+10FFFF are ill-formed UTF-8 (RFC 3629).
    """
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        lone = unpaired(body[: error.start])
        return StringFault("utf8", error.start) if lone is None else StringFault("surrogate", lone)
    if "\\" not in text:
        return text
    lone = unpaired(body)
    return unescape(text) if lone is None else StringFault("surrogate", lone)


def unpaired(body: bytes) -> int | None:
    """The offset of the first escaped surrogate that has no partner, None when there is none."""
    match = PAIRED.match(body)
    end = match.end() if match else 0
    return end if end < len(body) else None


def unescape(text: str) -> str:
    """Escapes replaced, each kind in one pass; `text` is well formed and its surrogates are paired."""
    text = text.replace("\\\\", BACKSLASH)
    for letter, char in SHORT.items():
        text = text.replace("\\" + letter, char)
    text = UNITS.sub(lambda run: bytes.fromhex(run[0].replace("\\u", "")).decode("utf-16-be"), text)
    return text.replace(BACKSLASH, "\\")


def quote(text: str) -> bytes:
    """The one canonical string of RFC 8785, section 3.2.2.2: short escapes, lower-case hex for other controls.

    ValueError for a lone surrogate, which no UTF-8 text can hold.
    """
    try:
        return f'"{QUOTED.sub(lambda char: ESCAPES[char[0]], text)}"'.encode()
    except UnicodeEncodeError:
        raise ValueError(f"a lone surrogate in {text[:40]!r}") from None


def natural(digits: bytes) -> int:
    """The number that decimal digits write, however many: the interpreter's limit on digits doesn't apply."""
    if len(digits) <= DIGITS:
        return int(digits)
    low = len(digits) // 2
    scale: int = 10**low
    return natural(digits[:-low]) * scale + natural(digits[-low:])


def decimal(number: int) -> str:
    """The decimal digits of a natural, without leading zeros, however many; ValueError for a negative number."""
    if number < 0:
        raise ValueError(f"{number} is no natural")
    if number.bit_length() <= 3 * DIGITS:
        return str(number)
    low = number.bit_length() // 7  # about half of the digits: 10**low has 3.3 * low bits
    high, rest = divmod(number, 10**low)
    return decimal(high) + decimal(rest).rjust(low, "0")
