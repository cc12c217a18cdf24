"""SGD and Adam against their definitions in exact arithmetic, every operation rounded once; the three precisions."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from math import sqrt
from random import Random
from typing import TypeAlias

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from bitproof.arithmetic import root
from bitproof.klyn import SGD, Adam
from bitproof.klyn.dtypes import TORCH, training_dtype
from bitproof.klyn.optimizers import started, update
from bitproof_spec.klyn import training as spec
from bitproof_spec.klyn.constants import Precision
from tests.klyn.runtime.exact import DTYPES, FORMATS, PRECISIONS, Rounded, numbers, words

Tensors: TypeAlias = dict[str, torch.Tensor]
CASES = settings(max_examples=60, deadline=None, derandomize=True, database=None)
EACH = pytest.mark.parametrize("precision", [each.format for each in PRECISIONS])
REALS = st.floats(-8, 8, width=16, allow_subnormal=False)
RATES = st.sampled_from([0.0, 0.1, 0.001, 1 / 3, 0.5, 0.9, 0.999, 1e-7])


class Sgd:
    """One parameter under SGD in exact arithmetic."""

    def __init__(self, settings: SGD, precision: Precision, weight: float) -> None:
        self.wide = DTYPES[training_dtype(precision)]
        self.stored = FORMATS[precision]
        self.rate = Rounded.of(self.wide, settings.learning_rate)
        self.decay = Rounded.of(self.wide, settings.momentum)
        self.settings = settings
        self.weight = Rounded.of(self.stored, weight)
        self.momentum = Rounded.of(self.wide, 0)

    def step(self, gradient: Rounded) -> None:
        direction = gradient
        if self.settings.momentum:
            self.momentum = self.decay.times(self.momentum).plus(gradient)
            direction = self.momentum
            if self.settings.nesterov:
                direction = gradient.plus(self.decay.times(self.momentum))
        self.weight = self.weight.to(self.wide).minus(self.rate.times(direction)).to(self.stored)


class Moments:
    """One parameter under Adam in exact arithmetic; constants in binary64, each rounded once."""

    def __init__(self, settings: Adam, precision: Precision, weight: float) -> None:
        self.wide = DTYPES[training_dtype(precision)]
        self.stored = FORMATS[precision]
        self.settings = settings
        self.powers = (1.0, 1.0)
        self.master = Rounded.of(self.stored, weight).to(self.wide)
        self.m = self.v = Rounded.of(self.wide, 0)

    def step(self, gradient: Rounded) -> None:
        beta1, beta2 = self.settings.beta1, self.settings.beta2
        self.powers = (self.powers[0] * beta1, self.powers[1] * beta2)
        factor = self.settings.learning_rate * sqrt(1 - self.powers[1]) / (1 - self.powers[0])
        constants = (1 - beta1, 1 - beta2, self.settings.epsilon, factor)
        decay1, decay2, epsilon, step = (Rounded.of(self.wide, constant) for constant in constants)
        self.m = self.m.plus(gradient.minus(self.m).times(decay1))
        self.v = self.v.plus(gradient.times(gradient).minus(self.v).times(decay2))
        self.master = self.master.minus(step.times(self.m).over(self.v.root().plus(epsilon)))

    @property
    def weight(self) -> Rounded:
        return self.master.to(self.stored)


def live(optimizer: SGD | Adam, precision: Precision, weights: list[float]) -> tuple[Tensors, Tensors]:
    """A parameter and its training tensors."""
    parameter = torch.tensor(weights, dtype=TORCH[precision])
    wide = training_dtype(precision)
    suffixes = ["momentum"] if isinstance(optimizer, SGD) and optimizer.momentum else []
    suffixes += ["adam_m", "adam_v"] if isinstance(optimizer, Adam) else []
    tensors = {f"p/{suffix}": torch.zeros(len(weights), dtype=wide) for suffix in suffixes}
    if isinstance(optimizer, Adam) and precision == "binary16":
        tensors["p/master"] = parameter.to(wide)
    return {"p": parameter}, tensors


def compare(optimizer: SGD | Adam, precision: Precision, weights: list[float], gradients: list[list[float]]) -> None:
    """Step by step, every element of every tensor against exact arithmetic; `gradients` holds a list for each step."""
    exact: Sequence[Sgd | Moments]
    if isinstance(optimizer, SGD):
        exact = [Sgd(optimizer, precision, weight) for weight in weights]
    else:
        exact = [Moments(optimizer, precision, weight) for weight in weights]
    parameters, tensors = live(optimizer, precision, weights)
    state = started(optimizer, precision)
    for row in gradients:
        given = torch.tensor(row, dtype=training_dtype(precision))
        for each, gradient in zip(exact, numbers(given), strict=True):
            each.step(Rounded(each.wide, gradient))
        state = update(state, parameters, tensors, {"p": given})
        assert numbers(parameters["p"]) == [each.weight.number for each in exact]
        for id, tensor in tensors.items():
            member = id.partition("/")[2].removeprefix("adam_")
            assert numbers(tensor) == [getattr(each, member).number for each in exact], id
        if isinstance(state, spec.Adam):
            powers = {each.powers for each in exact if isinstance(each, Moments)}
            assert {(word(p1), word(p2)) for p1, p2 in powers} == {(state.beta1_power, state.beta2_power)}


def word(number: float) -> int:
    return int(struct.pack(">d", number).hex(), 16)


STEPS = st.lists(st.lists(REALS, min_size=2, max_size=2), min_size=1, max_size=4)


@EACH
@CASES
@given(rate=RATES, momentum=RATES, nesterov=st.booleans(), weight=REALS, gradients=STEPS)
def test_sgd_is_its_definition_in_exact_arithmetic(
    precision: Precision, rate: float, momentum: float, nesterov: bool, weight: float, gradients: list[list[float]]
) -> None:
    compare(SGD(rate, momentum, nesterov), precision, [weight, 1.0], gradients)


@EACH
@CASES
@given(settings=st.tuples(RATES, RATES, RATES, st.sampled_from([1e-7, 0.5, 1.0])), weight=REALS, gradients=STEPS)
def test_adam_is_its_definition_in_exact_arithmetic(
    precision: Precision, settings: tuple[float, float, float, float], weight: float, gradients: list[list[float]]
) -> None:
    compare(Adam(*settings), precision, [weight, 1.0], gradients)


@EACH
@pytest.mark.parametrize("optimizer", [SGD(0.1), SGD(0.1, 0.9), SGD(1 / 3, 0.7, nesterov=True), Adam(0.1)], ids=str)
def test_no_kernel_for_long_rows_fuses_or_reorders_an_update(precision: Precision, optimizer: SGD | Adam) -> None:
    random = Random(3)
    rows = [[random.uniform(-2, 2) for _ in range(67)] for _ in range(4)]
    weights = [float(torch.tensor(weight, dtype=TORCH[precision])) for weight in rows[0]]
    compare(optimizer, precision, weights, rows[1:])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_square_roots_are_rounded_to_nearest_where_torchs_own_may_not_be(dtype: torch.dtype) -> None:
    generator = torch.Generator().manual_seed(5)
    values = torch.rand(3000, generator=generator, dtype=dtype) * 10
    for found, number in zip(numbers(root(values)), numbers(values), strict=True):
        assert found == Rounded(DTYPES[dtype], number).root().number
    assert words(root(torch.tensor([0.0, -0.0, float("inf")], dtype=dtype)))[:2] == [0, DTYPES[dtype].sign_word]
    assert bool(root(torch.tensor([-1.0], dtype=dtype)).isnan())
