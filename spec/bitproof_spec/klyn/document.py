"""The KNN document: one model, its training state and its tensors, as an immutable value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from bitproof_spec.document import Block, Leaf
from bitproof_spec.klyn.constants import FORMAT, MODEL, Precision
from bitproof_spec.klyn.stages import Stage
from bitproof_spec.klyn.training import Training
from bitproof_spec.strict_json import JsonValue

REALS = frozenset(  # members that are binary64 words: 16 hex digits in text
    {
        "rate",
        "learning_rate",
        "momentum",
        "beta1",
        "beta2",
        "epsilon",
        "beta1_power",
        "beta2_power",
        "scale",
        "initial_scale",
        "growth_factor",
        "backoff_factor",
    }
)
COUNTERS = frozenset({"counter"})  # members that are 256-bit numbers: 64 hex digits in text


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A KNN file's content. `training` is None for a model that was never compiled or is exported for inference.

    `tensors` pairs each id with its block, in table order (`tensors.table` gives the ids, dtypes and shapes owed).
    A value can be built that breaks the specification; `KNN.verify` names every way in which it does.
    """

    precision: Precision
    stages: tuple[Stage, ...]
    training: Training | None
    tensors: tuple[tuple[str, Block], ...]

    def leaves(self) -> Mapping[str, Leaf]:
        """Manifest members under their JSON pointers, reals as hex words, then tensors under their ids."""
        return {**dict(_leaves("", head(self))), **dict(self.tensors)}


def head(document: Checkpoint) -> dict[str, JsonValue]:
    """The manifest's members except `tensors`, in their JSON form."""
    return {
        "format": FORMAT,
        "precision": document.precision,
        "model": {"type": MODEL, "stages": plain("stages", document.stages)},
        "training": plain("training", document.training),
    }


def plain(name: str, value: object) -> JsonValue:
    """The JSON form of the member `name`: records as objects by field, tuples as arrays, words as hex digits."""
    if name in REALS and isinstance(value, int):
        return f"{value:016x}"
    if name in COUNTERS and isinstance(value, int):
        return f"{value:064x}"
    if isinstance(value, tuple):
        fields = getattr(value, "_fields", None)
        if fields is None:
            return tuple(plain(name, item) for item in value)
        return {field: plain(field, item) for field, item in zip(fields, value, strict=True)}
    return cast("JsonValue", value)


def _leaves(where: str, value: JsonValue) -> Iterator[tuple[str, Leaf]]:
    if isinstance(value, dict):
        for name, item in value.items():
            yield from _leaves(f"{where}/{name}", item)
    elif isinstance(value, tuple):
        for index, item in enumerate(value):
            yield from _leaves(f"{where}/{index}", item)
    else:
        yield where, value
