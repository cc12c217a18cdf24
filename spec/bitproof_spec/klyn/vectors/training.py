"""Vectors of the training band: optimizer, loss, loss scale and generators."""

from __future__ import annotations

from collections.abc import Iterator

from bitproof_spec.klyn.constants import Precision
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.stages import Dense, Dropout, Flatten, Input, Stage
from bitproof_spec.klyn.training import Adam, LossScale, Optimizer, RandomState, Sgd, Training
from bitproof_spec.klyn.vectors.building import ABSENT, Absent, checkpoint, edited, invalid, valid
from bitproof_spec.klyn.vectors.models import HALF_ADAM, IMAGE, SGD, word
from bitproof_spec.strict_json import JsonValue
from bitproof_spec.vectors import Vector

AREA = "training"
TWINS = {
    id(SGD): "model/sgd-momentum-dropout",
    id(HALF_ADAM): "model/half-adam",
    id(IMAGE): "model/every-stage",
}
OPTIMIZER, SCALE, RANDOM = "/training/optimizer", "/training/loss_scale", "/training/random"
ZERO, ONE, TWO = "0000000000000000", "3ff0000000000000", "4000000000000000"
MINUS_ZERO, MINUS_LEAST = "8000000000000000", "8000000000000001"
INFINITE, NAN = "7ff0000000000000", "7ff8000000000000"

