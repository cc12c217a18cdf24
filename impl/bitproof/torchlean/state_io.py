"""Bytes and device transfers of a module's state: captured for a file, staged from one, installed in one step.

A load stages every tensor from one pass over one open file and then swaps: all or nothing, and nothing of another
file can mix in. A save holds one tensor in host memory at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, overload

import torch

from bitproof import tensors
from bitproof.torchlean.params import ParamList
from bitproof.torchlean.widening import inexact, narrowed, widened
from bitproof_spec.document import Block, words
from bitproof_spec.findings import Findings
from bitproof_spec.target import Commit
from bitproof_spec.torchlean.encodings import FLOAT
from bitproof_spec.torchlean.json_state import JsonState
from bitproof_spec.torchlean.streamed import Tensors
from bitproof_spec.violations import Violation, Violations

S = TypeVar("S")


class LentBlocks(Sequence[Block]):
    """The blocks of live tensors, each taken to host memory when it is asked for and not held."""

    def __init__(self, live: Sequence[torch.Tensor]) -> None:
        self._live = live

    def __len__(self) -> int:
        return len(self._live)

    @overload
    def __getitem__(self, index: int) -> Block: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Block]: ...
    def __getitem__(self, index: int | slice) -> Block | Sequence[Block]:
        if isinstance(index, slice):
            return LentBlocks(self._live[index])
        return tensors.block_view(self._live[index])


@dataclass(frozen=True)
class StreamedTarget(Generic[S]):
    """A module's state as TLSF32B: binary32 as is, or widened exactly where the module's tensors are binary64."""

    params: ParamList[S]

    def lend(self) -> Tensors:
        """The live state, lent tensor by tensor while a save writes it; TypeError when it isn't binary32."""
        if self.params.tag not in ("binary32", None):
            raise TypeError(f"TLSF32B holds binary32 tensors, not {self.params.tag}")
        return Tensors(LentBlocks(self.params.tensors))

    def capture(self) -> Tensors:
        """A copy of the state. TypeError when it isn't binary32."""
        self.lend()
        return Tensors(tuple(tensors.block_of(tensor) for tensor in self.params.tensors))

    def stage(self, document: Tensors, /) -> Commit[None] | Violations:
        """New tensors of the file's words; every difference in number and shape named."""
        wide = self.params.tag == "binary64"
        return staged(self.params, document.blocks, widened if wide else lambda block: block)


@dataclass(frozen=True)
class JsonTarget(Generic[S]):
    """A Float module's state as JSON under Float's tag."""

    params: ParamList[S]

    def capture(self) -> JsonState:
        """A copy of the state; the writer refuses NaNs that Float's tag doesn't allow. TypeError unless binary64."""
        if self.params.tag not in ("binary64", None):
            raise TypeError(f"{FLOAT.tag} holds binary64 tensors, not {self.params.tag}")
        return JsonState(FLOAT.tag, tuple(tensors.block_of(tensor) for tensor in self.params.tensors))

    def stage(self, document: JsonState, /) -> Commit[None] | Violations:
        """New tensors of the file's words; another tag, and every difference in number and shape, named.

        A binary32 mirror takes the values that are exact there; any other is named, never rounded.
        """
        if document.tag != FLOAT.tag:
            return Violations((Violation("LAY-TAG-01", "/format", document.tag, FLOAT.tag),))
        if self.params.tag != "binary32":
            return staged(self.params, document.blocks, lambda block: block)
        findings = Findings()
        for tensor, block in enumerate(document.blocks):
            for index in inexact(block):
                word = words(block, int(index))
                findings.add("TLJ-MIR-01", f"/state/{tensor}/values/{index}", word, "a value of the binary32 mirror")
        return findings.verdict() or staged(self.params, document.blocks, narrowed)


def staged(
    params: ParamList[S], blocks: Sequence[Block], convert: Callable[[Block], Block]
) -> Commit[None] | Violations:
    """A commit that puts the blocks' words into the live tensors, or every difference from the module's layout."""
    found = tuple(misfits(params.shapes, blocks))
    if found:
        return Violations(found)
    live = params.tensors
    fresh = [tensors.adopt(convert(block), tensor.device) for block, tensor in zip(blocks, live, strict=True)]
    return lambda: tensors.put(live, fresh)


def misfits(shapes: Sequence[tuple[int, ...]], blocks: Sequence[Block]) -> Iterator[Violation]:
    """Number of tensors, then every shape that differs, both shown."""
    if len(shapes) != len(blocks):
        yield Violation("LAY-COUNT-01", "/", f"{len(blocks)} tensors", f"{len(shapes)}")
    for index, (shape, block) in enumerate(zip(shapes, blocks, strict=False)):
        if shape != block.shape:
            yield Violation("LAY-SHAPE-01", f"tensor {index}", str(list(block.shape)), str(list(shape)))
