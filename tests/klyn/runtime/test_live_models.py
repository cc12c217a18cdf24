"""What a newcomer tries with a live model: each works, or is refused in words that say what to do."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from bitproof.klyn import Dense, Float16, Float32, Float64, Input, Sequential, ValueException
from bitproof.paths import escape_path
from tests.klyn.runtime.models import image_data, images, line, owe_same, train


class Mine(Sequential[Float32]):
    """A subclass of the model."""


def test_a_model_that_exists_is_not_loaded_into_by_mistake(tmp_path: Path) -> None:
    model, other = line(Float64), line(Float64)
    train(other)
    other.save(tmp_path / "a.knn")
    before = model.capture()
    with pytest.raises(TypeError, match=r"use load_weights, or Sequential\[Float64\]\.load"):
        model.load(tmp_path / "a.knn")
    with pytest.raises(TypeError, match="load_weights"):
        model.load(tmp_path / "missing.knn", max_bytes=3)
    owe_same(before, model.capture())
    owe_same(other.capture(), type(model).load(tmp_path / "a.knn").capture())
    assert hasattr(model, "load")
    assert model.load.__doc__ == Sequential.load.__doc__


def test_a_subclass_reaches_the_class_method_that_it_overrides(tmp_path: Path) -> None:
    class Loading(Sequential[Float32]):
        @classmethod
        def load(cls, path: Any, *, max_bytes: int = 8) -> Any:
            return super().load(path, max_bytes=max_bytes)

    with pytest.raises(ValueException, match="class Loading"):
        Loading.load(tmp_path / "missing.knn")


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, pickle.dumps, lambda model: torch.save(model, "/dev/null")]
)
def test_a_model_is_neither_copied_nor_pickled(again: Any) -> None:
    with pytest.raises(TypeError, match=r"Sequential\[Float32\] is neither copied nor pickled: save it and load it"):
        again(images(Float32))


def test_saving_each_epoch_is_a_fit_for_each_with_its_own_seed(tmp_path: Path) -> None:
    model, twin = images(Float32), images(Float32)
    x, y = image_data()
    for epoch in range(3):
        model.fit(x, y, batch_size=4, seed=epoch, verbose=0)
        model.save(tmp_path / f"{epoch}.knn")
    for epoch in range(3):
        train(twin, seed=epoch)
        owe_same(twin.capture(), Sequential[Float32].load(tmp_path / f"{epoch}.knn").capture())


def test_fit_says_what_a_callback_cannot_do() -> None:
    assert "RuntimeError" in str(Sequential.fit.__doc__)
    assert "seed=epoch" in str(Sequential.fit.__doc__)


@pytest.mark.parametrize("value", [torch.nn.ReLU(), torch.nn.Linear(1, 1)], ids=str)
def test_a_stage_of_another_library_is_named_with_its_module(value: Any) -> None:
    cls = type(value)
    with pytest.raises(TypeError, match=rf"^{cls.__module__}\.{cls.__name__} is no stage: Klyn has Input, "):
        Sequential[Float32]([Input((4,)), value])


def test_a_class_in_the_place_of_a_stage_is_called_one() -> None:
    with pytest.raises(TypeError, match=r"^the class bitproof\.klyn\.stages\.Dense is no stage"):
        Sequential[Float32]([Input((4,)), Dense])  # type: ignore[list-item]  # the fault


def test_a_refused_save_or_load_names_its_path(tmp_path: Path) -> None:
    line(Float32).save(tmp_path / "plain.knn")
    path = tmp_path / "é\n.knn"
    unbuilt, mine = Sequential[Float32]([Dense(2)]), Mine([Input((3,)), Dense(2)])
    for call, words in (
        (unbuilt.save, "save to"),
        (mine.save, "save to"),
        (mine.load_weights, "load_weights of"),
        (Mine.load, "load of"),
    ):
        with pytest.raises(ValueException) as refused:
            call(path)
        assert str(refused.value).startswith(f"{words} {escape_path(path)} refused:\n")
    assert [each.name for each in tmp_path.iterdir()] == ["plain.knn"]


@pytest.mark.parametrize("wrong", [5, None])
def test_what_is_no_path_or_bound_is_refused_by_name(wrong: Any, tmp_path: Path) -> None:
    model = line(Float32)
    model.save(tmp_path / "m.knn")
    for call in (model.save, model.load_weights, Sequential[Float32].load, Mine.load, Mine([Input((3,))]).save):
        with pytest.raises(TypeError, match=r"path is a str, bytes or os\.PathLike, not"):
            call(wrong)
    for load in (model.load_weights, Sequential[Float32].load):
        for bound in (1e9, True):
            with pytest.raises(TypeError, match="max_bytes is an integer, not"):
                load(tmp_path / "m.knn", max_bytes=bound)  # type: ignore[arg-type]  # the fault


def test_a_model_shows_its_precision_stages_and_state_on_one_line() -> None:
    unbuilt = Sequential[Float64]([Dense(2)])
    assert repr(unbuilt) == "<Sequential[Float64]: 1 stage, not built, not compiled>"
    unbuilt.predict(np.ones((1, 3)))
    assert repr(unbuilt) == "<Sequential[Float64]: 2 stages (input_0, dense_1), not compiled>"
    assert repr(Mine([Input((3,))])) == "<Mine: 1 stage (input_0), not compiled>"
    model = images(Float16)
    train(model, 2)
    shown = "input_0, conv2d_1, maxpooling2d_2, dropout_3, flatten_4, …"
    training = model.capture().training
    assert training is not None
    assert repr(model) == f"<Sequential[Float16]: 7 stages ({shown}), compiled: Adam, step {training.step}>"


def test_a_model_can_be_shown_while_it_trains() -> None:
    model, shown = images(Float32), []
    model.fit(*image_data(), verbose=0, callback=lambda epoch, loss: shown.append(repr(model)))
    assert shown == [repr(model)]