# Each: case, clause, document, the member that is changed, and its value instead; the finding is at that member.
EDITS: tuple[tuple[str, str, Checkpoint, str, JsonValue | Absent], ...] = (
    ("loss-null", "KNN-MEM-01", SGD, "/training/loss", None),
    ("step-string", "KNN-MEM-01", SGD, "/training/step", "6"),
    ("nesterov-0", "KNN-MEM-01", SGD, f"{OPTIMIZER}/nesterov", 0),
    ("optimizer-string", "KNN-MEM-01", SGD, OPTIMIZER, "adam"),
    ("learning-rate-number", "KNN-MEM-01", SGD, f"{OPTIMIZER}/learning_rate", 1),
    ("loss-scale-number", "KNN-MEM-01", HALF_ADAM, SCALE, 65536),
    ("random-object", "KNN-MEM-01", SGD, RANDOM, {}),
    ("counter-number", "KNN-MEM-01", SGD, f"{RANDOM}/0/counter", 12),
    ("step-absent", "KNN-MEM-02", SGD, "/training/step", ABSENT),
    ("random-absent", "KNN-MEM-02", SGD, RANDOM, ABSENT),
    ("epsilon-absent", "KNN-MEM-02", HALF_ADAM, f"{OPTIMIZER}/epsilon", ABSENT),
    ("optimizer-type-absent", "KNN-MEM-02", SGD, f"{OPTIMIZER}/type", ABSENT),
    ("loss-scale-absent", "KNN-MEM-02", HALF_ADAM, SCALE, ABSENT),
    ("good-steps-absent", "KNN-MEM-02", HALF_ADAM, f"{SCALE}/good_steps", ABSENT),
    ("counter-absent", "KNN-MEM-02", SGD, f"{RANDOM}/0/counter", ABSENT),
    ("weight-decay", "KNN-MEM-03", HALF_ADAM, f"{OPTIMIZER}/weight_decay", TWO),
    ("adam-amsgrad", "KNN-MEM-03", HALF_ADAM, f"{OPTIMIZER}/amsgrad", False),
    ("epoch", "KNN-MEM-03", SGD, "/training/epoch", 3),
    ("generator-seed", "KNN-MEM-03", SGD, f"{RANDOM}/1/seed", 13),
    ("learning-rate-decimal", "KNN-REA-01", SGD, f"{OPTIMIZER}/learning_rate", "0.1"),
    ("beta1-case", "KNN-REA-01", HALF_ADAM, f"{OPTIMIZER}/beta1", "3FE999999999999A"),
    ("epsilon-17", "KNN-REA-01", HALF_ADAM, f"{OPTIMIZER}/epsilon", "03e7ad7f29abcaf48"),
    ("scale-space", "KNN-REA-01", HALF_ADAM, f"{SCALE}/scale", " 40900000000000000"[:16]),
    ("learning-rate-infinite", "KNN-REA-02", SGD, f"{OPTIMIZER}/learning_rate", INFINITE),
    ("learning-rate-nan", "KNN-REA-02", SGD, f"{OPTIMIZER}/learning_rate", NAN),
    ("learning-rate-minus-zero", "KNN-REA-03", SGD, f"{OPTIMIZER}/learning_rate", MINUS_ZERO),
    ("momentum-minus-zero", "KNN-REA-03", SGD, f"{OPTIMIZER}/momentum", MINUS_ZERO),
    ("power-minus-zero", "KNN-REA-03", HALF_ADAM, f"{OPTIMIZER}/beta1_power", MINUS_ZERO),
    ("optimizer-type", "KNN-TRN-01", SGD, f"{OPTIMIZER}/type", "RMSprop"),
    ("optimizer-case", "KNN-TRN-01", SGD, f"{OPTIMIZER}/type", "sgd"),
    ("learning-rate-negative", "KNN-TRN-02", SGD, f"{OPTIMIZER}/learning_rate", MINUS_LEAST),
    ("momentum-1", "KNN-TRN-03", SGD, f"{OPTIMIZER}/momentum", ONE),
    ("momentum-negative", "KNN-TRN-03", SGD, f"{OPTIMIZER}/momentum", MINUS_LEAST),
    ("beta1-1", "KNN-TRN-03", HALF_ADAM, f"{OPTIMIZER}/beta1", ONE),
    ("beta2-2", "KNN-TRN-03", HALF_ADAM, f"{OPTIMIZER}/beta2", TWO),
    ("epsilon-0", "KNN-TRN-04", IMAGE, f"{OPTIMIZER}/epsilon", ZERO),
    ("epsilon-negative", "KNN-TRN-04", IMAGE, f"{OPTIMIZER}/epsilon", MINUS_LEAST),
    ("epsilon-vanishes", "KNN-TRN-04", HALF_ADAM, f"{OPTIMIZER}/epsilon", "3690000000000000"),
    ("epsilon-overflows", "KNN-TRN-04", HALF_ADAM, f"{OPTIMIZER}/epsilon", "47effffff0000000"),
    ("power-above-1", "KNN-TRN-05", HALF_ADAM, f"{OPTIMIZER}/beta1_power", "3ff0000000000001"),
    ("power-negative", "KNN-TRN-05", HALF_ADAM, f"{OPTIMIZER}/beta2_power", MINUS_LEAST),
    ("loss-short", "KNN-TRN-06", SGD, "/training/loss", "mse"),
    ("loss-empty", "KNN-TRN-06", SGD, "/training/loss", ""),
    ("half-without-scale", "KNN-TRN-07", HALF_ADAM, SCALE, None),
    ("single-with-scale", "KNN-TRN-07", SGD, SCALE, {}),
    ("scale-0", "KNN-TRN-08", HALF_ADAM, f"{SCALE}/scale", ZERO),
    ("scale-below", "KNN-TRN-08", HALF_ADAM, f"{SCALE}/scale", "380fffffffffffff"),
    ("initial-scale-above", "KNN-TRN-08", HALF_ADAM, f"{SCALE}/initial_scale", "47efffffe0000001"),
    ("initial-scale-negative", "KNN-TRN-08", HALF_ADAM, f"{SCALE}/initial_scale", "c0f0000000000000"),
    ("growth-below-1", "KNN-TRN-09", HALF_ADAM, f"{SCALE}/growth_factor", "3fefffffffffffff"),
    ("backoff-0", "KNN-TRN-10", HALF_ADAM, f"{SCALE}/backoff_factor", ZERO),
    ("backoff-above-1", "KNN-TRN-10", HALF_ADAM, f"{SCALE}/backoff_factor", "3ff0000000000001"),
    ("good-steps-at-interval", "KNN-TRN-11", HALF_ADAM, f"{SCALE}/good_steps", 7),
    ("counter-63", "KNN-TRN-12", SGD, f"{RANDOM}/0/counter", "0" * 63),
    ("counter-case", "KNN-TRN-12", SGD, f"{RANDOM}/1/counter", "A" * 64),
)


