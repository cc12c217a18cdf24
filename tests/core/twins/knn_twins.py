"""Models and formats like the KNN instance, each with one fault that people have shipped."""

from __future__ import annotations

import json
from dataclasses import replace

import torch

from bitproof.tensors import block_of, block_view, tensor_of
from bitproof_spec.document import Block
from bitproof_spec.format import View
from bitproof_spec.target import Commit
from bitproof_spec.violations import Violation, Violations
from tests.core.instances import knn_model
from tests.core.instances.knn_document import Knn, Manifest
from tests.core.instances.knn_format import KnnFormat
from tests.core.instances.knn_model import SHAPES, HalfModel
from tests.core.twins.commits import then
from tests.core.twins.filtered import Filtered


def changed(document: Knn, id: str, block: Block) -> Knn:
    """The document with another tensor of that id."""
    return replace(document, tensors=tuple((name, block if name == id else old) for name, old in document.tensors))


class FloatInThePath(HalfModel):
    """Stages the masters through binary64 values, which quiets every signalling NaN."""

    def stage(self, document: Knn, /) -> Commit[None] | Violations:
        for id, block in document.tensors:
            if id.endswith("/master"):
                document = changed(document, id, block_of(tensor_of(block).to(torch.float64).to(torch.float32)))
        return super().stage(document)


class MomentsInHalf(HalfModel):
    """Casts the moments to the precision of the weights when they are loaded."""

    def stage(self, document: Knn, /) -> Commit[None] | Violations:
        for id, block in document.tensors:
            if "/adam_" in id and block.tag == "binary32":
                document = changed(document, id, block_of(tensor_of(block).to(torch.float16).to(torch.float32)))
        return super().stage(document)


class ForgottenCounter(HalfModel):
    """Leaves the dropout counter as it is when a file is loaded."""

    def stage(self, document: Knn, /) -> Commit[None] | Violations:
        return super().stage(replace(document, counter=self.counter))


class UnsavedCounter(HalfModel):
    """Keeps the dropout counter out of the file: what is loaded equals what was saved, and yet goes on differently."""

    def capture(self) -> Knn:
        return replace(super().capture(), counter=0)

    def stage(self, document: Knn, /) -> Commit[None] | Violations:
        return super().stage(replace(document, counter=self.counter))


class StaleCache(HalfModel):
    """Trains on a copy of a weight that it keeps beside it; a load forgets that the copy is there."""

    def __init__(self) -> None:
        super().__init__()
        self.cached: torch.Tensor | None = None

    def advance(self, steps: int, /) -> None:
        kernel = self.tensors["dense/kernel"]
        for _ in range(steps):
            kernel.copy_(kernel if self.cached is None else self.cached)
            super().advance(1)
            self.cached = kernel.clone()


class DisturbingSave(HalfModel):
    """Draws a mask while it is saved, which no captured number shows."""

    def __init__(self) -> None:
        super().__init__()
        self.draws = 0

    def capture(self) -> Knn:
        self.draws += 1
        return super().capture()

    def advance(self, steps: int, /) -> None:
        super().advance(steps)
        self.tensors["dense/bias"].add_(self.draws / 64)


class CountingSave(HalfModel):
    """Counts a save as a step."""

    def capture(self) -> Knn:
        self.counter += 1
        return super().capture()


class LentCapture(HalfModel):
    """Hands out the live memory of its tensors instead of a copy."""

    def capture(self) -> Knn:
        return replace(super().capture(), tensors=tuple((id, block_view(t)) for id, t in self.tensors.items()))


class MakesInCommit(HalfModel):
    """Checks first, and then makes each tensor and installs it at once: a failure half-way leaves a mixed model."""

    def stage(self, document: Knn, /) -> Commit[None] | Violations:
        return then(super().stage(document), lambda: self._install(document))

    def _install(self, document: Knn) -> None:
        for id, block in document.tensors:
            self.tensors[id].copy_(knn_model.staged_tensor(block))


class ResetPower(HalfModel):
    """Corrects for a start at zero as if a load were the start."""

    def stage(self, document: Knn, /) -> Commit[None] | Violations:
        return then(super().stage(document), lambda: self.power.fill_(1.0))


class ForgottenTensor(HalfModel):
    """Loads the weights and leaves their masters: the next step writes the old weights back."""

    def stage(self, document: Knn, /) -> Commit[None] | Violations:
        for id in SHAPES:
            document = changed(document, f"{id}/master", block_of(self.tensors[f"{id}/master"]))
        return super().stage(document)


class NeverTrains(HalfModel):
    """Takes steps that change nothing."""

    def advance(self, steps: int, /) -> None:
        pass


class SkippedPadding(KnnFormat):
    """Takes the bytes between blocks for zeros without looking at them."""

    def judge(self, view: View, /) -> Knn | Violations:
        return super().judge(_Unpadded(view))


class _Unpadded(Filtered):
    def look(self, clause: str, start: int, length: int, /) -> bytes:
        return bytes(length) if clause == "KNL-PAD" else super().look(clause, start, length)


class LooseManifest(KnnFormat):
    """Reads a manifest in any spelling, which it then writes differently."""

    def read(self, text: bytes) -> Manifest | None:
        try:
            return super().read(json.dumps(json.loads(text), sort_keys=True, separators=(",", ":")).encode())
        except (ValueError, RecursionError):
            return None


class BlamesTheFile(KnnFormat):
    """Takes a read that fails for a file that is bad."""

    def judge(self, view: View, /) -> Knn | Violations:
        try:
            return super().judge(view)
        except OSError as error:
            return Violations((Violation("KNL-READ", "0x0", str(error), "a file that can be read"),))


class RaisesAnotherError(KnnFormat):
    """Wraps the system's error in one of its own."""

    def judge(self, view: View, /) -> Knn | Violations:
        try:
            return super().judge(view)
        except OSError as error:
            raise OSError(f"could not read: {error}") from error
