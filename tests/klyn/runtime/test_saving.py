"""Saving: what is in the file, what refuses to be saved, where, and that nothing else is touched."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bitproof.klyn import (
    SGD,
    Adam,
    Dense,
    Float32,
    Float64,
    Input,
    Sequential,
    ValueException,
    read,
)
from bitproof.klyn.arguments import float_of
from bitproof_spec.format import OfBytes, encode
from bitproof_spec.klyn.container import KNN
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.training import Adam as AdamState
from tests.klyn.runtime.exact import PRECISIONS, words
from tests.klyn.runtime.models import SGD_WITH_ALL, image_data, images, line, owe_same, train

EACH = pytest.mark.parametrize("precision", PRECISIONS)


@EACH
@pytest.mark.parametrize("optimizer", [SGD(0.1), SGD_WITH_ALL, Adam()], ids=str)
def test_a_saved_file_is_the_document_that_was_live(precision: Any, optimizer: SGD | Adam, tmp_path: Path) -> None:
    model = images(precision, optimizer)
    train(model, 2)
    document = model.capture()
    model.save(tmp_path / "m.knn")
    owe_same(document, model.capture())
    owe_same(document, read(tmp_path / "m.knn"))
    assert (tmp_path / "m.knn").read_bytes() == encode(KNN, document)


@EACH
def test_inference_export_has_no_training_state_at_all(precision: Any, tmp_path: Path) -> None:
    model = images(precision)
    train(model)
    model.save(tmp_path / "m.knn", include_optimizer=False)
    found = read(tmp_path / "m.knn")
    assert found.training is None
    assert [id for id, _ in found.tensors] == list(model.parameters)
    assert model.capture().training is not None


def test_k_i5_the_default_keeps_everything_and_an_export_says_compile_first(tmp_path: Path) -> None:
    model = images(Float32)
    train(model)
    model.save(tmp_path / "all.knn")
    model.save(tmp_path / "inference.knn", include_optimizer=False)
    x, y = image_data()
    resumed = Sequential[Float32].load(tmp_path / "all.knn")
    train(resumed)
    inference = Sequential[Float32].load(tmp_path / "inference.knn")
    for call in (inference.fit, inference.evaluate):
        with pytest.raises(ValueError, match="compile it first"):
            call(x, y)
    assert words(inference.predict(x)) == words(model.predict(x))
    inference.compile("sgd")
    train(inference)


B8 = [0.1, 1 / 3, 30.896298939813246, float.fromhex("0x1.999999999999bp-4"), 2.2250738585072011e-308, 5e-324]


@pytest.mark.parametrize("value", B8)
def test_k_b8_hyperparameters_come_back_to_the_last_bit(value: float, tmp_path: Path) -> None:
    model = line(Float64, Adam(learning_rate=value, beta1=value % 1, beta2=0.1 + 2**-56, epsilon=value))
    model.save(tmp_path / "m.knn")
    training = Sequential[Float64].load(tmp_path / "m.knn").capture().training
    assert training is not None
    assert isinstance(training.optimizer, AdamState)
    found = [float_of(word).hex() for word in training.optimizer[:4]]
    assert found == [each.hex() for each in (value, value % 1, 0.1 + 2**-56, value)]


def test_k_v26_an_unbuilt_model_is_neither_saved_nor_loaded_into(tmp_path: Path) -> None:
    Sequential[Float32]([Input((3,)), Dense(2)]).save(tmp_path / "plain.knn")
    model = Sequential[Float32]([Dense(2)])
    for refused, path in ((model.save, "m.knn"), (model.load_weights, "plain.knn")):
        with pytest.raises(ValueException, match=r"KNR-MOD-02 .*not built"):
            refused(tmp_path / path)
    assert [path.name for path in tmp_path.iterdir()] == ["plain.knn"]
    model.predict(np.ones((1, 3)))
    model.load_weights(tmp_path / "plain.knn")
    model.save(tmp_path / "m.knn")
    assert (tmp_path / "m.knn").read_bytes() == (tmp_path / "plain.knn").read_bytes()


@EACH
@pytest.mark.parametrize("first", ["fit", "evaluate", "predict"])
def test_k_v26_the_first_pass_over_data_builds_as_if_an_input_had_been_declared(precision: Any, first: str) -> None:
    implied = Sequential[precision]([Dense(4, "tanh"), Dense(2)])
    declared = Sequential[precision]([Input((3,)), Dense(4, "tanh"), Dense(2)])
    for model in (implied, declared):
        model.compile(SGD_WITH_ALL, "mean_squared_error")
        data = (np.ones((2, 3)),) if first == "predict" else (np.ones((2, 3)), np.ones((2, 2)))
        getattr(model, first)(*data, **({"seed": 3, "verbose": 0} if first == "fit" else {}))
    owe_same(implied.capture(), declared.capture())
    assert implied.capture().stages[0].name == "input_0"


def test_a_failed_first_pass_builds_nothing() -> None:
    model = Sequential[Float32]([Dense(2)])
    model.compile("sgd", "mean_squared_error")
    with pytest.raises(ValueError, match="y has shape"):
        model.fit(np.ones((2, 3)), np.ones((2, 3)), verbose=0)
    assert tuple(model.predict(np.ones((1, 5))).shape) == (1, 2)


CHILD = """
import sys
from tests.klyn.runtime.models import images, train
from bitproof.klyn import Float16, Float32, Float64
for precision in (Float16, Float32, Float64):
    model = images(precision)
    train(model, 2)
    path = f"{sys.argv[1]}/{precision.__name__}"
    model.save(path)
    type(model).load(path).load_weights(path.encode("utf-8", "surrogateescape"))
"""
C_LOCALE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def test_k_b12_p2_equal_state_gives_equal_bytes_whatever_the_hash_seed_the_locale_and_the_path(tmp_path: Path) -> None:
    folders = (tmp_path / "plain", tmp_path / "目录_é_💾")
    for folder, environment in zip(
        folders, ({"PYTHONHASHSEED": "0"}, {"PYTHONHASHSEED": "7", **C_LOCALE}), strict=True
    ):
        folder.mkdir()
        environment |= {"OMP_NUM_THREADS": "1", "PATH": ""}
        command = [sys.executable, "-c", CHILD, str(folder)]
        subprocess.run(command, check=True, env=environment, cwd=Path(__file__).parents[3])
    for precision in PRECISIONS:
        files = [(folder / precision.__name__).read_bytes() for folder in folders]
        assert files[0] == files[1]
        found = KNN.judge(OfBytes(files[0]))
        assert isinstance(found, Checkpoint)
        assert encode(KNN, found) == files[0]


def test_k_a13_the_file_holds_the_values_at_the_call(tmp_path: Path) -> None:
    model = images(Float32)
    document = model.capture()
    model.save(tmp_path / "m.knn")
    for parameter in model.parameters.values():
        parameter.fill_(9)
    owe_same(document, read(tmp_path / "m.knn"))