def training() -> Iterator[Vector]:
    """Each member wrong by itself, generators that don't fit the Dropouts, and what is legal at the edges."""
    for name, clause, document, pointer, value in EDITS:
        yield invalid(AREA, name, clause, edited(document, {pointer: value}), pointer, TWINS[id(document)])
    interval = edited(HALF_ADAM, {f"{SCALE}/growth_interval": 0, f"{SCALE}/good_steps": 0})
    yield invalid(AREA, "interval-0", "KNN-TRN-11", interval, f"{SCALE}/good_steps", "training/scale-edges")
    yield from _generators()
    yield from _edges()


def _generators() -> Iterator[Vector]:
    first, second, other, strange = (_state(name) for name in ("drop-a", "drop-b", "mix", "drop-c"))
    cases: tuple[tuple[str, str, tuple[JsonValue, ...], str], ...] = (
        ("generator-missing", "KNN-RND-01", (second,), ""),
        ("generator-of-dense", "KNN-RND-02", (first, second, other), "/2/stage"),
        ("generator-of-none", "KNN-RND-02", (strange, first, second), "/0/stage"),
        ("generator-twice", "KNN-RND-03", (first, second, second), "/2/stage"),
        ("generators-exchanged", "KNN-RND-04", (second, first), "/0/stage"),
    )
    for name, clause, states, at in cases:
        yield invalid(AREA, name, clause, edited(SGD, {RANDOM: states}), f"{RANDOM}{at}", TWINS[id(SGD)])


def _state(stage: str) -> JsonValue:
    return {"stage": stage, "counter": "0" * 63 + "5"}


def _edges() -> Iterator[Vector]:
    effect = "A legal edge is refused, or changed on the way."
    dense = (Input("i", (2,)), Dense("d", 1, True, "sigmoid", 1))
    least, largest, top = word("0000000000000001"), word("7fefffffffffffff"), word("3fefffffffffffff")
    zero, one = word(ZERO), word(ONE)
    fine, coarse = word("3690000000000001"), word("47efffffefffffff")
    scale = LossScale(word("3810000000000000"), word("47efffffe0000000"), one, one, 1, 0)
    cases: tuple[tuple[str, Precision, tuple[Stage, ...], Optimizer, LossScale | None], ...] = (
        ("sgd-plain", "binary32", dense, Sgd(zero, zero, True), None),
        ("sgd-edges", "binary64", dense, Sgd(largest, top, False), None),
        ("adam-edges", "binary64", dense, Adam(least, zero, top, least, zero, one), None),
        ("epsilon-least", "binary32", dense, Adam(one, top, zero, fine, one, zero), None),
        ("epsilon-largest", "binary16", dense, Adam(one, top, top, coarse, one, one), scale),
        ("scale-edges", "binary16", dense, Sgd(one, least, False), scale),
        ("no-parameters", "binary16", (Input("i", (4, 2)), Flatten("f")), Sgd(one, top, True), scale),
    )
    for name, precision, stages, optimizer, scaling in cases:
        state = Training(optimizer, 2**53 - 1, "mean_squared_error", scaling, ())
        clauses = "KNN-TRN-02 KNN-TRN-03 KNN-TRN-04 KNN-TRN-05 KNN-TRN-08 KNN-TRN-09 KNN-TRN-10 KNN-TRN-11"
        yield valid(AREA, name, clauses, checkpoint(precision, stages, state), effect)
    last = 2**256 - 1
    random = (RandomState("Z", last), RandomState("a", 0))
    drops = (Input("i", (3,)), Dropout("Z", zero, 4), Dropout("a", top, 2**53 - 1))
    state = Training(Sgd(one, zero, False), 4, "sparse_categorical_crossentropy", None, random)
    yield valid(AREA, "counters", "KNN-TRN-12 KNN-RND-04", checkpoint("binary32", drops, state), effect)
