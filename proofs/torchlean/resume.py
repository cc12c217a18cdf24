"""The premises of resume for TorchLean: a module and its optimizer, their two files, and training after them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeAlias

import torch
from hypothesis import strategies as st

from bitproof.torchlean import checkpoint, nn
from bitproof.torchlean.backends import EagerNative
from bitproof.torchlean.chain import Sequential
from bitproof.torchlean.module import Module
from bitproof.torchlean.optimizer_io import OptimizerTarget
from bitproof.torchlean.optimizers import Adam, AdamW
from bitproof.torchlean.scalars import Float32
from bitproof.torchlean.state_io import StreamedTarget
from proofs.core.resume_premises import Runtime, Together, hold
from proofs.law import Law, part

WIDTH = 3
Live: TypeAlias = Module[Float32]
calls = count()


class Recipe(NamedTuple):
    """All that a new module and its training depend on; `layers` are from WIDTH features to WIDTH."""

    layers: tuple[Any, ...]  # Any: layers of different numbers of tensors
    optimizer: Adam | AdamW
    seed: int
    draws: int


def layers() -> st.SearchStrategy[Any]:
    """One layer of any kind."""
    return st.one_of(
        st.just(nn.Linear(WIDTH, WIDTH)),
        st.sampled_from([0.0, 0.25, 0.5, 1.0]).map(lambda p: nn.Dropout((WIDTH,), p)),
        st.sampled_from([0.1, 0.5]).map(lambda momentum: nn.BatchNorm(WIDTH, momentum)),
        st.just(nn.LayerNorm(WIDTH)),
        st.sampled_from([nn.ReLU((WIDTH,)), nn.Tanh((WIDTH,)), nn.Sigmoid((WIDTH,))]),
    )


def optimizers() -> st.SearchStrategy[Adam | AdamW]:
    """Adam and AdamW with settings that differ from every default."""
    rates, betas = st.sampled_from([0.02, 0.1]), st.sampled_from([0.7, 0.95])
    adam = st.builds(Adam, rates, betas, betas, st.just(3e-7))
    return adam | st.builds(AdamW, rates, betas, betas, st.just(3e-7), st.just(0.03))


def fresh(recipe: Recipe) -> Live:
    """A module with one trained layer at least, under the backend that owns its optimizer state."""
    model: Sequential[Any, Any, *tuple[Any, ...]] = Sequential(
        (WIDTH,), (WIDTH,), (nn.Dropout((WIDTH,), 0.4), nn.Linear(WIDTH, WIDTH), *recipe.layers)
    )
    return Module(model, Float32, EagerNative(recipe.optimizer, seed=recipe.draws), seed=recipe.seed)


def advance(recipe: Recipe, module: Live, steps: int) -> None:
    """Train on one batch drawn from the recipe's seed."""
    generator = torch.Generator().manual_seed(recipe.seed)
    batch = (torch.randn(4, WIDTH, generator=generator), torch.randn(4, WIDTH, generator=generator))
    for _ in range(steps):
        module.backend.step(module, batch)


def state(module: Live) -> Together:
    """State and optimizer state."""
    optimizer = OptimizerTarget(module).capture()
    return Together({"state": StreamedTarget(module.parameters()).capture(), "optimizer": optimizer})


def restored(recipe: Recipe, module: Live, spoil: Callable[[EagerNative], None] | None = None) -> Live:
    """A module of other weights that loads both files; `spoil` changes what its backend got from them."""
    loaded = fresh(recipe._replace(seed=recipe.seed + 1))
    with TemporaryDirectory() as folder:
        weights, moments = Path(folder, "state.tlsf32b"), Path(folder, "optimizer.tladamf")
        checkpoint.save(module, weights)
        checkpoint.optimizer.save(module, moments)
        checkpoint.load(loaded, weights)
        checkpoint.optimizer.load(loaded, moments)
    if spoil is not None and isinstance(loaded.backend, EagerNative):
        spoil(loaded.backend)
    return loaded


def no_counter(backend: EagerNative) -> None:
    """The random counter starts afresh."""
    backend.session.counter = 0


def first_steps(backend: EagerNative) -> None:
    """The bias correction starts afresh."""
    for moments in backend.moments.values():
        moments.step = 1


def quieted(backend: EagerNative) -> None:
    """Second moments go through a half."""
    for moments in backend.moments.values():
        moments.second = moments.second.half().float()


def advance_by_calls(recipe: Recipe, module: Live, steps: int) -> None:
    """A twin whose batches know how many calls the process has made."""
    advance(recipe._replace(seed=next(calls)), module, steps)


def lost(spoil: Callable[[EagerNative], None]) -> Runtime[Recipe, Live]:
    """A twin whose load loses something."""
    return replace(REAL, restored=partial(restored, spoil=spoil))


RECIPES = st.builds(
    Recipe, st.lists(layers(), max_size=4).map(tuple), optimizers(), st.integers(0, 2**31), st.integers(0, 2**64 - 1)
)
REAL: Runtime[Recipe, Live] = Runtime(RECIPES, fresh, advance, restored, state)
TWINS: Mapping[str, Runtime[Recipe, Live]] = {
    "the counter starts afresh": lost(no_counter),
    "bias correction starts afresh": lost(first_steps),
    "moments through a half": lost(quieted),
    "batches know the calls": replace(REAL, advance=advance_by_calls),
}

LAW = Law(
    id="resume-torchlean",
    statement="TorchLean: loading undoes saving, saving disturbs nothing, and training is a function of the state",
    committed="tested",
    parts=(
        part("a few recipes", "Hypothesis", "tested", partial(hold, examples=40), REAL, TWINS),
        part("many recipes", "Hypothesis", "tested", partial(hold, examples=1000), REAL, TWINS, slow=True),
    ),
)
