"""Vectors of the model band: members of the manifest outside training, stages, and inference."""

from __future__ import annotations

from collections.abc import Iterator

from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.vectors.building import ABSENT, Absent, edited, invalid
from bitproof_spec.klyn.vectors.inference import boundaries, stages
from bitproof_spec.klyn.vectors.models import IMAGE, NONE, PLAIN, SGD, models
from bitproof_spec.strict_json import JsonValue
from bitproof_spec.vectors import Vector

AREA = "model"
TWINS = {id(PLAIN): "model/plain", id(SGD): "model/sgd-momentum-dropout", id(IMAGE): "model/every-stage"}
STAGE, CONV, POOL = "/model/stages/1", "/model/stages/1", "/model/stages/3"
OTHERS: JsonValue = {"a": 1}

# Each: case, clause, document, the member that is changed, and its value instead; the finding is at that member.
EDITS: tuple[tuple[str, str, Checkpoint, str, JsonValue | Absent], ...] = (
    ("format-number", "KNN-MEM-01", PLAIN, "/format", 1),
    ("precision-null", "KNN-MEM-01", PLAIN, "/precision", None),
    ("model-array", "KNN-MEM-01", PLAIN, "/model", ()),
    ("stages-object", "KNN-MEM-01", PLAIN, "/model/stages", OTHERS),
    ("stage-string", "KNN-MEM-01", PLAIN, STAGE, "Dense"),
    ("stage-type-array", "KNN-MEM-01", PLAIN, f"{STAGE}/type", ("Dense",)),
    ("name-number", "KNN-MEM-01", PLAIN, f"{STAGE}/name", 1),
    ("units-string", "KNN-MEM-01", PLAIN, f"{STAGE}/units", "2"),
    ("units-true", "KNN-MEM-01", PLAIN, f"{STAGE}/units", True),
    ("seed-false", "KNN-MEM-01", PLAIN, f"{STAGE}/seed", False),
    ("use-bias-1", "KNN-MEM-01", PLAIN, f"{STAGE}/use_bias", 1),
    ("activation-null", "KNN-MEM-01", PLAIN, f"{STAGE}/activation", None),
    ("shape-number", "KNN-MEM-01", PLAIN, "/model/stages/0/shape", 3),
    ("extent-string", "KNN-MEM-01", PLAIN, "/model/stages/0/shape/0", "3"),
    ("kernel-size-number", "KNN-MEM-01", IMAGE, f"{CONV}/kernel_size", 3),
    ("stride-null", "KNN-MEM-01", IMAGE, f"{CONV}/strides/1", None),
    ("rate-number", "KNN-MEM-01", SGD, "/model/stages/1/rate", 0),
    ("training-false", "KNN-MEM-01", PLAIN, "/training", False),
    ("tensors-object", "KNN-MEM-01", PLAIN, "/tensors", OTHERS),
    ("tensors-null", "KNN-MEM-01", PLAIN, "/tensors", None),
    ("row-array", "KNN-MEM-01", PLAIN, "/tensors/0", ()),
    ("offset-string", "KNN-MEM-01", PLAIN, "/tensors/1/offset", "64"),
    ("sha256-number", "KNN-MEM-01", PLAIN, "/tensors/1/sha256", 0),
    ("format-absent", "KNN-MEM-02", PLAIN, "/format", ABSENT),
    ("precision-absent", "KNN-MEM-02", PLAIN, "/precision", ABSENT),
    ("training-absent", "KNN-MEM-02", PLAIN, "/training", ABSENT),
    ("tensors-absent", "KNN-MEM-02", PLAIN, "/tensors", ABSENT),
    ("stage-type-absent", "KNN-MEM-02", PLAIN, f"{STAGE}/type", ABSENT),
    ("seed-absent", "KNN-MEM-02", PLAIN, f"{STAGE}/seed", ABSENT),
    ("strides-absent", "KNN-MEM-02", IMAGE, f"{POOL}/strides", ABSENT),
    ("row-dtype-absent", "KNN-MEM-02", PLAIN, "/tensors/1/dtype", ABSENT),
    ("top-member", "KNN-MEM-03", PLAIN, "/metadata", None),
    ("model-member", "KNN-MEM-03", PLAIN, "/model/name", "mnist"),
    ("stage-member", "KNN-MEM-03", PLAIN, f"{STAGE}/trainable", True),
    ("flatten-member", "KNN-MEM-03", NONE, "/model/stages/1/seed", 0),
    ("row-path", "KNN-MEM-03", PLAIN, "/tensors/0/path", "../../etc/passwd"),
    ("alignment", "KNN-MEM-03", PLAIN, "/alignment", 0),
    ("empty-member", "KNN-MEM-03", PLAIN, "/", 0),
    ("format-case", "KNN-MEM-04", PLAIN, "/format", "KNN"),
    ("precision-name", "KNN-MEM-05", PLAIN, "/precision", "float32"),
    ("precision-bfloat16", "KNN-MEM-05", PLAIN, "/precision", "bfloat16"),
    ("model-type", "KNN-MEM-06", PLAIN, "/model/type", "Functional"),
    ("no-stages", "KNN-MEM-07", NONE, "/model/stages", ()),
    ("stage-type-case", "KNN-MEM-08", PLAIN, f"{STAGE}/type", "dense"),
    ("stage-type-custom", "KNN-MEM-08", PLAIN, f"{STAGE}/type", "os.system"),
    ("stage-type-batchnorm", "KNN-MEM-08", PLAIN, f"{STAGE}/type", "BatchNormalization"),
    ("name-empty", "KNN-MEM-09", NONE, f"{STAGE}/name", ""),
    ("name-65", "KNN-MEM-09", NONE, f"{STAGE}/name", "n" * 65),
    ("name-digit", "KNN-MEM-09", NONE, f"{STAGE}/name", "1st"),
    ("name-slash", "KNN-MEM-09", NONE, f"{STAGE}/name", "dense/1"),
    ("name-dot", "KNN-MEM-09", NONE, f"{STAGE}/name", "dense.1"),
    ("name-newline", "KNN-MEM-09", NONE, f"{STAGE}/name", "dense_1\n"),
    ("name-nul", "KNN-MEM-09", NONE, f"{STAGE}/name", "dense\0"),
    ("name-letter", "KNN-MEM-09", NONE, f"{STAGE}/name", "d\u00e9nse"),
    ("name-emoji", "KNN-MEM-09", NONE, f"{STAGE}/name", "dense\U0001f4be"),
    ("input-rank-0", "KNN-MEM-10", NONE, "/model/stages/0/shape", ()),
    ("input-rank-33", "KNN-MEM-11", NONE, "/model/stages/0/shape", (1,) * 33),
    ("row-rank-33", "KNN-MEM-11", PLAIN, "/tensors/0/shape", (1,) * 33),
    ("units-0", "KNN-MEM-12", PLAIN, f"{STAGE}/units", 0),
    ("filters-0", "KNN-MEM-12", IMAGE, f"{CONV}/filters", 0),
    ("kernel-0", "KNN-MEM-12", IMAGE, f"{CONV}/kernel_size/0", 0),
    ("stride-0", "KNN-MEM-12", IMAGE, f"{CONV}/strides/1", 0),
    ("pool-0", "KNN-MEM-12", IMAGE, f"{POOL}/pool_size/1", 0),
    ("kernel-size-1", "KNN-MEM-13", IMAGE, f"{CONV}/kernel_size", (3,)),
    ("strides-3", "KNN-MEM-13", IMAGE, f"{CONV}/strides", (2, 1, 1)),
    ("pool-size-empty", "KNN-MEM-13", IMAGE, f"{POOL}/pool_size", ()),
    ("padding-case", "KNN-MEM-14", IMAGE, f"{CONV}/padding", "SAME"),
    ("padding-full", "KNN-MEM-14", IMAGE, f"{POOL}/padding", "full"),
    ("activation-gelu", "KNN-MEM-15", PLAIN, f"{STAGE}/activation", "gelu"),
    ("activation-none", "KNN-MEM-15", PLAIN, f"{STAGE}/activation", "none"),
    ("rate-1", "KNN-MEM-16", SGD, "/model/stages/1/rate", "3ff0000000000000"),
    ("rate-negative", "KNN-MEM-16", SGD, "/model/stages/1/rate", "bfd0000000000000"),
    ("rate-largest-negative", "KNN-MEM-16", SGD, "/model/stages/1/rate", "8000000000000001"),
    ("sha256-case", "KNN-MEM-17", PLAIN, "/tensors/0/sha256", "A" * 64),
    ("sha256-63", "KNN-MEM-17", PLAIN, "/tensors/0/sha256", "0" * 63),
    ("rate-decimal", "KNN-REA-01", SGD, "/model/stages/1/rate", "0.25"),
    ("rate-case", "KNN-REA-01", SGD, "/model/stages/1/rate", "3FD0000000000000"),
    ("rate-15", "KNN-REA-01", SGD, "/model/stages/1/rate", "3fd000000000000"),
    ("rate-0x", "KNN-REA-01", SGD, "/model/stages/1/rate", "0x3fd00000000000"),
    ("rate-nan", "KNN-REA-02", SGD, "/model/stages/1/rate", "7ff8000000000000"),
    ("rate-minus-zero", "KNN-REA-03", SGD, "/model/stages/1/rate", "8000000000000000"),
)


def model() -> Iterator[Vector]:
    """Whole models, then each member wrong by itself, then stages that don't fit each other."""
    yield from models()
    for name, clause, document, pointer, value in EDITS:
        twin = TWINS.get(id(document), "model/no-tensors")
        yield invalid(AREA, name, clause, edited(document, {pointer: value}), pointer, twin)
    whole = edited(NONE, {"": ()})
    yield invalid(AREA, "top-level-array", "KNN-MEM-01", whole, "/", "model/no-tensors")
    yield from boundaries()
    yield from stages()
