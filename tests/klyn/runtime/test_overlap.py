"""Calls that overlap on one model: refused at once, by name, with nothing written and nothing changed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest

from bitproof.klyn import Device, Float32, Sequential, fitting, sequential
from tests.klyn.runtime.models import image_data, images, owe_same, train


def calls(model: Sequential[Any], folder: Path) -> dict[str, Callable[[], object]]:
    """Every call that must not overlap another."""
    x, y = image_data()
    return {
        "save": lambda: model.save(folder / "new.knn"),
        "capture": model.capture,
        "load_weights": lambda: model.load_weights(folder / "old.knn"),
        "fit": lambda: model.fit(x, y, verbose=0),
        "evaluate": lambda: model.evaluate(x, y),
        "predict": lambda: model.predict(x),
        "compile": lambda: model.compile("sgd"),
        "to": lambda: model.to(Device.cpu),
    }


def test_a_callback_can_do_nothing_with_the_model_that_is_training(tmp_path: Path) -> None:
    model, twin = images(Float32), images(Float32)
    model.save(tmp_path / "old.knn")
    x, y = image_data()
    refused = []

    def callback(epoch: int, loss: float) -> None:
        for name, call in calls(model, tmp_path).items():
            with pytest.raises(RuntimeError, match=f"{name} can't run while fit is running"):
                call()
            refused.append(name)

    model.fit(x, y, epochs=2, seed=1, verbose=0, callback=callback)
    twin.fit(x, y, epochs=2, seed=1, verbose=0)
    assert len(refused) == 16
    owe_same(model.capture(), twin.capture())
    assert [path.name for path in tmp_path.iterdir()] == ["old.knn"]


@pytest.mark.parametrize("running", ["fit", "predict", "evaluate", "save", "load_weights"])
def test_another_thread_is_refused_while_a_call_runs_and_served_after_it(running: str, tmp_path: Path) -> None:
    model = images(Float32)
    model.save(tmp_path / "old.knn")
    inside, go_on = threading.Event(), threading.Event()
    owner, name = {
        "fit": (fitting, "train"),
        "predict": (fitting, "infer"),
        "evaluate": (fitting, "infer"),
        "save": (sequential, "write"),
        "load_weights": (sequential, "load_file"),
    }[running]
    real = getattr(owner, name)

    def waiting(*arguments: Any, **options: Any) -> Any:
        inside.set()
        assert go_on.wait(60)
        return real(*arguments, **options)

    with mock.patch.object(owner, name, waiting):
        thread = threading.Thread(target=calls(model, tmp_path)[running])
        thread.start()
        assert inside.wait(60)
        for other, call in calls(model, tmp_path).items():
            with pytest.raises(RuntimeError, match=f"{other} can't run while {running} is running on the same model"):
                call()
        go_on.set()
        thread.join()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.knn", "old.knn"][-1 - (running == "save") :]
    for call in calls(model, tmp_path).values():
        call()


def test_other_models_are_not_held_up() -> None:
    model, other = images(Float32), images(Float32)
    x, y = image_data()
    model.fit(x, y, verbose=0, callback=lambda epoch, loss: other.predict(x))


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, ValueError])
def test_after_an_interrupted_fit_the_lock_is_free_and_a_save_works(
    interrupt: type[BaseException], tmp_path: Path
) -> None:
    model = images(Float32)
    x, y = image_data()

    def callback(epoch: int, loss: float) -> None:
        raise interrupt

    with pytest.raises(interrupt):
        model.fit(x, y, epochs=3, verbose=0, callback=callback)
    model.save(tmp_path / "m.knn")
    owe_same(model.capture(), Sequential[Float32].load(tmp_path / "m.knn").capture())
    train(model)


def test_a_refused_call_frees_the_lock() -> None:
    model = images(Float32)
    for _ in range(2):
        with pytest.raises(ValueError, match="x has shape"):
            model.predict(np.ones((2, 5, 5, 1)))
