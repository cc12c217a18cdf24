"""The conformance vectors of KNN 1.0, bitproof profile: for each rule what breaks it alone, and its valid twins."""

from __future__ import annotations

from collections.abc import Iterator

from bitproof_spec.klyn.vectors.blocks import blocks, patterns
from bitproof_spec.klyn.vectors.canonical import spellings
from bitproof_spec.klyn.vectors.header import header
from bitproof_spec.klyn.vectors.model import model
from bitproof_spec.klyn.vectors.sizes import sizes
from bitproof_spec.klyn.vectors.tables import tables
from bitproof_spec.klyn.vectors.texts import texts
from bitproof_spec.klyn.vectors.training import training
from bitproof_spec.vectors import Vector


def vectors() -> Iterator[Vector]:
    """Every vector, band by band, always the same; made one by one, since some are large."""
    yield from header()
    yield from texts()
    yield from model()
    yield from tables()
    yield from blocks()
    yield from training()
    yield from sizes()
    yield from patterns()
    yield from spellings()
