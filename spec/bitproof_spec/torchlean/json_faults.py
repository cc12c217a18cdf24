"""Faults of JSON text as findings of a JSON state, and short forms of what was found."""

from __future__ import annotations

from collections.abc import Mapping

from bitproof_spec.findings import Findings
from bitproof_spec.strict_json import FaultKind, JsonFault, JsonValue

RULE_OF: Mapping[FaultKind, str] = {
    "size": "TLJ-TXT-01",
    "empty": "TLJ-TXT-01",
    "syntax": "TLJ-TXT-01",
    "end": "TLJ-TXT-01",
    "trailing": "TLJ-TXT-01",
    "control": "TLJ-TXT-01",
    "escape": "TLJ-TXT-01",
    "nonfinite": "TLJ-TXT-01",
    "bom": "TLJ-TXT-02",
    "utf8": "TLJ-TXT-02",
    "surrogate": "TLJ-TXT-02",
    "duplicate": "TLJ-TXT-03",
    "minus": "TLJ-TXT-04",
    "zero": "TLJ-TXT-04",
    "fraction": "TLJ-TXT-04",
    "exponent": "TLJ-TXT-04",
    "digits": "TLJ-TXT-05",
    "range": "TLJ-TXT-05",
    "depth": "TLJ-TXT-05",
    "values": "TLJ-TXT-05",
}


def report(fault: JsonFault, findings: Findings) -> None:
    """Record the first fault of a text under its rule, at its byte."""
    where = f"{fault.offset:#x}..{fault.offset + 1:#x}"
    findings.add(RULE_OF[fault.kind], where, fault.found, fault.owed)


def kind(value: JsonValue) -> str:
    """What a value is, in a few characters; a long number by its size, since printing it would cost its square."""
    match value:
        case bool() | None:
            return {True: "true", False: "false", None: "null"}[value]
        case int():
            return str(value) if value < 2**80 else f"a number of {value.bit_length()} bits"
        case str():
            return ascii(value) if len(value) <= 60 else ascii(value[:57]) + "…"
        case tuple():
            return f"an array of {len(value)}"
        case _:
            return f"an object of {len(value)}"


def pointer(name: str) -> str:
    """A member's name as a part of a JSON pointer (RFC 6901), in ASCII, long ones cut."""
    return ascii(name[:60].replace("~", "~0").replace("/", "~1"))[1:-1]
