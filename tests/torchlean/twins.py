"""Broken twins of TorchLean's instances: each is a fault that a reader, a writer or a runtime could have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

from bitproof import tensors
from bitproof.suite import Case, Law
from bitproof.torchlean.backends import EagerNative, PlainEager
from bitproof.torchlean.module import Module
from bitproof.torchlean.optimizers import Adam, Moments, Sgd
from bitproof.torchlean.scalars import Float32
from bitproof.torchlean.state_io import StreamedTarget
from bitproof_spec import formats
from bitproof_spec.document import Block
from bitproof_spec.encoding import Configured
from bitproof_spec.format import Segment, View
from bitproof_spec.target import Commit
from bitproof_spec.torchlean.encodings import StateEncoding, configured_state
from bitproof_spec.torchlean.json_state import JsonFormat, JsonState
from bitproof_spec.torchlean.optimizer_document import OptimizerState
from bitproof_spec.torchlean.optimizer_file import OptimizerFile
from bitproof_spec.torchlean.streamed import TLSF32B, Streamed, Tensors
from bitproof_spec.violations import Violation, Violations
from tests.torchlean.builders import linear
from tests.torchlean.instances.cases import MODULES, OPTIMIZERS, STATES
from tests.torchlean.instances.modules import LiveModule, sgd
from tests.torchlean.instances.optimizers import LiveOptimizer
from tests.torchlean.two_branches import TwoBranches


class ReadsThroughNumbers(JsonFormat):
    """Takes -0 for 0, as a reader that makes numbers of words would."""

    def judge(self, view: View, /) -> JsonState | Violations:
        document = super().judge(view)
        if isinstance(document, Violations):
            return document
        zero, minus = bytes(8), bytes(7) + b"\x80"
        plain = (Block(b.tag, b.shape, bytes(b.data).replace(minus, zero)) for b in document.blocks)
        return JsonState(document.tag, tuple(plain))


class NamesNoClause(OptimizerFile):
    """Writes moments under no clause."""

    def segments(self, document: OptimizerState, /) -> Iterator[Segment]:
        for segment in super().segments(document):
            yield Segment(segment.clause.replace("TLA-PAY-01", ""), segment.data)


class TrustsTheHeader(Streamed):
    """Takes it for granted that there is a header."""

    def judge(self, view: View, /) -> Tensors | Violations:
        assert len(view.look("TLS-HDR-01", 0, 23)) == 23
        return super().judge(view)


class BlamesTheFile(Streamed):
    """Reports a disk's error as a damaged file."""

    def judge(self, view: View, /) -> Tensors | Violations:
        try:
            return super().judge(view)
        except OSError as error:
            return Violations((Violation("TLS-EOF-01", "/", str(error), "bytes"),))


class InstallsWhileStaging(StreamedTarget[Any]):
    """Gives each tensor its words before the next one is looked at."""

    def stage(self, document: Tensors, /) -> Commit[None] | Violations:
        for tensor, block in zip(self.params.tensors, document.blocks, strict=False):
            if tuple(tensor.shape) == block.shape:
                tensors.put([tensor], [tensors.adopt(block)])
        return super().stage(document)


class LendsWhatItCaptures(StreamedTarget[Any]):
    """Hands out the live tensors."""

    def capture(self) -> Tensors:
        return self.lend()


class TakesTiesForGranted(StreamedTarget[Any]):
    """Doesn't compare the words of tensors that share storage."""

    def stage(self, document: Tensors, /) -> Commit[None] | Violations:
        commit = super().stage(document)
        if isinstance(commit, Violations) and {violation.rule for violation in commit} == {"LAY-TIE-01"}:
            live = self.params.tensors
            fresh = [tensors.tensor_of(block) for block in document.blocks]
            return lambda: tensors.put(live, fresh)
        return commit


class TwinOptimizer(LiveOptimizer):
    """Adam over tied weights, broken below."""

    def __init__(self) -> None:
        backend = EagerNative(Adam(0.02, 0.8, 0.95, 2e-7), seed=3)
        super().__init__(TwoBranches(backend), backend)


class ForgetsTheCounter(TwinOptimizer):
    """Restores the moments only, as from a legacy file."""

    def stage(self, document: OptimizerState, /) -> Commit[None] | Violations:
        return super().stage(replace(document, version=3, counter=None))


