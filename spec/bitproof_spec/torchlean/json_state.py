"""The exact JSON state of any scalar: words as decimal naturals, under the tag of their encoding.

    {"format": tag, "state": [{"shape": [n, …], "values": [scalar, …]}, …]}

The writer prints as the real one does (`text_layout`), keys in descending order; the reader takes any order and
white space. Normative document: spec/torchlean.md, clauses TLJ-….
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bitproof_spec.document import Block, Leaf
from bitproof_spec.findings import Findings, counted
from bitproof_spec.format import Segment, View
from bitproof_spec.strict_json import JsonFault, JsonValue, Limits, parse
from bitproof_spec.torchlean import json_faults, scalars_json
from bitproof_spec.torchlean.encodings import OLD_TAG, StateEncoding, Words, encoding_of
from bitproof_spec.torchlean.framing import RANK_LIMIT, product
from bitproof_spec.torchlean.text_layout import Printed, layout
from bitproof_spec.violations import Violations

DEPTH_LIMIT = 32
DIGITS_LIMIT = 4096
MEMBERS = ("state", "format")
TENSOR_MEMBERS = ("values", "shape")


@dataclass(frozen=True)
class JsonState:
    """A state of one scalar: the tag of its encoding, and blocks in state order, each word padded to whole bytes."""

    tag: str
    blocks: tuple[Block, ...]

    def leaves(self) -> Mapping[str, Leaf]:
        """The tag, the number of tensors, then each block by its position from 0."""
        return {
            "format": self.tag,
            "tensors": len(self.blocks),
            **{f"tensor {i}": b for i, b in enumerate(self.blocks)},
        }


@dataclass(frozen=True)
class JsonFormat:
    """The JSON state format. `max_bytes` bounds the sum of the tensors' bytes as words, inclusive."""

    max_bytes: int | None = None
    without: frozenset[str] = frozenset()

    name = "tljson"
    canonical = False

    def segments(self, document: JsonState, /) -> Iterator[Segment]:
        """The whole text; ValueError for an unknown tag or a word that isn't the encoding's, tensor and index named."""
        encoding = encoding_of(document.tag)
        if encoding is None:
            raise ValueError(f"{document.tag!r} is no tag of a JSON state")
        tensors = [_printed(encoding, block, index) for index, block in enumerate(document.blocks)]
        members: Mapping[str, Printed] = {"state": tensors, "format": document.tag}
        yield Segment("TLJ-TXT-01", layout(members).encode("ascii"))

    def judge(self, view: View, /) -> JsonState | Violations:
        """Text, top level, tag, then every tensor: object, keys, shape, values, scalars, count."""
        findings = Findings(self.without)
        text = view.look("TLJ-TXT-01", 0, view.size)
        value = parse(text, Limits(view.size, DEPTH_LIMIT, max(view.size, 1), DIGITS_LIMIT, None))
        if isinstance(value, JsonFault):
            json_faults.report(value, findings)
            return findings.verdict() or JsonState("", ())
        encoding = _header(value, findings)
        if encoding is None or not isinstance(value, dict):
            return findings.verdict() or JsonState("", ())
        state = value.get("state", ())
        total = encoding.width * sum(map(_elements, state)) if isinstance(state, tuple) else 0
        over = self.max_bytes is not None and total > self.max_bytes
        if not findings.owe(not over, "TLJ-MAX-01", "/state", counted(total, "byte"), f"at most {self.max_bytes}"):
            return findings.verdict() or JsonState("", ())
        blocks = _tensors(encoding, state, findings)
        return findings.verdict() or JsonState(encoding.tag, blocks)


TLJSON = JsonFormat()


def _printed(encoding: StateEncoding[object], block: Block, tensor: int) -> Printed:
    if block.tag != encoding.storage or len(block.data) != encoding.width * product(block.shape):
        found = f"{block.tag}{list(block.shape)} of {len(block.data)} bytes"
        raise ValueError(f"tensor {tensor}: {found} in a state of {encoding.tag}")
    try:
        values = scalars_json.printed(encoding.parts, bytes(block.data))
    except ValueError as error:
        raise ValueError(f"tensor {tensor}, {error}") from None
    return {"values": values, "shape": block.shape}


