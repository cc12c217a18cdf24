"""A list of values in one zip by torch.save; what loads it is the weights-only reader, once every CRC is right."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Iterator, Mapping

import torch

from bitproof.tensors import block_of, tensor_of
from bitproof_spec.document import Block
from bitproof_spec.format import Segment, View
from bitproof_spec.violations import Violation, Violations
from tests.core.instances.values_document import FloatValue, ModelValue, OptimizerValue, Value, Values

FORMAT = {"format": "values.checkpoint", "version": 1}
LOOK = 2**16


class ValuesFormat:
    name = "shapescript-like"
    canonical = False  # the zip says more than the values do

    def segments(self, document: Values, /) -> Iterator[Segment]:
        file = io.BytesIO()
        torch.save({**FORMAT, "values": list(map(_row, document.values))}, file)
        yield Segment("VAL-FILE", file.getvalue())

    def judge(self, view: View, /) -> Values | Violations:
        file = b"".join(view.look("VAL-FILE", at, min(LOOK, view.size - at)) for at in range(0, view.size, LOOK))
        try:
            return Values(tuple(map(_value, _rows(file))))
        except Exception as error:  # neither zipfile nor torch has a closed set of errors for bytes they can't read
            found = f"{type(error).__name__}: {error}"
            return Violations((Violation("VAL-FILE", f"0x0..{view.size:#x}", found, "a file that save wrote"),))


VALUES = ValuesFormat()


def _rows(file: bytes) -> list[object]:
    """The rows of a file that is a whole zip of one checkpoint; any exception when it isn't."""
    with zipfile.ZipFile(io.BytesIO(file)) as records:
        damaged = records.testzip()
    if damaged is not None:
        raise ValueError(f"record {damaged} has another CRC")
    content = torch.load(io.BytesIO(file), weights_only=True, map_location="cpu")
    match content:
        case {"format": "values.checkpoint", "version": 1, "values": list(rows), **rest} if not rest:
            return rows
    raise ValueError("another dict")


def _row(value: Value) -> Mapping[str, object]:
    match value:
        case ModelValue(type, fields):
            return {"kind": "model", "type": type, "tensors": _tensors(fields)}
        case OptimizerValue(type, rate, updates, moments):
            numbers = {"rate": float_of(rate), "updates": updates}
            return {"kind": "optimizer", "type": type, **numbers, "tensors": _tensors(moments)}
        case FloatValue(word):
            return {"kind": "float", "value": float_of(word)}
        case bool():
            return {"kind": "bool", "value": value}
        case int():
            return {"kind": "int", "value": value}


def _value(row: object) -> Value:
    """The value of a row; ValueError or KeyError for any row that `_row` doesn't make."""
    match row:
        case {"kind": "model", "type": str(type), "tensors": dict(tensors), **rest} if not rest:
            return ModelValue(type, _blocks(tensors))
        case {
            "kind": "optimizer",
            "type": str(type),
            "rate": float(rate),
            "updates": int(updates),
            "tensors": dict(tensors),
            **rest,
        } if not rest and not isinstance(updates, bool):
            return OptimizerValue(type, word_of(rate), updates, _blocks(tensors))
        case {"kind": "float", "value": float(value), **rest} if not rest:
            return FloatValue(word_of(value))
        case {"kind": "bool", "value": bool(value), **rest} if not rest:
            return value
        case {"kind": "int", "value": int(value), **rest} if not rest and not isinstance(value, bool):
            return value
    raise ValueError("a row of no known kind")


def _tensors(blocks: tuple[tuple[str, Block], ...]) -> dict[str, torch.Tensor]:
    return {name: tensor_of(block) for name, block in blocks}


def _blocks(tensors: Mapping[object, object]) -> tuple[tuple[str, Block], ...]:
    if not all(isinstance(name, str) and isinstance(tensor, torch.Tensor) for name, tensor in tensors.items()):
        raise ValueError("tensors by other than names")
    return tuple((str(name), block_of(tensor)) for name, tensor in tensors.items() if isinstance(tensor, torch.Tensor))


def word_of(value: float) -> int:
    """The word of a binary64, NaN payloads as they are."""
    return int.from_bytes(struct.pack("<d", value), "little")


def float_of(word: int) -> float:
    """The binary64 of a word."""
    return float(struct.unpack("<d", word.to_bytes(8, "little"))[0])
