"""The premises of resume for Klyn: loading undoes saving, and training is a function of the state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import count

from bitproof_spec.document import Block
from bitproof_spec.encoding import Binary64
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.reals import ONE
from bitproof_spec.klyn.training import Adam, Training
from proofs.core.resume_premises import Runtime, hold
from proofs.klyn.resume_models import Edit, Model, Recipe, advance, fresh, recipes, restored
from proofs.law import Law, part

REAL: Runtime[Recipe, Model] = Runtime(recipes, fresh, advance, restored, lambda model: model.capture())
calls = count()


def advance_by_calls(recipe: Recipe, model: Model, epochs: int) -> None:
    """A twin whose shuffling knows how many calls the process has made."""
    advance(recipe._replace(seed=next(calls)), model, epochs)


def lost(edit: Edit) -> Runtime[Recipe, Model]:
    """A twin whose files lose something."""
    return replace(REAL, restored=partial(restored, edit=edit))


def training(document: Checkpoint) -> Training:
    """The document's training state, which every recipe has."""
    if document.training is None:
        raise ValueError("a compiled model was saved without its training state")
    return document.training


def without_counters(document: Checkpoint) -> Checkpoint:
    """Every Dropout starts afresh."""
    random = tuple(state._replace(counter=0) for state in training(document).random)
    return replace(document, training=training(document)._replace(random=random))


def without_powers(document: Checkpoint) -> Checkpoint:
    """Adam's accumulated powers start afresh."""
    optimizer = training(document).optimizer
    if isinstance(optimizer, Adam):
        optimizer = optimizer._replace(beta1_power=Binary64(ONE), beta2_power=Binary64(ONE))
    return replace(document, training=training(document)._replace(optimizer=optimizer))


def without_moments(document: Checkpoint) -> Checkpoint:
    """Momentum and moments are zero."""
    tensors = tuple((id, zeros(block) if id.count("/") == 2 else block) for id, block in document.tensors)
    return replace(document, tensors=tensors)


def zeros(block: Block) -> Block:
    """A block of the same shape without its values."""
    return replace(block, data=bytes(len(block.data)))


def without_good_steps(document: Checkpoint) -> Checkpoint:
    """The loss scale is kept, the count of good steps since it changed is not."""
    scale = training(document).loss_scale
    kept = scale and scale._replace(good_steps=0)
    return replace(document, training=training(document)._replace(loss_scale=kept))


TWINS: Mapping[str, Runtime[Recipe, Model]] = {
    "Dropout starts afresh": lost(without_counters),
    "powers start afresh": lost(without_powers),
    "moments are zero": lost(without_moments),
    "good steps are forgotten": lost(without_good_steps),
    "shuffling knows the calls": replace(REAL, advance=advance_by_calls),
}

LAW = Law(
    id="resume-klyn",
    statement="Klyn: loading undoes saving, saving disturbs nothing, and training is a function of the state",
    committed="tested",
    parts=(
        part("a few recipes", "Hypothesis", "tested", partial(hold, examples=25), REAL, TWINS),
        part("many recipes", "Hypothesis", "tested", partial(hold, examples=400), REAL, TWINS, slow=True),
    ),
)
