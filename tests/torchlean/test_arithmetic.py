"""Updates and normalisation against their definitions in exact arithmetic, every operation rounded once."""

from __future__ import annotations

from fractions import Fraction

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from bitproof.torchlean import nn
from bitproof.torchlean.chain import sequential
from bitproof.torchlean.context import Context, Own
from bitproof.torchlean.optimizers import Adam, AdamW, Moments, adam_update, descend
from bitproof.torchlean.random_session import RandomSession
from bitproof_spec import formats
from bitproof_spec.formats import BINARY32, BinaryFormat
from bitproof_spec.meaning import Finite
from bitproof_spec.rounding import nearest_even, word_of
from bitproof_spec.torchlean.optimizer_document import ADAMW
from tests.klyn.runtime.exact import DTYPES, Rounded, numbers, words

CASES = settings(max_examples=60, deadline=None, derandomize=True, database=None)
REALS = st.floats(-8, 8, width=16, allow_subnormal=False)
RATES = st.sampled_from([0.0, 0.1, 1 / 3, 0.5, 0.9, 0.999, 1e-7])
STEPS = st.lists(REALS, min_size=1, max_size=5)


class Exact:
    """One parameter under Adam or AdamW in exact arithmetic."""

    def __init__(self, optimizer: Adam | AdamW, weight: float, format: BinaryFormat = BINARY32) -> None:
        self.optimizer, self.format = optimizer, format
        self.p = self.of(weight)
        self.m = self.v = self.of(0)
        self.t = 0

    def of(self, number: float) -> Rounded:
        return Rounded.of(self.format, number)

    def step(self, g: Rounded) -> None:
        one, two, lr = self.optimizer.beta1, self.optimizer.beta2, self.optimizer.lr
        self.t += 1
        self.m = self.of(one).times(self.m).plus(self.of(1 - one).times(g))
        self.v = self.of(two).times(self.v).plus(self.of(1 - two).times(g.times(g)))
        if isinstance(self.optimizer, AdamW):
            self.p = self.p.minus(self.of(lr * self.optimizer.weight_decay).times(self.p))
        m, v = self.m.over(self.of(1 - one**self.t)), self.v.over(self.of(1 - two**self.t))
        self.p = self.p.minus(self.of(lr).times(m).over(v.root().plus(self.of(self.optimizer.epsilon))))


def compare(optimizer: Adam | AdamW, weights: list[float], rows: list[list[float]], dtype: torch.dtype) -> None:
    """Step by step, every element of parameter and moments."""
    exact = [Exact(optimizer, weight, DTYPES[dtype]) for weight in weights]
    p = torch.tensor(weights, dtype=dtype)
    moments = Moments(0, torch.zeros_like(p), torch.zeros_like(p))
    for row in rows:
        g = torch.tensor(row, dtype=dtype)
        adam_update(p, g, moments, optimizer.config, optimizer.lr)
        for each, number in zip(exact, numbers(g), strict=True):
            each.step(Rounded(each.format, number))
        for tensor, member in ((moments.first, "m"), (moments.second, "v"), (p, "p")):
            assert numbers(tensor) == [getattr(each, member).number for each in exact], member


@CASES
@given(lr=RATES, betas=st.tuples(RATES, RATES), epsilon=st.sampled_from([1e-8, 0.5]), weight=REALS, gradients=STEPS)
def test_adam_is_its_definition_in_exact_arithmetic(
    lr: float, betas: tuple[float, float], epsilon: float, weight: float, gradients: list[float]
) -> None:
    # TLR-ADM-01, TLR-ADM-03
    compare(Adam(lr, *betas, epsilon), [weight], [[g] for g in gradients], torch.float32)


@CASES
@given(lr=RATES, betas=st.tuples(RATES, RATES), decay=RATES, weight=REALS, gradients=STEPS)
def test_adamw_decays_first_and_is_its_definition_in_exact_arithmetic(
    lr: float, betas: tuple[float, float], decay: float, weight: float, gradients: list[float]
) -> None:
    # TLR-ADM-02
    compare(AdamW(lr, *betas, 1e-8, decay), [weight], [[g] for g in gradients], torch.float32)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("optimizer", [Adam(0.1), AdamW(1 / 3, 0.7, 0.95, 1e-6, 0.3)], ids=str)
def test_no_kernel_for_long_rows_fuses_or_reorders_an_update(optimizer: Adam | AdamW, dtype: torch.dtype) -> None:
    generator = torch.Generator().manual_seed(3)
    rows: list[list[float]] = torch.randn(4, 67, generator=generator).tolist()
    compare(optimizer, rows[0], rows[1:], dtype)


def test_a_decay_that_comes_last_or_a_constant_that_is_rounded_twice_would_be_noticed() -> None:
    optimizer = AdamW(1 / 3, 0.7, 0.95, 1e-6, 0.3)
    right, late, twice = (Exact(optimizer, 1.7) for _ in range(3))
    g = Rounded.of(BINARY32, 0.9)
    right.step(g)
    late.optimizer = Adam(1 / 3, 0.7, 0.95, 1e-6)
    late.step(g)
    late.p = late.p.minus(late.of(optimizer.lr * optimizer.weight_decay).times(late.p))
    factor = twice.of(optimizer.lr).times(twice.of(optimizer.weight_decay))
    assert late.p != right.p
    assert factor != twice.of(optimizer.lr * optimizer.weight_decay)
    assert optimizer.config.kind == ADAMW