class CountsFromOne(TwinOptimizer):
    """Restores the moments and starts the steps anew."""

    def stage(self, document: OptimizerState, /) -> Commit[None] | Violations:
        return super().stage(replace(document, entries=tuple(replace(e, step=1) for e in document.entries)))


class SharesMoments(TwinOptimizer):
    """Keeps the moments of all that is loaded from one document in one place."""

    newest: ClassVar[tuple[OptimizerState, dict[int, Moments]] | None] = None

    def stage(self, document: OptimizerState, /) -> Commit[None] | Violations:
        commit = super().stage(document)
        if isinstance(commit, Violations):
            return commit
        install = commit

        def shared() -> None:
            install()
            newest = SharesMoments.newest
            if newest is not None and newest[0] is document:
                self._backend.moments = newest[1]
            SharesMoments.newest = document, self._backend.moments

        return shared


@dataclass(frozen=True)
class QuietsNaNs(StateEncoding[Configured]):
    """Sets the quiet bit of every NaN, as a float unit does."""

    def encode(self, scalar: Configured, /) -> bytes:
        quiet = 0x0200 if scalar & 0x7C00 == 0x7C00 and scalar & 0x3FF else 0
        return super().encode(Configured(scalar | quiet))


class Twin(NamedTuple):
    """A broken case, the law that refutes it, and a pattern of what that law says."""

    case: Case[Any]
    law: str
    says: str

    @property
    def refuter(self) -> Law:
        return next(law for law in self.case.laws() if law.name == self.law)


CASES = {case.name: case for case in (*MODULES, *OPTIMIZERS, *STATES.values())}
HALF = configured_state(formats.BINARY16, Configured)


def module(target: type[StreamedTarget[Any]], law: str, says: str) -> Twin:
    """The small module behind a broken target."""

    def fresh() -> LiveModule:
        return LiveModule(Module(linear(), Float32, sgd(), seed=3), target)

    return Twin(replace(CASES["float32"], name=target.__name__, fresh=fresh), law, says)


def optimizer(fresh: Callable[[], LiveOptimizer], law: str, says: str) -> Twin:
    """Broken optimizer state."""
    return Twin(replace(CASES["adam-tied"], name=fresh.__name__, fresh=fresh), law, says)


def idle() -> LiveModule:
    """A module whose learning rate is 0."""
    return LiveModule(Module(linear(), Float32, PlainEager(Sgd(0.0)), seed=3), StreamedTarget)


def tied() -> LiveModule:
    """Tied weights behind a target that takes them for equal."""
    return LiveModule(TwoBranches(sgd()), TakesTiesForGranted)


TWINS = (
    Twin(replace(CASES["state-float"], format=ReadsThroughNumbers()), "round-trip", r"tensor \d+\[\d+\]: owed 8000"),
    Twin(replace(CASES["adamw"], format=NamesNoClause()), "segments", "under no clause"),
    Twin(replace(CASES["float32"], format=TrustsTheHeader()), "total", "the judge raised AssertionError"),
    Twin(replace(CASES["float32"], format=Streamed(without=frozenset({"TLS-END-01"}))), "canonical", "two files for"),
    Twin(replace(CASES["float32"], format=Streamed(without=frozenset({"TLS-END-01"}))), "coverage", "before the end"),
    Twin(replace(CASES["float32"], format=BlamesTheFile()), "read-faults", "the file was blamed"),
    module(InstallsWhileStaging, "staged", "a refused load changed"),
    module(InstallsWhileStaging, "stage-faults", "step 1 failed, and yet the load changed"),
    module(LendsWhatItCaptures, "capture", "training changed a captured document"),
    Twin(replace(CASES["tied"], name="ties", format=TLSF32B, fresh=tied), "commit", "differs from its document at"),
    Twin(replace(CASES["float32"], fresh=idle), "trains", "one step changes no leaf"),
    optimizer(ForgetsTheCounter, "commit", "differs from its document at: counter"),
    optimizer(CountsFromOne, "resume", r"slot \d+/"),
    optimizer(SharesMoments, "independent", "training one target changed another"),
    Twin(
        replace(
            CASES["state-complex-binary16"],
            encodings=(QuietsNaNs(HALF.tag, HALF.storage, HALF.words, HALF.parts),),
        ),
        "encoding",
        "comes back as another word",
    ),
)
