"""Kinds of manifest members: each judges one JSON value and gives the value that it stands for."""

from __future__ import annotations

import re

from bitproof_spec.encoding import Binary64
from bitproof_spec.findings import Findings
from bitproof_spec.klyn.constants import ACTIVATIONS, NAME_PATTERN, PADDINGS, RANK_LIMIT
from bitproof_spec.klyn.members import Kind, shown, typed
from bitproof_spec.klyn.reals import HEX_WORD, MINUS_ZERO, Range, is_finite, within
from bitproof_spec.strict_json import JsonValue

NAME = re.compile(NAME_PATTERN)
HEX_DIGEST = re.compile("[0-9a-f]{64}")


def natural(default: int) -> Kind[int]:
    """An integer; the text has bounded it to 0 … 2^53-1."""

    def read(findings: Findings, where: str, value: JsonValue) -> int:
        return typed(findings, where, value, int, default, "an integer")

    return Kind(read, default)


def extent(findings: Findings, where: str, value: JsonValue) -> int:
    """An integer of at least 1."""
    number = typed(findings, where, value, int, 1, "an integer")
    findings.owe(number >= 1, "KNN-MEM-12", where, number, "at least 1")
    return max(number, 1)


def pair(findings: Findings, where: str, value: JsonValue) -> tuple[int, int]:
    """Two extents."""
    items = typed(findings, where, value, tuple, (1, 1), "an array of 2 integers")
    if len(items) != 2:
        findings.add("KNN-MEM-13", where, f"{len(items)} elements", "2")
        return (1, 1)
    return (extent(findings, f"{where}/0", items[0]), extent(findings, f"{where}/1", items[1]))


def shape(findings: Findings, where: str, value: JsonValue) -> tuple[int, ...]:
    """Extents of at least 0, at most 32 of them; an over-long list is one finding."""
    items = typed(findings, where, value, tuple, (), "an array of integers")
    if len(items) > RANK_LIMIT:
        findings.add("KNN-MEM-11", where, f"rank {len(items)}", f"at most {RANK_LIMIT}")
        return (1,)
    return tuple(NATURAL.read(findings, f"{where}/{index}", item) for index, item in enumerate(items))


def input_shape(findings: Findings, where: str, value: JsonValue) -> tuple[int, ...]:
    """A shape of rank 1 at least."""
    extents = shape(findings, where, value)
    if extents or value != ():
        return extents or (1,)
    findings.add("KNN-MEM-10", where, "rank 0", "at least 1")
    return (1,)


def flag(findings: Findings, where: str, value: JsonValue) -> bool:
    """true or false."""
    return typed(findings, where, value, bool, False, "true or false")


def string(findings: Findings, where: str, value: JsonValue) -> str:
    """Any string."""
    return typed(findings, where, value, str, "", "a string")


def name(findings: Findings, where: str, value: JsonValue) -> str:
    """The name of a stage."""
    text = typed(findings, where, value, str, "x", "a string")
    findings.owe(NAME.fullmatch(text) is not None, "KNN-MEM-09", where, shown(text), NAME_PATTERN)
    return text


def choice(rule: str, options: tuple[str, ...]) -> Kind[str]:
    """One of some strings, as `rule` owes it."""

    def read(findings: Findings, where: str, value: JsonValue) -> str:
        text = typed(findings, where, value, str, options[0], "a string")
        if text in options:
            return text
        findings.add(rule, where, shown(text), " or ".join(options))
        return options[0]

    return Kind(read, options[0])


def word(findings: Findings, where: str, value: JsonValue) -> Binary64 | None:
    """A finite real that is not -0, by its binary64 word; None when it is none."""
    text = typed(findings, where, value, str, "", "a string of 16 hex digits")
    if HEX_WORD.fullmatch(text) is None:
        if isinstance(value, str):
            findings.add("KNN-REA-01", where, shown(text), "16 lower-case hex digits")
        return None
    bits = int(text, 16)
    findings.owe(is_finite(bits), "KNN-REA-02", where, text, "a finite number")
    findings.owe(bits != MINUS_ZERO, "KNN-REA-03", where, "-0", "+0")
    return Binary64(bits) if is_finite(bits) else None


def real(range: Range) -> Kind[Binary64]:
    """A real in a range."""

    def read(findings: Findings, where: str, value: JsonValue) -> Binary64:
        bits = word(findings, where, value)
        if bits is None:
            return Binary64(range.least)
        findings.owe(within(bits, range), range.rule, where, f"{bits:016x}", range.owed)
        return bits

    return Kind(read, Binary64(range.least))


def digest(rule: str) -> Kind[bytes]:
    """64 lower-case hex digits, as `rule` owes them: the 32 bytes, first byte first."""

    def read(findings: Findings, where: str, value: JsonValue) -> bytes:
        text = typed(findings, where, value, str, "0" * 64, "a string of 64 hex digits")
        if HEX_DIGEST.fullmatch(text) is not None:
            return bytes.fromhex(text)
        findings.add(rule, where, shown(text), "64 lower-case hex digits")
        return bytes(32)

    return Kind(read, bytes(32))


NATURAL = natural(0)
EXTENT = Kind(extent, 1)
PAIR = Kind(pair, (1, 1))
SHAPE: Kind[tuple[int, ...]] = Kind(shape, ())
INPUT_SHAPE: Kind[tuple[int, ...]] = Kind(input_shape, (1,))
FLAG = Kind(flag, False)
STRING = Kind(string, "")
STAGE_NAME = Kind(name, "x")
PADDING = choice("KNN-MEM-14", PADDINGS)
ACTIVATION = choice("KNN-MEM-15", ACTIVATIONS)
