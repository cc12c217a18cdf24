"""The manifest's members: their schema, and the gate that turns JSON into stages, training state and table entries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, cast

from bitproof_spec.findings import Findings
from bitproof_spec.klyn import kinds
from bitproof_spec.klyn.constants import FORMAT, MODEL, PRECISIONS, STAGES_LIMIT, Precision
from bitproof_spec.klyn.kinds import choice
from bitproof_spec.klyn.members import Kind, Schema, members, shown, typed, variant
from bitproof_spec.klyn.reals import RATE
from bitproof_spec.klyn.stages import STAGES, Input, Stage
from bitproof_spec.klyn.training import Training
from bitproof_spec.klyn.training_members import training_kind
from bitproof_spec.strict_json import JsonValue


class Entry(NamedTuple):
    """One row of the tensor table as the manifest states it; offset and length in bytes."""

    id: str
    dtype: str
    shape: tuple[int, ...]
    offset: int
    length: int
    sha256: bytes


class Manifest(NamedTuple):
    """What a manifest states, each member by itself well formed."""

    precision: Precision
    stages: tuple[Stage, ...]
    training: Training | None
    entries: tuple[Entry, ...]


NAMED: Schema = {"name": kinds.STAGE_NAME}
WEIGHTED: Schema = {
    "use_bias": kinds.FLAG,
    "activation": kinds.ACTIVATION,
    "seed": kinds.NATURAL,
}
CONVOLUTION: Schema = {
    **NAMED,
    "filters": kinds.EXTENT,
    "kernel_size": kinds.PAIR,
    "strides": kinds.PAIR,
    "padding": kinds.PADDING,
    **WEIGHTED,
}
POOLING: Schema = {
    **NAMED,
    "pool_size": kinds.PAIR,
    "strides": kinds.PAIR,
    "padding": kinds.PADDING,
}
STAGE_MEMBERS: Mapping[str, Schema] = {
    "Input": {**NAMED, "shape": kinds.INPUT_SHAPE},
    "Dense": {**NAMED, "units": kinds.EXTENT, **WEIGHTED},
    "Conv2D": CONVOLUTION,
    "Conv2DTranspose": CONVOLUTION,
    "MaxPooling2D": POOLING,
    "AveragePooling2D": POOLING,
    "Flatten": NAMED,
    "Dropout": {**NAMED, "rate": kinds.real(RATE), "seed": kinds.NATURAL},
    "ReLU": NAMED,
    "Sigmoid": NAMED,
    "Tanh": NAMED,
    "Softmax": NAMED,
}
STAGE_MAKERS: Mapping[str, Callable[..., Stage]] = {stage.__name__: stage for stage in STAGES}
ENTRY_MEMBERS: Schema = {
    "id": kinds.STRING,
    "dtype": kinds.STRING,
    "shape": kinds.SHAPE,
    "offset": kinds.NATURAL,
    "length": kinds.NATURAL,
    "sha256": kinds.digest("KNN-MEM-17"),
}
STAND_IN: tuple[Stage, ...] = (Input("x", (1,)),)  # for stages that can't be read
ENTRY_STAND_IN = Entry("", "", (), 0, 0, bytes(32))


def judge_members(value: JsonValue, findings: Findings) -> Manifest:
    """Gate 4: every member by itself. What is returned counts only when there are no findings."""
    given = value.get("precision") if isinstance(value, dict) else None
    precision = next((known for known in PRECISIONS if known == given), None)
    schema: Schema = {
        "format": choice("KNN-MEM-04", (FORMAT,)),
        "precision": choice("KNN-MEM-05", PRECISIONS),
        "model": Kind(_model, STAND_IN),
        "training": training_kind(precision),
        "tensors": Kind(_entries, ()),
    }
    read = members(findings, "", value, schema)
    if read is None:
        return Manifest("binary32", STAND_IN, None, ())
    return cast("Callable[..., Manifest]", Manifest)(
        precision=read["precision"], stages=read["model"], training=read["training"], entries=read["tensors"]
    )


def _model(findings: Findings, where: str, value: JsonValue) -> tuple[Stage, ...]:
    schema: Schema = {"type": choice("KNN-MEM-06", (MODEL,)), "stages": Kind(_stages, STAND_IN)}
    read = members(findings, where, value, schema)
    return STAND_IN if read is None else cast("tuple[Stage, ...]", read["stages"])


def _stages(findings: Findings, where: str, value: JsonValue) -> tuple[Stage, ...]:
    if not isinstance(value, tuple):
        findings.add("KNN-MEM-01", where, shown(value), "an array of stages")
    elif not 1 <= len(value) <= STAGES_LIMIT:
        findings.add("KNN-MEM-07", where, f"{len(value)} stages", f"1 to {STAGES_LIMIT}")
    else:
        return tuple(_stage(findings, f"{where}/{index}", item) for index, item in enumerate(value))
    return STAND_IN


def _stage(findings: Findings, where: str, value: JsonValue) -> Stage:
    chosen = variant(findings, where, value, "KNN-MEM-08", STAGE_MEMBERS)
    return STAND_IN[0] if chosen is None else STAGE_MAKERS[chosen[0]](**chosen[1])


def _entries(findings: Findings, where: str, value: JsonValue) -> tuple[Entry, ...]:
    items = typed(findings, where, value, tuple, (), "an array of tensors")
    return tuple(_entry(findings, f"{where}/{index}", item) for index, item in enumerate(items))


def _entry(findings: Findings, where: str, value: JsonValue) -> Entry:
    read = members(findings, where, value, ENTRY_MEMBERS)
    return ENTRY_STAND_IN if read is None else cast("Callable[..., Entry]", Entry)(**read)
