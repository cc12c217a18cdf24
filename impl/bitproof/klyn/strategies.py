"""Hypothesis strategies for KNN: documents of every kind, other spellings of their files, files with other manifests.

No torch and no numpy: words and bytes only, so that anyone's reader can be tried with them.
"""

from __future__ import annotations

import json
from random import Random

from bitproof.hypothesis_extra import SearchStrategy, st
from bitproof.klyn.stage_strategies import models, words_within
from bitproof.strategies import blocks, mutations
from bitproof_spec.klyn import reals
from bitproof_spec.klyn.constants import INTEGER_LIMIT, LOSSES, PRECISIONS, TRAINING_PRECISION, Precision
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.stages import Dropout, Stage
from bitproof_spec.klyn.tensors import table
from bitproof_spec.klyn.training import Adam, LossScale, Optimizer, RandomState, Sgd, Training
from bitproof_spec.klyn.vectors.building import ABSENT, edited, manifest, text, with_text
from bitproof_spec.klyn.vectors.models import HALF_ADAM, IMAGE, SGD
from bitproof_spec.strict_json import JsonValue

__all__ = ["checkpoints", "models", "other_manifests", "spellings", "trainings"]

_RICH = (SGD, HALF_ADAM, IMAGE)  # documents with something of everything to damage
_REPLACEMENTS: tuple[JsonValue, ...] = (
    *(None, True, False, 0, 1, 64, 2**31, INTEGER_LIMIT, "", "x", "Input", "binary16", "binary32"),
    *("0" * 16, "3ff0000000000000", "8000000000000000", "7ff8000000000000", "0" * 64, (), (0,), {}),
)


@st.composite
def checkpoints(draw: st.DrawFn, precision: Precision | None = None) -> Checkpoint:
    """Documents that conform: every stage, precision, optimizer and padding, empty tensors, any bits; all small."""
    chosen: Precision = draw(st.sampled_from(PRECISIONS)) if precision is None else precision
    stages = draw(models())
    training = draw(st.one_of(st.none(), trainings(chosen, stages), trainings(chosen, stages)))
    specs = table(chosen, stages, training.optimizer if training else None)
    return Checkpoint(
        chosen, stages, training, tuple((spec.name, draw(blocks(spec.storage, spec.shape))) for spec in specs)
    )


@st.composite
def trainings(draw: st.DrawFn, precision: Precision, stages: tuple[Stage, ...]) -> Training:
    """Training states that fit a model; every number may stand at an end of its range."""
    dropouts = [stage.name for stage in stages if isinstance(stage, Dropout)]
    counters = st.integers(0, 2**256 - 1) | st.sampled_from((0, 1, 2**64, 2**256 - 1))
    return Training(
        draw(_sgds() | _adams(precision)),
        draw(st.integers(0, INTEGER_LIMIT)),
        draw(st.sampled_from(LOSSES)),
        draw(_loss_scales()) if precision == "binary16" else None,
        tuple(RandomState(name, draw(counters)) for name in dropouts),
    )


def _sgds() -> SearchStrategy[Optimizer]:
    return st.builds(Sgd, words_within(reals.LEARNING_RATE), words_within(reals.DECAY), st.booleans())


def _adams(precision: Precision) -> SearchStrategy[Optimizer]:
    decays, powers = words_within(reals.DECAY), words_within(reals.POWER)
    epsilons = words_within(reals.EPSILON[TRAINING_PRECISION[precision]])
    return st.builds(Adam, words_within(reals.LEARNING_RATE), decays, decays, epsilons, powers, powers)


@st.composite
def _loss_scales(draw: st.DrawFn) -> LossScale:
    scales = words_within(reals.SCALE)
    good_steps = draw(st.integers(0, INTEGER_LIMIT - 1))
    return LossScale(
        draw(scales),
        draw(scales),
        draw(words_within(reals.GROWTH)),
        draw(words_within(reals.BACKOFF)),
        draw(st.integers(good_steps + 1, INTEGER_LIMIT)),
        good_steps,
    )


@st.composite
def spellings(draw: st.DrawFn, documents: SearchStrategy[Checkpoint] | None = None) -> tuple[Checkpoint, bytes]:
    """Documents and files of theirs in any order of members, any white space, any escapes: all to be accepted."""
    document = draw(checkpoints() if documents is None else documents)
    value = draw(_reordered(manifest(document)))
    indent = draw(st.none() | st.integers(0, 3))
    separators = draw(st.sampled_from(((",", ":"), (" ,\r\n", "\t: "))))
    spelled = json.dumps(value, indent=indent, separators=separators).encode()
    return document, with_text(document, draw(st.sampled_from((b"", b"\r\n"))) + spelled)


@st.composite
def _reordered(draw: st.DrawFn, value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        names = draw(st.permutations(list(value)))
        return {name: draw(_reordered(value[name])) for name in names}
    return tuple(draw(_reordered(item)) for item in value) if isinstance(value, tuple) else value


@st.composite
def other_manifests(draw: st.DrawFn, documents: SearchStrategy[Checkpoint] | None = None) -> bytes:
    """Files whose manifests are damaged, in one member or in their text, under headers that fit them."""
    document = draw(st.sampled_from(_RICH) | checkpoints() if documents is None else documents)
    luck = draw(st.randoms(use_true_random=True))  # seeded by Hypothesis, whose own draws prefer the first of a list
    if not luck.randrange(4):
        return with_text(document, draw(mutations(text(document))))
    whole = manifest(document)
    pointer, old = _place(luck, whole)
    alike = [new for new in (*_REPLACEMENTS, *_scalars(whole)) if type(new) is type(old) and new != old]
    return edited(document, {pointer: luck.choice(alike if alike and luck.randrange(4) else (ABSENT, *_REPLACEMENTS))})


def _place(luck: Random, whole: JsonValue) -> tuple[str, JsonValue]:
    """The pointer of a value and the value: a walk down, mostly into parts that have parts."""
    pointer, value = "", whole
    while isinstance(value, dict | tuple) and value and luck.randrange(8):
        items = list(value.items()) if isinstance(value, dict) else [(str(n), item) for n, item in enumerate(value)]
        inner = [item for item in items if isinstance(item[1], dict | tuple) and item[1]]
        step, value = luck.choice(inner if inner and luck.randrange(8) else items)
        pointer = f"{pointer}/{step}"
    return pointer, value


def _scalars(value: JsonValue) -> list[JsonValue]:
    """Every string and number in a value, each once."""
    if isinstance(value, dict | tuple):
        items = value.values() if isinstance(value, dict) else value
        return list(dict.fromkeys(scalar for item in items for scalar in _scalars(item)))
    return [value] if isinstance(value, str | int) else []
