"""The scalars of a JSON state: the natural that is a real one's word, or the array of a complex one's two parts.

The parts of complex words lie one after the other, so all words of a block are words of one binary format.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bitproof_spec.findings import Findings
from bitproof_spec.strict_json import JsonValue
from bitproof_spec.torchlean.encodings import Words
from bitproof_spec.torchlean.json_faults import kind
from bitproof_spec.torchlean.text_layout import Printed


def printed(of: Words, data: bytes) -> Sequence[Printed]:
    """The JSON form of all words of a block; ValueError, naming the index, for one that isn't the encoding's."""
    width = of.width
    words = [int.from_bytes(data[at : at + width], "little") for at in range(0, len(data), width)]
    if not all(map(of.takes, words)):
        index = next(index for index, word in enumerate(words) if not of.takes(word))
        raise ValueError(f"index {index >> of.levels}: {words[index]:0{2 * width}x} is no value of the encoding")
    values: Sequence[Printed] = words
    for _ in range(of.levels):
        values = [*zip(values[::2], values[1::2], strict=True)]
    return values


def read(of: Words, values: Sequence[JsonValue], findings: Findings, where: str) -> bytes:
    """The words of an array of scalars; what is wrong with one becomes a finding and leaves its word out."""
    width = of.width
    whole = [value for value in values if type(value) is int and of.takes(value)]  # a bool is no number
    if len(whole) < len(values) or of.levels:  # not all are plain words, so each is looked at by itself
        places = ((value, f"{where}/{index}") for index, value in enumerate(values))
        whole = [word for value, place in places for word in _words(of, value, findings, place, of.levels)]
    return b"".join(word.to_bytes(width, "little") for word in whole)


def _words(of: Words, value: JsonValue, findings: Findings, where: str, levels: int) -> Iterator[int]:
    """The words of one scalar that are right."""
    if levels:
        if isinstance(value, tuple) and len(value) == 2:
            for index, part in enumerate(value):
                yield from _words(of, part, findings, f"{where}/{index}", levels - 1)
        else:
            findings.add("TLJ-SCA-01", where, kind(value), "an array of exactly two parts")
    elif not isinstance(value, int) or isinstance(value, bool):
        findings.add("TLJ-SCA-01", where, kind(value), "a natural number")
    elif findings.owe(value >> of.format.bits == 0, "TLJ-SCA-02", where, kind(value), f"{of.format.bits} bits"):
        word = value % (1 << of.format.bits)  # the same, unless the rule is switched off
        owed = f"{of.nan:#x}, the only NaN of a native float" if of.nan else ""
        if findings.owe(not of.alters(word), "TLJ-NAN-01", where, f"the NaN {word:#x}", owed):
            yield word
