"""Formats and encodings like the TLSF32B instance, each with one fault."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch

from bitproof_spec.document import Block, Leaf
from bitproof_spec.encoding import BINARY32, Binary32
from bitproof_spec.format import OfBytes, Payload, Segment, View
from bitproof_spec.violations import Violation, Violations
from tests.core.instances.tlsf32b_format import HEAD, Tensors, Tlsf32b
from tests.core.twins.filtered import Filtered

NO_TENSORS = len(HEAD) + 8


class RaisingJudge(Tlsf32b):
    """Raises for a file that ends inside its count."""

    def judge(self, view: View, /) -> Tensors | Violations:
        if view.size < NO_TENSORS:
            raise EOFError("the file ends inside its count")
        return super().judge(view)


class ForgetfulJudge(Tlsf32b):
    """Accepts a file once."""

    def __init__(self) -> None:
        self.judged = 0

    def judge(self, view: View, /) -> Tensors | Violations:
        self.judged += 1
        again = Violations((Violation("TLS-AGAIN", "/", f"judged {self.judged} times", "once"),))
        return again if self.judged % 2 == 0 else super().judge(view)


class AnyVersion(Tlsf32b):
    """Reads every version as if it were the first."""

    def judge(self, view: View, /) -> Tensors | Violations:
        return super().judge(_FirstVersion(view))


class _FirstVersion(Filtered):
    def look(self, clause: str, start: int, length: int, /) -> bytes:
        found = super().look(clause, start, length)
        return HEAD if clause == "TLS-HEAD" and found.startswith(HEAD[:7]) else found


class LooksPastTheEnd(Tlsf32b):
    """Finds the end by looking for one byte more."""

    def judge(self, view: View, /) -> Tensors | Violations:
        verdict = super().judge(view)
        view.look("TLS-END", view.size, 1)
        return verdict


class TakesBlocksUnseen(Tlsf32b):
    """Takes a block of the size the file states, before it knows that the file is that long."""

    def judge(self, view: View, /) -> Tensors | Violations:
        stated = int.from_bytes(view.look("TLS-COUNT", len(HEAD), 8), "little")
        view.blocks("TLS-DATA", [(NO_TENSORS, 4 * stated)], digest=False)
        return super().judge(view)


class ReadsWhole(Tlsf32b):
    """Looks at all of a file at once, however long it is."""

    def judge(self, view: View, /) -> Tensors | Violations:
        view.look("TLS-ALL", 0, max(view.size, 2**20))
        return super().judge(view)


class GoesOnAfterErrors(Tlsf32b):
    """Takes tensors that can't be read for zeros."""

    def judge(self, view: View, /) -> Tensors | Violations:
        return super().judge(_Forgiving(view))


class _Forgiving(Filtered):
    def blocks(self, clause: str, ranges: Sequence[tuple[int, int]], /, *, digest: bool) -> Sequence[Payload]:
        try:
            return super().blocks(clause, ranges, digest=digest)
        except OSError:
            return OfBytes(bytes(self.size)).blocks(clause, ranges, digest=digest)


class WritesPositiveZeros(Tlsf32b):
    """Writes -0 as 0."""

    def segments(self, document: Tensors, /) -> Iterator[Segment]:
        for clause, data in super().segments(document):
            words = [bytes(data[at : at + 4]) for at in range(0, len(data), 4)]
            positive = b"".join(bytes(4) if word == b"\0\0\0\x80" else word for word in words)
            yield Segment(clause, positive if clause == "TLS-DATA" else data)


class RefusesAllOnes(Tlsf32b):
    """Refuses words by what a block's payload holds, which a view that only checks doesn't hand over."""

    def judge(self, view: View, /) -> Tensors | Violations:
        verdict = super().judge(view)
        if isinstance(verdict, Tensors) and any(b"\xff\xff\xff" in bytes(block.data) for block in verdict.blocks):
            return Violations((Violation("TLS-ONES", "/", "a word of ones", "other words"),))
        return verdict


class UnnamedBytes(Tlsf32b):
    """Puts the words under no clause."""

    def segments(self, document: Tensors, /) -> Iterator[Segment]:
        for clause, data in super().segments(document):
            yield Segment("" if clause == "TLS-DATA" else clause, data)


class OwnFilesRefused(Tlsf32b):
    """Refuses empty tensors, which it writes."""

    def refuses(self, block: Block) -> bool:
        return 0 in block.shape

    def judge(self, view: View, /) -> Tensors | Violations:
        verdict = super().judge(view)
        if isinstance(verdict, Tensors) and any(map(self.refuses, verdict.blocks)):
            return Violations((Violation("TLS-OWN", "/", "a tensor that is written", "another one"),))
        return verdict


class RefusesScalars(OwnFilesRefused):
    """Refuses tensors of rank 0, which it writes."""

    def refuses(self, block: Block) -> bool:
        return not block.shape


@dataclass(frozen=True, eq=False)
class UnequalTensors(Tensors):
    """A document that equals only itself."""


class MakesUnequal(Tlsf32b):
    """Judges one file to be two documents with the same leaves."""

    def judge(self, view: View, /) -> Tensors | Violations:
        verdict = super().judge(view)
        return verdict if isinstance(verdict, Violations) else UnequalTensors(verdict.blocks)


@dataclass(frozen=True)
class FloatTensors(Tensors):
    """A document one of whose leaves is the float value of its first word."""

    def leaves(self) -> Mapping[str, Leaf]:
        first = torch.frombuffer(bytearray(self.blocks[0].data), dtype=torch.float32)[0].item()
        return {**super().leaves(), "first": first}  # type: ignore[dict-item]  # the fault: no float is a Leaf


class ReadsFirstWordAsZero(Tlsf32b):
    """Reads 0 for the first word of the first tensor."""

    def judge(self, view: View, /) -> Tensors | Violations:
        verdict = super().judge(view)
        if isinstance(verdict, Violations) or not verdict.blocks or not verdict.blocks[0].data:
            return verdict
        first, *rest = verdict.blocks
        return Tensors((Block(first.tag, first.shape, bytes(4) + first.data[4:]), *rest))


@dataclass(frozen=True)
class QuietBinary32:
    """An encoding that makes every NaN the quiet one."""

    tag: str = BINARY32.tag
    width: int = BINARY32.width

    def accepts(self, word: bytes, /) -> bool:
        return BINARY32.accepts(word)

    def encode(self, scalar: Binary32, /) -> bytes:
        return BINARY32.encode(scalar)

    def decode(self, word: bytes, /) -> Binary32:
        scalar = BINARY32.decode(word)
        return Binary32(0x7FC00000) if scalar & 0x7FFFFFFF > 0x7F800000 else scalar


@dataclass(frozen=True)
class LaxBinary32(QuietBinary32):
    """An encoding that decodes words of any size, also those that it doesn't accept."""

    def decode(self, word: bytes, /) -> Binary32:
        return Binary32(int.from_bytes(word, "little"))
