"""Dropout: the published draws, the masks that follow from them, and when nothing is drawn."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from bitproof.tensors import words
from bitproof.torchlean import nn
from bitproof.torchlean.chain import sequential
from bitproof.torchlean.context import Context
from bitproof.torchlean.random_session import RandomSession
from bitproof_spec import random

X = torch.arange(1, 13, dtype=torch.float32).reshape(3, 4) / 7


def output(p: float, session: RandomSession, *, stored: float | None = None, training: bool = True) -> torch.Tensor:
    model = sequential((4,)).then(nn.Dropout((4,), p))
    state = [torch.tensor(p if stored is None else stored)]
    return model.forward(state, X, Context(training, session))


@pytest.mark.parametrize(
    ("seed", "counter", "draws"),
    [
        (0, 0, [1293516399, 2939677055, 1326138252, 994118778]),
        (7, 3, [1828415695, 2439229428, 1120922248, 543580652]),
    ],
)
def test_a_session_draws_the_published_numbers(seed: int, counter: int, draws: list[int]) -> None:
    # TLR-RND-01, TLR-RND-02
    session = RandomSession(seed, counter)
    assert (session.units((4,), torch.float64).numpy() * 2**32).astype(np.uint64).tolist() == draws
    assert session.counter == counter + 1


@pytest.mark.parametrize("seed", [0, 7, 2**63, 2**64 - 1])
@pytest.mark.parametrize("counter", [0, 5, 2**64 - 2])
def test_a_session_agrees_with_the_specification(seed: int, counter: int) -> None:
    # TLR-RND-03
    session = RandomSession(seed, counter)
    key = random.split_key(seed, counter)
    owed = [random.split_draw(key, i) for i in range(50)]
    assert (session.units((50,), torch.float64).numpy() * 2**32).astype(np.uint64).tolist() == owed
    single = RandomSession(seed, counter).units((50,), torch.float32)
    assert words(single).tolist() == words(torch.tensor(owed, dtype=torch.int64).to(torch.float32) / 2**32).tolist()


def test_the_mask_keeps_where_the_keep_probability_is_above_the_unit_and_scales_in_single_steps() -> None:
    # TLR-RND-04
    session, p = RandomSession(9, 4), torch.tensor(0.3)
    units = RandomSession(9, 4).units((3, 4), torch.float32)
    mask = ((1 - p) > units).to(torch.float32)
    owed = (X * mask) * (1 / (1 - p * mask))
    assert words(output(0.3, session)).tolist() == words(owed).tolist()
    assert session.counter == 5


def test_r9_two_dropouts_of_one_pass_have_different_masks_and_the_next_pass_others() -> None:
    session = RandomSession(3)
    masks = [words(output(0.5, session)).tolist() for _ in range(3)]
    assert session.counter == 3
    assert masks[0] != masks[1] != masks[2] != masks[0]


@pytest.mark.parametrize(("p", "training"), [(0.0, True), (0.3, False), (1.0, True), (1.0, False)])
def test_evaluation_and_a_probability_of_0_or_1_draw_nothing(p: float, training: bool) -> None:
    # TLR-RND-05
    session = RandomSession(3, 8)
    found = output(p, session, training=training)
    assert session.counter == 8
    assert torch.equal(found, X * 0 if p == 1 and training else X)


def test_mask_and_scale_go_by_the_stored_probability() -> None:
    # TLR-RND-06
    assert torch.equal(output(0.3, RandomSession(3), stored=0.0), X)
    assert torch.equal(output(0.3, RandomSession(3), stored=1.0), X * 0)
    assert torch.equal(output(0.3, RandomSession(3), stored=0.6), output(0.6, RandomSession(3)))


@pytest.mark.parametrize("p", [-0.1, 1.1, float("nan")])
def test_a_probability_outside_0_and_1_is_refused(p: float) -> None:
    with pytest.raises(ValueError, match="drop probability"):
        nn.Dropout((4,), p)
