"""Modules like the TLSF32B instance, and formats that go with them, each with one fault."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import torch

from bitproof_spec.document import Block
from bitproof_spec.format import Payload, View
from bitproof_spec.target import Commit
from bitproof_spec.violations import Violation, Violations
from tests.core.instances.tlsf32b_format import Tensors, Tlsf32b
from tests.core.instances.tlsf32b_state import B2, LAYOUT, W23, Module, Scalar
from tests.core.twins.commits import then
from tests.core.twins.filtered import Filtered


class SharesWithTheDocument(Tlsf32b):
    """Hands over blocks in memory that can be written."""

    def judge(self, view: View, /) -> Tensors | Violations:
        verdict = super().judge(view)
        if isinstance(verdict, Violations):
            return verdict
        return Tensors(tuple(Block(b.tag, b.shape, memoryview(bytearray(b.data))) for b in verdict.blocks))


class InPlaceOfTheDocument(Module[W23, B2, Scalar]):
    """Takes the document's own memory for its parameters."""

    def __init__(self) -> None:
        super().__init__(LAYOUT)

    def stage(self, document: Tensors, /) -> Commit[None] | Violations:
        return then(super().stage(document), lambda: self._take(document))

    def _take(self, document: Tensors) -> None:
        self.parameters = [
            torch.frombuffer(block.data, dtype=torch.float32).reshape(block.shape) for block in document.blocks
        ]


class SpoilsTheDocument(Module[W23, B2, Scalar]):
    """Overwrites the memory of what it was loaded from, as a buffer that is used again would."""

    def __init__(self) -> None:
        super().__init__(LAYOUT)

    def stage(self, document: Tensors, /) -> Commit[None] | Violations:
        return then(super().stage(document), lambda: spoil(document.blocks[0]))


def spoil(block: Block) -> None:
    """Set the first word to 0 in the block's own memory."""
    torch.frombuffer(block.data, dtype=torch.int32)[0] = 0


class FirstWordLost(Module[W23, B2, Scalar]):
    """Loads all but the first word."""

    def __init__(self) -> None:
        super().__init__(LAYOUT)

    def stage(self, document: Tensors, /) -> Commit[None] | Violations:
        return then(super().stage(document), lambda: self.parameters[0].view(-1)[:1].zero_())


class RefusesTrained(Module[W23, B2, Scalar]):
    """Takes only the document of a new module."""

    def __init__(self) -> None:
        super().__init__(LAYOUT)

    def stage(self, document: Tensors, /) -> Commit[None] | Violations:
        new = Module(LAYOUT).capture()
        trained = Violations((Violation("TLS-NEW", "/", "a trained module", "a new one"),))
        return super().stage(document) if document == new else trained


class ReadInto(Module[W23, B2, Scalar]):
    """A module that its format knows of."""

    newest: ClassVar[ReadInto]

    def __init__(self) -> None:
        super().__init__(LAYOUT)
        ReadInto.newest = self


class InstallsWhileReading(Tlsf32b):
    """Copies each tensor into the module as it comes from the file."""

    def judge(self, view: View, /) -> Tensors | Violations:
        return super().judge(_Installing(view))


class _Installing(Filtered):
    def blocks(self, clause: str, ranges: Sequence[tuple[int, int]], /, *, digest: bool) -> Sequence[Payload]:
        found: list[Payload] = []
        for place in ranges:
            found.extend(super().blocks(clause, [place], digest=digest))
            if len(found) == 1 and place[1] == ReadInto.newest.parameters[0].nbytes:
                words = torch.frombuffer(bytearray(found[0].data), dtype=torch.float32)
                ReadInto.newest.parameters[0].view(-1).copy_(words)
        return found


class RandomStart(Module[W23, B2, Scalar]):
    """Starts from other numbers each time."""

    made = 0

    def __init__(self) -> None:
        super().__init__(LAYOUT)
        RandomStart.made += 1
        self.parameters[0].add_(RandomStart.made)
