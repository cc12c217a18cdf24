"""One scalar of a JSON state: the natural that is its word, or the array of its two parts."""

from __future__ import annotations

from bitproof_spec.composite import ComplexOf
from bitproof_spec.encoding import Binary, Encoding
from bitproof_spec.findings import Findings
from bitproof_spec.strict_json import JsonValue
from bitproof_spec.torchlean.encodings import StateEncoding
from bitproof_spec.torchlean.json_faults import kind
from bitproof_spec.torchlean.text_layout import Printed


def printed(encoding: Encoding[object], word: bytes) -> Printed:
    """The JSON form of a word that the encoding takes."""
    part = part_of(encoding)
    if part is None:
        return int.from_bytes(word, "little")
    return [printed(part, word[: part.width]), printed(part, word[part.width :])]


def read(encoding: Encoding[object], value: JsonValue, findings: Findings, where: str) -> bytes:
    """The word of a JSON scalar; what is wrong with it becomes a finding, and the word zero."""
    part = part_of(encoding)
    if part is not None:
        if not isinstance(value, tuple) or len(value) != 2:
            findings.add("TLJ-SCA-01", where, kind(value), "an array of exactly two parts")
            return bytes(encoding.width)
        return b"".join(read(part, item, findings, f"{where}/{i}") for i, item in enumerate(value))
    if not isinstance(value, int) or isinstance(value, bool):
        findings.add("TLJ-SCA-01", where, kind(value), "a natural number")
        return bytes(encoding.width)
    return _word(encoding, value, findings, where)


def part_of(encoding: Encoding[object]) -> Encoding[object] | None:
    """The encoding of a complex number's parts, None for a real one."""
    words = encoding.words if isinstance(encoding, StateEncoding) else encoding
    return words.part if isinstance(words, ComplexOf) else None


def _word(encoding: Encoding[object], value: int, findings: Findings, where: str) -> bytes:
    words = encoding.words if isinstance(encoding, StateEncoding) else encoding
    assert isinstance(words, Binary)  # the only encoding of a real scalar here
    bits = words.format.bits
    if not findings.owe(value >> bits == 0, "TLJ-SCA-02", where, kind(value), f"a word of {bits} bits"):
        return bytes(encoding.width)
    word = (value & (1 << bits) - 1).to_bytes(encoding.width, "little")
    if isinstance(encoding, StateEncoding) and encoding.alters(word):
        findings.add("TLJ-NAN-01", where, f"the NaN {value:#x}", f"{encoding.nan:#x}, the only NaN of a native float")
    return word
