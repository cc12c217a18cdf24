"""Dynamic loss scaling: its life from update to update, in the file and across it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bitproof.klyn import SGD, Adam, Dense, Dropout, Float16, Float32, Float64, Input, LossScaling, Sequential
from bitproof.klyn.arguments import float_of, word_of
from bitproof.klyn.loss_scale import after
from bitproof_spec.klyn.reals import BINARY32_LARGEST
from bitproof_spec.klyn.training import LossScale
from tests.klyn.runtime.exact import words
from tests.klyn.runtime.models import SCALING, line, owe_same, train

LARGEST = float_of(BINARY32_LARGEST)


def state(scale: float, growth: float = 2.0, backoff: float = 0.5, interval: int = 3, good: int = 0) -> LossScale:
    return LossScale(word_of(scale), word_of(8.0), word_of(growth), word_of(backoff), interval, good)


def test_good_steps_count_up_and_the_last_of_an_interval_multiplies_by_growth() -> None:
    seen = [state(8.0, growth=3.0)]
    for _ in range(4):
        seen.append(after(seen[-1], overflow=False))
    assert [(float_of(each.scale), each.good_steps) for each in seen] == [(8, 0), (8, 1), (8, 2), (24, 0), (24, 1)]


def test_an_overflow_multiplies_by_backoff_and_restarts_the_count() -> None:
    reduced = after(state(8.0, backoff=0.25, good=2), overflow=True)
    assert (float_of(reduced.scale), reduced.good_steps) == (2.0, 0)


def test_the_scale_never_falls_below_the_least_normal_binary32() -> None:
    assert float_of(after(state(2.0**-125, backoff=0.25), overflow=True).scale) == 2.0**-126
    assert float_of(after(state(2.0**-126), overflow=True).scale) == 2.0**-126


def test_a_growth_past_finite_binary32_leaves_the_scale_and_restarts_the_count() -> None:
    for scale, grown in ((LARGEST, LARGEST), (2.0**127, 2.0**127), (2.0**126, 2.0**127)):
        found = after(state(scale, good=2), overflow=False)
        assert (float_of(found.scale), found.good_steps) == (grown, 0)


def test_an_interval_of_one_grows_at_every_good_step() -> None:
    assert float_of(after(state(8.0, interval=1), overflow=False).scale) == 16


def scaling(model: Sequential[Any]) -> LossScale:
    training = model.capture().training
    assert training is not None
    assert training.loss_scale is not None
    return training.loss_scale


@pytest.mark.parametrize("optimizer", [SGD(0.125, 0.5), Adam(0.125)], ids=str)
def test_an_overflow_skips_the_update_and_changes_nothing_but_the_scale(optimizer: SGD | Adam) -> None:
    model = Sequential[Float16]([Input((2,)), Dense(1)])
    model.compile(optimizer, "mean_squared_error", loss_scaling=LossScaling(2.0**20, 3.0, 0.25, 5))
    before = model.capture()
    history = model.fit(np.full((1, 2), 64.0), np.full((1, 1), 9.0), epochs=2, verbose=0)
    after_skips = model.capture()
    assert history.skipped == (1, 1)
    assert before.training is not None
    assert before.training.loss_scale is not None
    scale = before.training.loss_scale._replace(scale=word_of(2.0**16))
    expected = before.training._replace(loss_scale=scale)
    assert after_skips.training == expected
    assert after_skips.tensors == before.tensors


def test_training_finds_a_scale_by_skipping_and_then_counts_its_steps() -> None:
    model = Sequential[Float16]([Input((2,)), Dense(1)])
    model.compile(SGD(0.0), "mean_squared_error", loss_scaling=LossScaling(2.0**6, 2.0, 0.5, 3))
    history = model.fit(np.full((1, 2), 64.0), np.full((1, 1), 9.0), epochs=12, verbose=0)
    assert history.skipped[:3] == (1, 1, 1)
    assert sum(history.skipped) < 12
    training = model.capture().training
    assert training is not None
    assert training.step == 12 - sum(history.skipped)


def test_gradients_are_divided_by_the_scale_that_grew_by_three() -> None:
    """With a scale that is no power of two, division rounds; the parameters are those of that division."""
    model = Sequential[Float16]([Input((1,)), Dense(1, use_bias=False)])
    model.compile(SGD(1.0), "mean_squared_error", loss_scaling=LossScaling(3.0, 3.0, 0.5, 100))
    model.parameters["dense_1/kernel"].fill_(0.5)
    x, y = np.full((1, 1), 1.0), np.full((1, 1), 0.3)
    model.fit(x, y, verbose=0)
    single = np.float32
    error = single(0.5) - single(0.3)
    scaled = np.float16(np.float16(single(3) * single(2) * error))  # what flows back into the half output
    expected = np.float16(single(0.5) - single(scaled) / single(3))
    assert words(model.parameters["dense_1/kernel"]) == [int(expected.view(np.uint16))]


def test_k_r19_every_field_of_the_scaler_comes_back_exactly(tmp_path: Path) -> None:
    model = line(Float16)
    train(model, epochs=3)
    live = scaling(model)
    assert live.good_steps > 0
    assert live._replace(scale=live.initial_scale, good_steps=0) == SCALING.start()
    model.save(tmp_path / "m.knn")
    loaded = Sequential[Float16].load(tmp_path / "m.knn")
    assert scaling(loaded) == live
    train(model, epochs=3)
    train(loaded, epochs=3)
    assert scaling(loaded) == scaling(model)
    owe_same(loaded.capture(), model.capture())


@pytest.mark.parametrize("precision", [Float32, Float64])
def test_k_r20_precisions_without_scaling_save_and_load_and_refuse_its_settings(precision: Any, tmp_path: Path) -> None:
    model = line(precision)
    train(model)
    model.save(tmp_path / "m.knn")
    loaded = Sequential[precision].load(tmp_path / "m.knn")
    owe_same(loaded.capture(), model.capture())
    with pytest.raises(TypeError, match=r"loss_scaling .* Float16"):
        model.compile("adam", loss_scaling=LossScaling())


@pytest.mark.parametrize(
    "settings",
    [(-0.0,), (2.0**-127,), (2.0**128,), (1.0, 0.5), (1.0, 2.0, 0.0), (1.0, 2.0, 1.5), (1.0, 2.0, 0.5, 0)],
    ids=str,
)
def test_settings_that_no_file_holds_are_refused_at_compile(settings: tuple[Any, ...]) -> None:
    model = Sequential[Float16]([Input((1,)), Dense(1)])
    with pytest.raises(ValueError, match=r"scale|factor|interval"):
        model.compile("adam", loss_scaling=LossScaling(*settings))


def test_the_data_of_a_skipped_step_still_advances_the_dropouts() -> None:

    model = Sequential[Float16]([Input((4,)), Dropout(0.5), Dense(1)])
    model.compile(SGD(0.0), "mean_squared_error", loss_scaling=LossScaling(2.0**100))
    history = model.fit(np.ones((3, 4)), np.ones((3, 1)), verbose=0)
    training = model.capture().training
    assert training is not None
    assert (history.skipped, training.step, training.random[0].counter) == ((1,), 0, 3)
