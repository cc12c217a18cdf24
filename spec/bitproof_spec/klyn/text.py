"""The manifest as text: strict JSON, and the clause that each of its faults breaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from bitproof_spec.findings import Findings
from bitproof_spec.klyn.constants import DEPTH_LIMIT, HEADER_SIZE, INTEGER_LIMIT, VALUES_LIMIT
from bitproof_spec.klyn.header import span
from bitproof_spec.strict_json import FaultKind, JsonFault, JsonValue, Limits, parse

CLAUSE: Mapping[FaultKind, str] = {
    "size": "KNN-HDR-06",
    "empty": "KNN-TXT-01",
    "syntax": "KNN-TXT-01",
    "end": "KNN-TXT-01",
    "trailing": "KNN-TXT-01",
    "control": "KNN-TXT-01",
    "escape": "KNN-TXT-01",
    "nonfinite": "KNN-TXT-01",
    "bom": "KNN-TXT-02",
    "utf8": "KNN-TXT-03",
    "duplicate": "KNN-TXT-04",
    "surrogate": "KNN-TXT-05",
    "minus": "KNN-TXT-06",
    "zero": "KNN-TXT-06",
    "fraction": "KNN-TXT-06",
    "exponent": "KNN-TXT-06",
    "digits": "KNN-TXT-07",
    "range": "KNN-TXT-07",
    "depth": "KNN-TXT-08",
    "values": "KNN-TXT-09",
}
DIGITS_LIMIT = len(str(INTEGER_LIMIT))


def limits(text: bytes) -> Limits:
    """The bounds of a manifest; its size has been judged with the header."""
    return Limits(len(text), DEPTH_LIMIT, VALUES_LIMIT, DIGITS_LIMIT, INTEGER_LIMIT)


def judge_text(text: bytes, findings: Findings) -> JsonValue:
    """Gate 3: the value that a manifest is. A text has one finding, its first fault."""
    value = parse(text, limits(text))
    if not isinstance(value, JsonFault):
        return value
    start = HEADER_SIZE + value.offset
    found = f"{value.found} in {value.pointer}" if value.pointer else value.found
    held = findings.add(CLAUSE[value.kind], span(start, start + 1), found, value.owed)
    return forgiving(text) if held else {}


def forgiving(text: bytes) -> JsonValue:
    """What a common lenient reader makes of a text: the judge goes on with it where the broken rule is switched off.

    Numbers that are no naturals lose their sign, or become 0 or null.
    """
    import json  # here: an ordinary judge never comes here, and a check starts sooner without it

    try:
        return _frozen(
            json.loads(
                text.decode("utf-8-sig", "replace"),
                parse_int=lambda digits: abs(int(digits)),
                parse_float=lambda _: 0,
                parse_constant=lambda _: None,
            )
        )
    except (ValueError, RecursionError):
        return {}


def _frozen(value: object) -> JsonValue:
    """Arrays as tuples."""
    if isinstance(value, dict):
        return {str(name): _frozen(item) for name, item in value.items()}
    if isinstance(value, list):
        return tuple(_frozen(item) for item in value)
    return cast("JsonValue", value)
