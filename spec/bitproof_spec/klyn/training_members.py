"""The manifest's training state: its schema by precision, and its reader."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from bitproof_spec.encoding import Binary64
from bitproof_spec.findings import Findings
from bitproof_spec.klyn import kinds, reals
from bitproof_spec.klyn.constants import INTEGER_LIMIT, LOSSES, TRAINING_PRECISION, Precision
from bitproof_spec.klyn.members import Kind, Schema, members, shown, typed, variant
from bitproof_spec.klyn.reals import ONE
from bitproof_spec.klyn.training import Adam, LossScale, Optimizer, RandomState, Sgd, Training
from bitproof_spec.strict_json import JsonValue

SGD_MEMBERS: Schema = {
    "learning_rate": kinds.real(reals.LEARNING_RATE),
    "momentum": kinds.real(reals.DECAY),
    "nesterov": kinds.FLAG,
}
ADAM_MEMBERS: Schema = {
    "learning_rate": kinds.real(reals.LEARNING_RATE),
    "beta1": kinds.real(reals.DECAY),
    "beta2": kinds.real(reals.DECAY),
    "epsilon": kinds.real(reals.EPSILON["binary64"]),
    "beta1_power": kinds.real(reals.POWER),
    "beta2_power": kinds.real(reals.POWER),
}
LOSS_SCALE_MEMBERS: Schema = {
    "scale": kinds.real(reals.SCALE),
    "initial_scale": kinds.real(reals.SCALE),
    "growth_factor": kinds.real(reals.GROWTH),
    "backoff_factor": kinds.real(reals.BACKOFF),
    "growth_interval": kinds.natural(INTEGER_LIMIT + 1),  # so that a bad one makes no other finding
    "good_steps": kinds.NATURAL,
}
RANDOM_MEMBERS: Schema = {"stage": kinds.STRING, "counter": kinds.digest("KNN-TRN-12")}
OPTIMIZER_MAKERS: Mapping[str, Callable[..., Optimizer]] = {"SGD": Sgd, "Adam": Adam}
STAND_IN = Sgd(Binary64(0), Binary64(0), False)  # for an optimizer that can't be read
SCALE_STAND_IN = LossScale(Binary64(ONE), Binary64(ONE), Binary64(ONE), Binary64(ONE), 1, 0)
LOSS = kinds.choice("KNN-TRN-06", LOSSES)


def training_kind(precision: Precision | None) -> Kind[Training | None]:
    """null or the training state of a model of that precision; None when the manifest names no precision."""
    schema: Schema = {
        "optimizer": Kind(_optimizer(precision), STAND_IN),
        "step": kinds.NATURAL,
        "loss": LOSS,
        "loss_scale": Kind(_loss_scale(precision), SCALE_STAND_IN if precision == "binary16" else None),
        "random": Kind(_random, ()),
    }

    def judged(findings: Findings, where: str, value: JsonValue) -> Training | None:
        if value is None:
            return None
        if not isinstance(value, dict):
            findings.add("KNN-MEM-01", where, shown(value), "an object or null")
            return None
        read = members(findings, where, value, schema, optional=("loss",))
        return None if read is None else cast("Callable[..., Training]", Training)(**read)

    return Kind(judged, None)


def _optimizer(precision: Precision | None) -> Callable[[Findings, str, JsonValue], Optimizer]:
    adam = ADAM_MEMBERS
    if precision is not None:
        adam = {**ADAM_MEMBERS, "epsilon": kinds.real(reals.EPSILON[TRAINING_PRECISION[precision]])}

    def read(findings: Findings, where: str, value: JsonValue) -> Optimizer:
        chosen = variant(findings, where, value, "KNN-TRN-01", {"SGD": SGD_MEMBERS, "Adam": adam})
        return STAND_IN if chosen is None else OPTIMIZER_MAKERS[chosen[0]](**chosen[1])

    return read


def _loss_scale(precision: Precision | None) -> Callable[[Findings, str, JsonValue], LossScale | None]:
    def read(findings: Findings, where: str, value: JsonValue) -> LossScale | None:
        if value is not None and not isinstance(value, dict):
            findings.add("KNN-MEM-01", where, shown(value), "an object or null")
            return None
        if precision is not None and (precision == "binary16") != isinstance(value, dict):
            owed = "an object" if precision == "binary16" else "null"
            findings.add("KNN-TRN-07", where, shown(value), f"{owed} for {precision}")
            return None
        return None if value is None else _scaling(findings, where, value)

    return read


def _scaling(findings: Findings, where: str, value: JsonValue) -> LossScale:
    read = members(findings, where, value, LOSS_SCALE_MEMBERS)
    if read is None:
        return SCALE_STAND_IN
    scaling = cast("Callable[..., LossScale]", LossScale)(**read)
    steps, interval = scaling.good_steps, scaling.growth_interval
    findings.owe(steps < interval, "KNN-TRN-11", f"{where}/good_steps", steps, f"below the interval of {interval}")
    return scaling


def _random(findings: Findings, where: str, value: JsonValue) -> tuple[RandomState, ...]:
    items = typed(findings, where, value, tuple, (), "an array")
    return tuple(_random_state(findings, f"{where}/{index}", item) for index, item in enumerate(items))


def _random_state(findings: Findings, where: str, value: JsonValue) -> RandomState:
    read = members(findings, where, value, RANDOM_MEMBERS)
    if read is None:
        return RandomState("", 0)
    return RandomState(cast("str", read["stage"]), int.from_bytes(cast("bytes", read["counter"]), "big"))
