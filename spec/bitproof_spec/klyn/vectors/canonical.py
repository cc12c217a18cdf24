"""Vectors of the band canonical text: other spellings of one manifest, all valid, with advice."""

from __future__ import annotations

import json
from collections.abc import Iterator

from bitproof_spec.document import first_difference
from bitproof_spec.klyn.constants import HEADER_SIZE
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.header import span
from bitproof_spec.klyn.vectors.building import ABSENT, edited, manifest, text, valid, with_text
from bitproof_spec.klyn.vectors.models import HALF_ADAM, NONE, PLAIN
from bitproof_spec.strict_json import JsonValue
from bitproof_spec.vectors import Vector

AREA = "canonical"


def spellings() -> Iterator[Vector]:
    """White space, order and escapes are free; a loss left out means the first."""
    plain = text(PLAIN)
    escaped = plain.replace(b'"dense_1"', b'"d\\u0065ns\\u0065_1"').replace(b"dense_1/bias", b"dense_1\\/bias")
    yield _other("escapes", PLAIN, escaped)
    yield _other("white-space", PLAIN, plain.replace(b":", b" \t:\r\n ").replace(b"}", b"\n}"))
    yield _other("surrounded", NONE, b"\n\n" + text(NONE) + b" \t\r\n")
    yield _other("indented", HALF_ADAM, json.dumps(manifest(HALF_ADAM), indent=2).encode())
    yield _other("reversed", HALF_ADAM, json.dumps(_reversed(manifest(HALF_ADAM)), separators=(",", ":")).encode())
    effect = "An old classification file is refused."
    old = edited(HALF_ADAM, {"/training/loss": ABSENT})
    vector = valid(AREA, "loss-absent", "KNN-ADV-02 KNN-MEM-02", HALF_ADAM, effect, old)
    yield vector._replace(findings=(("KNN-ADV-02", "/training/loss"),))


def _other(name: str, document: Checkpoint, text_given: bytes) -> Vector:
    """A file whose manifest is another text of the same value."""
    at = first_difference(text_given, text(document))
    start = HEADER_SIZE + (0 if at is None else at)
    effect = "A text that isn't canonical is refused, or read as something else."
    vector = valid(AREA, name, "KNN-ADV-01 KNN-TXT-01", document, effect, with_text(document, text_given))
    return vector._replace(findings=(("KNN-ADV-01", span(start, start + 1)),))


def _reversed(value: JsonValue) -> JsonValue:
    """Every object's members in reversed order."""
    if isinstance(value, dict):
        return {name: _reversed(item) for name, item in reversed(value.items())}
    return tuple(_reversed(item) for item in value) if isinstance(value, tuple) else value