def _elements(item: JsonValue) -> int:
    """The number of values that a tensor states."""
    values = item.get("values") if isinstance(item, dict) else None
    return len(values) if isinstance(values, tuple) else 0


def _header(value: JsonValue, findings: Findings) -> StateEncoding[object] | None:
    """The encoding that the top level names; None where the reading can't go on."""
    if not isinstance(value, dict):
        findings.add("TLJ-TOP-01", "/", json_faults.kind(value), "an object")
        return None
    members(value, MEMBERS, "TLJ-TOP-02", "", findings)
    if "format" not in value:
        return None
    tag = value["format"]
    if tag == OLD_TAG:
        advice = "a state of this version: load it with the TorchLean that wrote it and save it again"
        findings.add("TLJ-OLD-01", "/format", f"the old family {OLD_TAG}", advice)
        return None
    encoding = encoding_of(tag) if isinstance(tag, str) else None
    if encoding is None:
        findings.add("TLJ-TAG-01", "/format", json_faults.kind(tag), "the tag of an encoding")
    return encoding


def members(value: Mapping[str, JsonValue], owed: Sequence[str], rule: str, where: str, findings: Findings) -> None:
    """Both members there and no others: missing ones first, then the unknown in file order."""
    for name in owed:
        findings.owe(name in value, rule, f"{where}/{name}", "no such member", "required")
    for name in value:
        findings.owe(name in owed, rule, f"{where}/{json_faults.pointer(name)}", "an unknown member", "none other")


def _tensors(encoding: StateEncoding[object], state: JsonValue, findings: Findings) -> tuple[Block, ...]:
    if not isinstance(state, tuple):
        findings.add("TLJ-STA-01", "/state", json_faults.kind(state), "an array")
        return ()
    of = encoding.parts
    return tuple(Block(encoding.storage, *_tensor(of, item, findings, f"/state/{i}")) for i, item in enumerate(state))


def _tensor(of: Words, item: JsonValue, findings: Findings, where: str) -> tuple[tuple[int, ...], bytes]:
    """Shape and words; whatever they are where a finding was made."""
    if not isinstance(item, dict):
        findings.add("TLJ-TEN-01", where, json_faults.kind(item), "an object")
        return (), b""
    members(item, TENSOR_MEMBERS, "TLJ-TEN-02", where, findings)
    shape = _shape(item["shape"], findings, f"{where}/shape") if "shape" in item else None
    values = item.get("values", ())
    if not isinstance(values, tuple):
        findings.add("TLJ-VAL-01", f"{where}/values", json_faults.kind(values), "an array")
        return (), b""
    data = scalars_json.read(of, values, findings, f"{where}/values")
    if shape is not None and "values" in item:
        owed = product(shape)
        findings.owe(len(values) == owed, "TLJ-CNT-01", f"{where}/values", counted(len(values), "value"), f"{owed}")
    return shape or (), data


def _shape(value: JsonValue, findings: Findings, where: str) -> tuple[int, ...] | None:
    """The extents; None where they are no shape."""
    if not isinstance(value, tuple):
        findings.add("TLJ-SHP-01", where, json_faults.kind(value), "an array")
        return None
    if not findings.owe(len(value) <= RANK_LIMIT, "TLJ-SHP-02", where, f"rank {len(value)}", f"at most {RANK_LIMIT}"):
        return None
    for i, extent in enumerate(value):
        natural = isinstance(extent, int) and not isinstance(extent, bool)
        findings.owe(natural, "TLJ-SHP-01", f"{where}/{i}", json_faults.kind(extent), "a natural number")
    extents = tuple(n for n in value if isinstance(n, int) and not isinstance(n, bool))
    return extents if len(extents) == len(value) else None