@CASES
@given(lr=RATES, weight=REALS, gradients=STEPS)
def test_gradient_descent_rounds_product_and_difference(lr: float, weight: float, gradients: list[float]) -> None:
    p, exact = torch.tensor([weight]), Rounded.of(BINARY32, weight)
    for each in gradients:
        g = torch.tensor([each])
        descend(p, g, lr)
        exact = exact.minus(Rounded.of(BINARY32, numbers(g)[0]).times(Rounded.of(BINARY32, lr)))
    assert numbers(p) == [exact.number]


def normalised(layer: nn.BatchNorm[int], x: torch.Tensor, state: list[torch.Tensor], training: bool) -> torch.Tensor:
    """A pass whose buffer updates are put into `state`."""
    context = Context(training, RandomSession())
    y = layer.forward(x, Own(state, 0, context))
    for index, value in context.updates:
        state[index] = value
    return y


def batch_state(momentum: float) -> list[torch.Tensor]:
    """Scale, bias, mean, variance, momentum."""
    return [torch.tensor(v) for v in ([1.5, 1.0], [0.25, 0.0], [0.3, -0.7], [0.9, 1.1], momentum)]


@pytest.mark.parametrize("n", [1, 2, 4])
def test_running_values_move_by_momentum_and_the_unbiased_variance_where_there_is_one(n: int) -> None:
    # TLR-NRM-02
    x = torch.tensor([[1.0, -2.0], [3.0, 5.0], [2.0, 0.0], [6.0, 1.0]])[:n]  # sums are exact in binary32
    momentum, state = 0.3, batch_state(0.3)
    normalised(nn.BatchNorm(2, momentum), x, state, training=True)
    m = Rounded.of(BINARY32, momentum)
    stay = Rounded.of(BINARY32, 1).minus(m)
    for column in range(2):
        values = [Fraction(float(v)) for v in x[:, column]]
        mean = Rounded.of(BINARY32, sum(values, Fraction(0)) / n)
        biased = Rounded.of(BINARY32, sum((v - mean.number) ** 2 for v in values) / n)
        unbiased = biased.times(Rounded.of(BINARY32, n / (n - 1))) if n > 1 else biased
        for index, running, seen in ((2, [0.3, -0.7], mean), (3, [0.9, 1.1], unbiased)):
            old = Rounded.of(BINARY32, Fraction(float(torch.tensor(running[column]))))
            owed = stay.times(old).plus(m.times(seen))
            assert numbers(state[index])[column] == owed.number, (index, column)
    assert words(state[4]) == words(torch.tensor(momentum))


def test_batch_norm_normalises_by_the_batch_in_training_and_by_the_running_values_else() -> None:
    # TLR-NRM-01
    x = torch.randn(6, 2, generator=torch.Generator().manual_seed(4))
    for training in (True, False):
        state = batch_state(0.3)
        scale, bias, mean, variance, _ = (tensor.double() for tensor in state)
        y = normalised(nn.BatchNorm(2, 0.3), x, state, training)
        if training:
            mean, variance = x.double().mean(0), x.double().var(0, correction=0)
        torch.testing.assert_close(y, ((x - mean) / (variance + 1e-5).sqrt() * scale + bias).float())
        assert (words(state[2]) == words(torch.tensor([0.3, -0.7]))) == (not training)


def test_layer_norm_normalises_each_sample_by_its_own_mean_and_biased_variance() -> None:
    x = torch.randn(3, 5, generator=torch.Generator().manual_seed(4))
    scale, bias = torch.linspace(0.5, 1.5, 5), torch.linspace(-1, 1, 5)
    y = sequential((5,)).then(nn.LayerNorm(5)).forward([scale, bias], x, Context(True, RandomSession()))
    wide = x.double()
    mean, variance = wide.mean(1, keepdim=True), wide.var(1, correction=0, keepdim=True)
    torch.testing.assert_close(y, ((wide - mean) / (variance + 1e-5).sqrt() * scale + bias).float())


@pytest.mark.parametrize(
    ("format", "over", "under"),
    [
        (formats.BINARY16, 0x7C00, 0xFC00),
        (formats.E4M3FN, 0x7F, 0xFF),
        (formats.E4M3FNUZ, 0x80, 0x80),
        (formats.E2M1, 0x7, 0xF),
    ],
)
def test_a_value_becomes_the_nearest_word_and_overflow_goes_by_the_specials(
    format: BinaryFormat, over: int, under: int
) -> None:
    # TLR-WRD-01
    assert word_of(format, Finite(0, 1, 300)) == over
    assert word_of(format, Finite(1, 1, 300)) == under
    one = format.bias << format.fraction_bits
    ulp = Fraction(1, 1 << format.fraction_bits)
    assert nearest_even(format, 1 + ulp / 2) == one
    assert nearest_even(format, 1 + 3 * ulp / 2) == one + 2
    assert nearest_even(format, 1 + 3 * ulp / 4) == one + 1
