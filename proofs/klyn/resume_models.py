"""Recipes of Klyn models for the premises of resume, and models made of them, trained, saved and loaded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from hypothesis import strategies as st

from bitproof.klyn import files, stages
from bitproof.klyn.loss_scale import LossScaling
from bitproof.klyn.optimizers import SGD, Adam, Settings
from bitproof.klyn.precision import PRECISIONS, Float16, Precision
from bitproof.klyn.sequential import Sequential
from bitproof_spec.klyn.constants import Loss
from bitproof_spec.klyn.document import Checkpoint

Model: TypeAlias = "Sequential[Any]"  # Any: of each precision in turn
Stage: TypeAlias = "stages.Stage[Any]"
Stages: TypeAlias = "st.SearchStrategy[Stage]"
Chains: TypeAlias = "st.SearchStrategy[tuple[Stage, ...]]"
Edit: TypeAlias = Callable[[Checkpoint], Checkpoint]


class Recipe(NamedTuple):
    """All that a new model and its training depend on."""

    precision: type[Precision]
    stages: tuple[Stage, ...]
    optimizer: Settings
    loss: Loss
    scaling: LossScaling
    seed: int


activations = st.sampled_from(["linear", "relu", "sigmoid", "tanh"])
seeds = st.integers(0, 2**53 - 1)
flags = st.booleans()
dropouts: Stages = st.builds(stages.Dropout, st.sampled_from([0.0, 0.25, 0.5]), seed=seeds)
elementwise: Stages = st.one_of(
    dropouts, dropouts, st.builds(stages.ReLU), st.builds(stages.Sigmoid), st.builds(stages.Tanh)
)
dense: Stages = st.builds(stages.Dense, st.integers(1, 4), activations, flags, seed=seeds)
paddings = st.sampled_from(["valid", "same"])
pairs = st.sampled_from([1, 2, (2, 1), (1, 2)])
convolutions: Stages = st.builds(
    stages.Conv2D, st.integers(1, 3), pairs, pairs, paddings, activations, flags, seed=seeds
)
transposed: Stages = st.builds(
    stages.Conv2DTranspose, st.integers(1, 2), pairs, pairs, paddings, activations, flags, seed=seeds
)
pools: list[Stages] = [
    st.builds(pool, pairs, pairs, st.just("same")) for pool in (stages.MaxPooling2D, stages.AveragePooling2D)
]

vectors: Chains = st.tuples(st.builds(stages.Input, st.tuples(st.integers(1, 4))), dense, dropouts, elementwise, dense)
images: Chains = st.tuples(
    st.builds(stages.Input, st.sampled_from([(4, 5, 2), (5, 4, 1)])),
    convolutions,
    elementwise,
    st.one_of(transposed, *pools),
    dropouts,
    st.builds(stages.Flatten),
    dense,
)
optimizers = st.one_of(
    st.builds(SGD, st.sampled_from([0.01, 0.3]), st.sampled_from([0.0, 0.9]), flags),
    st.builds(Adam, st.sampled_from([0.002, 0.1]), st.sampled_from([0.8, 0.95]), st.sampled_from([0.9, 0.99])),
)
# An epoch has two updates: a scale that grows within a few epochs or only counts, and one that overflows at first.
scalings = st.builds(LossScaling, st.sampled_from([2.0**4, 2.0**20]), growth_interval=st.sampled_from([3, 5, 1000]))
regressions = st.builds(
    Recipe, st.sampled_from(PRECISIONS), vectors | images, optimizers, st.just("mean_squared_error"), scalings, seeds
)
classified = (vectors | images).map(lambda chain: (*chain, stages.Softmax()))
classifications = st.builds(
    Recipe,
    st.sampled_from(PRECISIONS),
    classified,
    optimizers,
    st.just("sparse_categorical_crossentropy"),
    scalings,
    seeds,
)
recipes = regressions | classifications


def fresh(recipe: Recipe) -> Model:
    """A compiled model."""
    model: Model = Sequential[recipe.precision](recipe.stages)  # type: ignore[name-defined]  # a class by its precision
    scaling = recipe.scaling if recipe.precision is Float16 else None
    model.compile(recipe.optimizer, recipe.loss, loss_scaling=scaling)
    return model


def advance(recipe: Recipe, model: Model, epochs: int) -> None:
    """Train on 5 samples drawn from the recipe's seed, each epoch a call of its own."""
    generator = np.random.default_rng(recipe.seed)
    x = generator.normal(size=(5, *recipe.stages[0].shape))  # type: ignore[attr-defined]  # the first is an Input
    outputs = model.predict(x).shape
    classes = generator.integers(0, outputs[-1], size=outputs[:-1])
    y = generator.normal(size=outputs) if recipe.loss == "mean_squared_error" else classes
    for _ in range(epochs):
        model.fit(x, y, batch_size=3, seed=recipe.seed, verbose=0)


def restored(_recipe: Recipe, model: Model, edit: Edit | None = None) -> Model:
    """The model that loads from the model's file; `edit` changes the file's document in between."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "model.knn")
        model.save(path, durable=False)
        if edit is not None:
            files.write(path, edit(files.read(path)), durable=False)
        return type(model).load(path)
