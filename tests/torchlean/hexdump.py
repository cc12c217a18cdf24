"""Whole files in hex, field by field, as `spec/torchlean.md` prints them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bitproof.check.registry import Tools
from bitproof.check.torchlean import STREAMED_TOOLS
from bitproof.check.torchlean_optimizer import OPTIMIZER_TOOLS
from bitproof_spec.format import OfBytes, encode
from bitproof_spec.torchlean.optimizer_document import ADAMW, Config, Entry, OptimizerState, SlotSchema
from bitproof_spec.torchlean.streamed import Tensors
from bitproof_spec.violations import Violations
from tests.klyn.hexdump import lines_of
from tests.torchlean.builders import block32

STREAM = Tensors((block32((2,), [0x3F800000, 0xC0200000]), block32((), [0x7F800001])))
STATE = OptimizerState(
    4,
    Config(ADAMW, 0x3FECCCCCCCCCCCCD, 0x3FEFF7CED916872B, 0x3E45798EE2308C3A, 0x3F847AE147AE147B),
    5,
    (SlotSchema((2,), True, 0), SlotSchema((), False, None), SlotSchema((2,), True, 0)),
    (Entry(0, 7, block32((2,), [0x3E800000, 0xBF000000]), block32((2,), [0x3FC00000, 0x40000000])),),
)


def dumps() -> Iterator[str]:
    """The stream's dump, then the optimizer state's."""
    yield dump(STREAMED_TOOLS, STREAM)
    yield dump(OPTIMIZER_TOOLS, STATE)


def dump(tools: Tools[Any], document: object) -> str:
    """Each region of a document's file: its clause, what it is, its offset and bytes."""
    format = tools.format(None)
    file = encode(format, document)
    judged = format.judge(OfBytes(file))
    assert not isinstance(judged, Violations)
    lines: list[str] = []
    for region in tools.regions(judged, OfBytes(file)):
        title = f"{region.clause}  {region.what}"
        lines += lines_of(region.start, file[region.start : region.end], title, text=False)
    return "\n".join(lines)
