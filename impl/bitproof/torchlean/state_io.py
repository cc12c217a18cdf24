"""Bytes and device transfers of a module's state: captured for a file, staged from one, installed in one step.

A load stages every tensor from one pass over one open file and then swaps: all or nothing, and nothing of another
file can mix in. A save holds one tensor in host memory at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Generic, TypeVar

import torch

from bitproof import tensors
from bitproof.torchlean.lent import Lent
from bitproof.torchlean.params import ParamList
from bitproof.torchlean.widening import inexact, narrowed, widened
from bitproof_spec.document import Block, words
from bitproof_spec.findings import Findings
from bitproof_spec.target import Commit
from bitproof_spec.torchlean.encodings import FLOAT
from bitproof_spec.torchlean.json_state import JsonState
from bitproof_spec.torchlean.state_target import misfits, other_scalar, untied
from bitproof_spec.torchlean.streamed import ITEM_SIZE, Tensors
from bitproof_spec.violations import Violation, Violations

S = TypeVar("S")


@dataclass(frozen=True)
class StreamedTarget(Generic[S]):
    """A module's state as TLSF32B: binary32 as is, or widened exactly where the module's tensors are binary64."""

    params: ParamList[S]

    def lend(self) -> Tensors:
        """The live state, lent tensor by tensor while a save writes it; TypeError when it isn't binary32."""
        if self.params.tag not in ("binary32", None):
            raise TypeError(f"TLSF32B holds binary32 tensors, not {self.params.tag}")
        return Tensors(Lent(self.params.tensors, tensors.block_view))

    def capture(self) -> Tensors:
        """A copy of the state. TypeError when it isn't binary32."""
        self.lend()
        return Tensors(tuple(tensors.block_of(tensor) for tensor in self.params.tensors))

    def stage(self, document: Tensors, /) -> Commit[None] | Violations:
        """New tensors of the file's words; every difference in number, shape and between tied tensors named."""
        found = misfits(self.params.shapes, ITEM_SIZE, document.blocks)
        convert = widened if self.params.tag == "binary64" else None
        return staged(self.params, document.blocks, convert, found)


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
        other = tuple(other_scalar(document.tag, FLOAT.tag))
        if other:
            return Violations(other)
        found = misfits(self.params.shapes, FLOAT.width, document.blocks)
        if self.params.tag != "binary32":
            return staged(self.params, document.blocks, None, found)
        return staged(self.params, document.blocks, narrowed, chain(found, _inexact(document.blocks)))


def staged(
    params: ParamList[S], blocks: Sequence[Block], convert: Callable[[Block], Block] | None, found: Iterable[Violation]
) -> Commit[None] | Violations:
    """A commit that puts the blocks' words into the live tensors, or all that was `found` against it, and ties.

    The blocks' memory is taken over or let go tensor by tensor, so that no more than one is held twice.
    """
    findings = Findings()
    for violation in chain(found, untied(params.ties, blocks)):
        findings.add(*violation)
    live = params.tensors
    fresh = [] if findings else [_fresh(block, convert, old) for block, old in zip(blocks, live, strict=True)]
    return findings.verdict() or (lambda: tensors.put(live, fresh))


def _fresh(block: Block, convert: Callable[[Block], Block] | None, live: torch.Tensor) -> torch.Tensor:
    """A new tensor of the block's words, on the device of the live one."""
    if convert is None:
        return tensors.adopt(block, live.device)
    made = tensors.adopt(convert(block), live.device)
    if isinstance(block.data, memoryview) and not block.data.readonly:
        block.data.release()
    return made


def _inexact(blocks: Sequence[Block]) -> Iterator[Violation]:
    """Every word that no binary32 word means."""
    for tensor, block in enumerate(blocks):
        for index in inexact(block):
            found = words(block, index)
            yield Violation("TLJ-MIR-01", f"/state/{tensor}/values/{index}", found, "a value that binary32 holds")
