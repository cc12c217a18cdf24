"""A model trains and loads the same whatever torch settings its caller has, and says what is missing without torch."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
import torch

from bitproof import klyn
from bitproof.klyn import Float16, Float32, Sequential
from bitproof_spec.klyn.document import Checkpoint
from tests.klyn.runtime.models import image_data, images, owe_same, train

ROOT = Path(__file__).parents[3]
Settings = Callable[[], AbstractContextManager[Any]]


def worked(precision: Any, path: Path) -> Checkpoint:
    """What a model has become after every kind of call."""
    model = images(precision)
    train(model)
    model.save(path)
    loaded = Sequential[precision].load(path)
    loaded.predict(image_data()[0])
    train(loaded)
    live = images(precision)
    live.load_weights(path)
    train(live)
    loaded.save(path)
    live.load_weights(path)
    return live.capture()


@pytest.mark.parametrize("precision", [Float16, Float32])
@pytest.mark.parametrize(
    "settings",
    [torch.no_grad, torch.inference_mode, lambda: torch.autocast("cpu"), lambda: torch.device("meta")],
    ids=["no_grad", "inference_mode", "autocast", "default device"],
)
def test_the_callers_torch_settings_change_no_bit(precision: Any, settings: Settings, tmp_path: Path) -> None:
    expected = worked(precision, tmp_path / "m.knn")
    with settings():
        found = worked(precision, tmp_path / "m.knn")
    owe_same(expected, found)


def test_the_default_dtype_changes_no_bit(tmp_path: Path) -> None:
    expected = worked(Float32, tmp_path / "m.knn")
    torch.set_default_dtype(torch.float64)
    try:
        owe_same(expected, worked(Float32, tmp_path / "m.knn"))
    finally:
        torch.set_default_dtype(torch.float32)


def test_training_leaves_torchs_own_generator_alone() -> None:
    before = torch.get_rng_state()
    train(images(Float32), 2)
    assert torch.get_rng_state().equal(before)


WITHOUT = """
import sys
sys.modules["torch"] = None
from bitproof import klyn
klyn.read, klyn.write, klyn.ValueException, klyn.FilePath
assert "numpy" not in sys.modules
try:
    klyn.Sequential
except ModuleNotFoundError as error:
    print(error)
"""


def test_without_torch_files_are_read_and_the_runtime_says_which_extra_is_missing() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], check=True, capture_output=True, text=True, cwd=ROOT)
    assert "bitproof[torch]" in done.stdout


def test_every_promised_name_is_there_and_no_other() -> None:
    for name in klyn.__all__:
        assert getattr(klyn, name) is not None
    assert dir(klyn) == sorted(klyn.__all__)
    with pytest.raises(AttributeError, match="Conv3D"):
        klyn.Conv3D  # noqa: B018  # the fault
    assert (klyn.Float, klyn.Double) == (klyn.Float32, klyn.Float64)
    for precision in (klyn.Float16, klyn.Float32, klyn.Float64):
        with pytest.raises(TypeError, match="type argument"):
            precision()
