"""The resume law: fit, save, load, fit equals fit, fit without saving, to the last bit; and saving disturbs nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bitproof.klyn import SGD, Adam, Float16, Float32, Float64, Sequential
from bitproof_spec.format import OfBytes, encode
from bitproof_spec.klyn.container import KNN
from bitproof_spec.klyn.document import Checkpoint
from tests.klyn.runtime.drawn import Training, trainings
from tests.klyn.runtime.exact import PRECISIONS, words
from tests.klyn.runtime.models import SGD_WITH_ALL, images, line, owe_same, train

CASES = settings(
    max_examples=80, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
Model = Sequential[Any]


@pytest.fixture(scope="module")
def file() -> Iterator[Path]:
    """One path that is written again and again."""
    with TemporaryDirectory() as folder:
        yield Path(folder) / "resumed.knn"


@CASES
@given(how=trainings(), before=st.integers(0, 2), after=st.integers(1, 2))
def test_fit_save_load_fit_equals_fit_fit_for_any_model_optimizer_and_cut(
    file: Path, how: Training, before: int, after: int
) -> None:
    straight, stopped = how.model(), how.model()
    for model in (straight, stopped):
        how.train(model, before)
    stopped.save(file, durable=False)
    resumed = type(stopped).load(file)
    owe_same(straight.capture(), resumed.capture())
    assert encode(KNN, resumed.capture()) == file.read_bytes()
    for model in (straight, stopped, resumed):
        how.train(model, after)
    owe_same(straight.capture(), resumed.capture())
    owe_same(straight.capture(), stopped.capture())
    assert words(straight.predict(how.x(straight))) == words(resumed.predict(how.x(straight)))


@CASES
@given(how=trainings())
def test_a_run_that_saves_after_every_epoch_equals_its_twin_that_never_does(file: Path, how: Training) -> None:
    saving, quiet = how.model(), how.model()
    for _ in range(3):
        how.train(saving, 1)
        saving.save(file, durable=False)
        saving.save(file, include_optimizer=False, durable=False)
        saving.predict(how.x(saving))
        how.train(quiet, 1)
    owe_same(quiet.capture(), saving.capture())


FIXED: dict[str, Callable[[], Model]] = {
    "half-adam": lambda: images(Float16),
    "half-nesterov": lambda: line(Float16, SGD_WITH_ALL),
    "single-adam": lambda: line(Float32),
    "single-nesterov": lambda: images(Float32, SGD_WITH_ALL),
    "single-sgd": lambda: images(Float32, SGD(0.0625)),
    "double-adam": lambda: images(Float64),
}
CHILD = """
import sys
from pathlib import Path
from tests.klyn.runtime.test_resume import FIXED, train
folder = Path(sys.argv[1])
for name, make in FIXED.items():
    model = type(make()).load(folder / f"{name}.knn")
    model.save(folder / f"{name}-again.knn")
    train(model, 2)
    model.save(folder / f"{name}-resumed.knn")
"""


def test_k_r8_r11_a_fixed_set_resumes_in_a_new_process_with_every_moment(tmp_path: Path) -> None:
    straight = {name: make() for name, make in FIXED.items()}
    for name, model in straight.items():
        train(model, 3)
        model.save(tmp_path / f"{name}.knn")
        train(model, 2)
    root = Path(__file__).parents[3]
    path = os.pathsep.join(sys.path)  # the same code as here, from wherever it runs
    environment = {"OMP_NUM_THREADS": str(torch.get_num_threads()), "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([sys.executable, "-c", CHILD, str(tmp_path)], check=True, env=environment, cwd=root)
    for name, model in straight.items():
        assert (tmp_path / f"{name}-again.knn").read_bytes() == (tmp_path / f"{name}.knn").read_bytes()
        resumed = KNN.judge(OfBytes((tmp_path / f"{name}-resumed.knn").read_bytes()))
        assert isinstance(resumed, Checkpoint)
        owe_same(model.capture(), resumed)
    moments = [id for id, _ in straight["half-adam"].capture().tensors if id.count("/") == 2]
    assert len(moments) == 3 * 4


@pytest.mark.parametrize("precision", PRECISIONS)
def test_k_r11_every_epoch_before_the_first_included_is_a_place_to_stop(precision: Any, tmp_path: Path) -> None:
    straight = images(precision)
    for epoch in range(4):
        straight.save(tmp_path / f"{epoch}.knn")
        train(straight, seed=epoch)
    for start in range(4):
        resumed = Sequential[precision].load(tmp_path / f"{start}.knn")
        for epoch in range(start, 4):
            train(resumed, seed=epoch)
        owe_same(straight.capture(), resumed.capture())


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("optimizer", [Adam(0.013), SGD_WITH_ALL], ids=["adam", "nesterov"])
def test_k_r7_a_model_compiled_and_never_trained_saves_loads_and_trains_as_its_twin(
    precision: Any, optimizer: SGD | Adam, tmp_path: Path
) -> None:
    twin = images(precision, optimizer)
    images(precision, optimizer).save(tmp_path / "m.knn")
    resumed = Sequential[precision].load(tmp_path / "m.knn")
    for model in (twin, resumed):
        train(model)
    owe_same(twin.capture(), resumed.capture())
