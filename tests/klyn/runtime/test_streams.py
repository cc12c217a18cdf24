"""Masks, initial weights and permutations: the spec's Philox, vectorised."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from bitproof.klyn import Conv2D, Dense, Dropout, Flatten, Float32, Float64, Input, Sequential
from bitproof.klyn.arguments import word_of
from bitproof.klyn.streams import COUNTERS, SHUFFLE_KEY, Stream, permutation, words
from bitproof_spec import random as spec
from tests.klyn.runtime.exact import PRECISIONS
from tests.klyn.runtime.exact import words as words_of

KEYS = [(0, 0), (7, 1), (2**53 - 1, 4095), (12345678901234, 2**32)]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("counter", [0, 1, 2**64 - 1, 2**64, 2**192 + 3, COUNTERS - 1])
def test_words_are_the_specifications_at_any_counter(key: tuple[int, int], counter: int) -> None:
    assert words(key, counter, 9).tolist() == list(spec.philox_words(key, counter, 9))


@pytest.mark.parametrize("rate", [0.1, 0.25, 0.5, 1 - 2**-53, 1e-300, 1 / 3])
def test_masks_are_the_specifications_and_take_whole_blocks(rate: float) -> None:
    stream = Stream((7, 3), COUNTERS - 2)
    mask = stream.keep(rate, torch.zeros(3, 5))
    assert mask.flatten().tolist() == list(spec.mask((7, 3), COUNTERS - 2, 15, word_of(rate)))
    assert stream.counter == 2  # four blocks, past the end
    assert stream.keep(rate, torch.zeros(1)).tolist() == list(spec.mask((7, 3), 2, 1, word_of(rate)))
    assert stream.counter == 3


@pytest.mark.parametrize("count", [0, 1, 2, 17])
def test_shuffling_is_the_specifications_permutation_with_an_epoch_for_itself(count: int) -> None:
    for epoch in (0, 3):
        expected = list(range(count))
        drawn = spec.philox_words((9, SHUFFLE_KEY), epoch * 2**128, max(count - 1, 0))
        for place, word in zip(range(count - 1, 0, -1), drawn, strict=True):
            other = spec.bounded(word, place + 1)
            expected[place], expected[other] = expected[other], expected[place]
        assert permutation(9, epoch, count).tolist() == expected
    assert tuple(permutation(9, 0, count)) == spec.permutation((9, SHUFFLE_KEY), 0, count)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_initial_kernels_come_from_the_stage_index_and_the_seed(precision: Any) -> None:
    model = Sequential[precision]([Input((3, 3, 1)), Conv2D(2, 2, seed=5), Flatten(), Dense(3)])
    for id, key, limit in (("conv2d_1", (5, 1), (6 / 12) ** 0.5), ("dense_3", (0, 3), (6 / 11) ** 0.5)):
        kernel = model.parameters[f"{id}/kernel"]
        unit = [(word >> 11) * 2.0**-53 for word in spec.philox_words(key, 0, kernel.numel())]
        expected = np.array([(2 * u - 1) * limit for u in unit]).astype(kernel.numpy().dtype)
        assert kernel.flatten().numpy().tobytes() == expected.tobytes()


def dropped(precision: Any, rate: float) -> tuple[torch.Tensor, torch.Tensor]:
    """Ones through a Dropout in training, and the mask that the specification owes."""
    stage = Dropout[precision](rate, seed=11)
    output = stage.call(torch.ones(2, 3, dtype=getattr(torch, precision.__name__.lower())), {}, Stream((11, 1)).keep)
    return output, torch.tensor(spec.mask((11, 1), 0, 6, word_of(rate))).reshape(2, 3)


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("rate", [0.1, 0.5, 2 / 3])
def test_kept_values_are_scaled_by_one_rounded_constant_and_the_others_are_plus_zero(
    precision: Any, rate: float
) -> None:
    output, mask = dropped(precision, rate)
    scale = torch.from_numpy(np.array([1 / (1 - rate)]).astype(output.numpy().dtype))
    expected = [words_of(scale)[0] if kept else 0 for kept in mask.flatten().tolist()]
    assert words_of(output) == expected


def test_what_is_dropped_is_zero_even_where_it_was_infinite() -> None:
    stage = Dropout[Float32](0.5, seed=11)
    output = stage.call(torch.full((1, 64), float("inf")), {}, Stream((11, 1)).keep)
    assert set(output.flatten().tolist()) == {0.0, float("inf")}


def test_inference_and_rate_zero_draw_nothing_and_each_dropout_has_a_stream_of_its_own() -> None:
    model = Sequential[Float64]([Input((6,)), Dropout(0.0), Dropout(0.5, seed=1), Dropout(0.5, seed=1), Dense(1)])
    model.compile("sgd", loss="mean_squared_error")
    x, y = np.ones((5, 6)), np.ones((5, 1))
    model.predict(x)
    model.evaluate(x, y)
    assert [state.counter for state in training(model).random] == [0, 0, 0]
    model.fit(x, y, epochs=2, verbose=0)
    assert [state.counter for state in training(model).random] == [0, 16, 16]  # 2 epochs of ceil(30 / 4) blocks
    streams = [Stream((1, index)) for index in (2, 3)]
    assert streams[0].keep(0.5, torch.ones(64)).tolist() != streams[1].keep(0.5, torch.ones(64)).tolist()


def training(model: Sequential[Any]) -> Any:
    return model.capture().training
