"""The conformance vectors of TorchLean's three formats: for each rule what breaks it alone, and its valid twins."""

from __future__ import annotations

from collections.abc import Iterator

from bitproof_spec.torchlean.vectors.json_scalars import json_scalars
from bitproof_spec.torchlean.vectors.json_states import json_states
from bitproof_spec.torchlean.vectors.optimizer_files import optimizer_files
from bitproof_spec.torchlean.vectors.streamed_files import streamed_files
from bitproof_spec.vectors import Vector


def vectors() -> Iterator[Vector]:
    """Every vector, format by format, always the same."""
    yield from streamed_files()
    yield from json_states()
    yield from json_scalars()
    yield from optimizer_files()
