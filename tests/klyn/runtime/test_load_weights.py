"""`load_weights`: what keeps its identity, what starts afresh, what stays, and that a refusal changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
import torch

from bitproof import tensors
from bitproof.klyn import (
    SGD,
    Adam,
    Conv2D,
    Dense,
    Dropout,
    Flatten,
    Float16,
    Float32,
    Float64,
    Input,
    Sequential,
    Stage,
    ValueException,
    read,
    write,
)
from bitproof.klyn.arguments import float_of
from bitproof_spec.document import Block
from bitproof_spec.format import encode
from bitproof_spec.klyn.container import KNN
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.training import Adam as AdamState
from bitproof_spec.klyn.training import Training
from bitproof_spec.klyn.writing import layout
from tests.klyn.runtime.exact import PRECISIONS, words
from tests.klyn.runtime.models import ADAM, SGD_WITH_ALL, images, owe_same, train

EACH = pytest.mark.parametrize("precision", PRECISIONS)
OPTIMIZERS = pytest.mark.parametrize("optimizer", [SGD(0.1), SGD_WITH_ALL, ADAM], ids=str)
Model = Sequential[Any]


def training_of(document: Checkpoint) -> Training:
    assert document.training is not None
    return document.training


def other(precision: Any, path: Path, *, include_optimizer: bool = True) -> Checkpoint:
    """A file with other weights, other settings, other seeds and other generators than `images` has."""
    stages: list[Stage[Any]] = [
        Input((4, 4, 1)),
        Conv2D(2, 2, activation="relu", seed=31),
        *([stage for stage in images(precision)._given if type(stage).__name__ == "MaxPooling2D"]),
        Dropout(0.2, seed=51),
        Flatten(),
        Dropout(0.4, seed=61),
        Dense(3, activation="softmax", seed=41),
    ]
    model: Model = Sequential[precision](stages)
    model.compile(Adam(0.5, 0.5, 0.5, 0.5))
    train(model, 3, seed=99)
    model.save(path, include_optimizer=include_optimizer)
    return read(path)


@EACH
@OPTIMIZERS
@pytest.mark.parametrize("from_training", [True, False], ids=["training file", "inference file"])
def test_k_r18_weights_come_and_everything_else_starts_afresh_or_stays(
    precision: Any, optimizer: SGD | Adam, from_training: bool, tmp_path: Path
) -> None:
    model = images(precision, optimizer)
    fresh = training_of(model.capture())
    train(model, 2)
    before = training_of(model.capture())
    assert before.step > 0 or precision is Float16
    file = other(precision, tmp_path / "other.knn", include_optimizer=from_training)
    model.load_weights(tmp_path / "other.knn")
    after = model.capture()
    assert training_of(after) == fresh._replace(random=before.random)
    weights = dict(file.tensors)
    for id, block in after.tensors:
        if id in weights and id.count("/") == 1:
            assert block == weights[id]
        elif id.endswith("/master"):
            half = np.frombuffer(weights[id.removesuffix("/master")].data, "<f2")
            assert bytes(block.data) == half.astype("<f4").tobytes()
        else:
            assert not any(block.data), id


@EACH
@OPTIMIZERS
def test_training_after_load_weights_is_training_of_a_new_model_with_these_weights(
    precision: Any, optimizer: SGD | Adam, tmp_path: Path
) -> None:
    file = other(precision, tmp_path / "other.knn")
    live = images(precision, optimizer)
    train(live, 2)
    live.load_weights(tmp_path / "other.knn")
    random = training_of(live.capture()).random
    new = images(precision, optimizer)
    training = training_of(new.capture())._replace(random=random)
    own = dict(new.capture().tensors)
    given = dict(file.tensors)
    start: dict[str, Block] = {}
    for id, block in own.items():
        start[id] = given[id] if id.count("/") == 1 else block
        if id.endswith("/master"):
            half = np.frombuffer(given[id.removesuffix("/master")].data, "<f2")
            start[id] = Block("binary32", block.shape, half.astype("<f4").tobytes())
    write(tmp_path / "start.knn", Checkpoint(file.precision, new.capture().stages, training, tuple(start.items())))
    expected: Model = Sequential[precision].load(tmp_path / "start.knn")
    train(live, 2)
    train(expected, 2)
    owe_same(live.capture(), expected.capture())


def test_k_r17_a_master_never_brings_the_old_weights_back(tmp_path: Path) -> None:
    model = images(Float16)
    train(model, 3)
    file = dict(other(Float16, tmp_path / "other.knn").tensors)
    model.load_weights(tmp_path / "other.knn")
    model.compile(Adam(0.0))  # settings of its own; the weights must stay through a step with no rate
    train(model)
    for id, parameter in model.parameters.items():
        assert tensors.block_of(parameter) == file[id]
    model = images(Float16)
    train(model, 3)
    model.load_weights(tmp_path / "other.knn")
    state = model._training
    assert state is not None
    assert isinstance(state.optimizer, AdamState)
    assert float_of(state.optimizer.learning_rate) == ADAM.learning_rate
    assert float_of(state.optimizer.beta1) == ADAM.beta1


@EACH
def test_k_i1_parameters_and_views_of_them_are_the_same_objects_with_new_bytes(precision: Any, tmp_path: Path) -> None:
    model = images(precision)
    held = model.parameters
    views = {id: tensor[..., :1] for id, tensor in held.items()}
    addresses = {id: tensor.data_ptr() for id, tensor in held.items()}
    file = dict(other(precision, tmp_path / "other.knn").tensors)
    model.load_weights(tmp_path / "other.knn")
    for id, tensor in model.parameters.items():
        assert tensor is held[id]
        assert tensor.data_ptr() == addresses[id]
        assert tensors.block_of(tensor) == file[id]
        assert words(views[id]) == words(tensor[..., :1])
        views[id].fill_(2)
        assert bool((tensor[..., :1] == 2).all())


def test_an_uncompiled_model_takes_weights_from_a_training_file(tmp_path: Path) -> None:
    file = other(Float32, tmp_path / "other.knn")
    model: Model = Sequential[Float32](images(Float32)._given)
    model.load_weights(tmp_path / "other.knn")
    found = model.capture()
    assert found.training is None
    assert found.tensors == file.tensors[: len(found.tensors)]


Change = Callable[[], list[Stage[Any]]]


def with_stage(index: int, stage: Stage[Any] | None) -> Change:
    """The stages of `images` with one replaced, or left out."""

    def made() -> list[Stage[Any]]:
        stages = list(images(Float32)._given)
        stages[index : index + 1] = [] if stage is None else [stage]
        return stages

    return made


WRONG: list[tuple[str, Change, str]] = [
    ("filters", with_stage(1, Conv2D(4, 2, activation="relu")), r"/model/stages/1/filters: found 4, owed 2"),
    ("kernel", with_stage(1, Conv2D(2, (1, 2), activation="relu")), r"stages/1/kernel_size: found \[1, 2\]"),
    ("activation", with_stage(1, Conv2D(2, 2)), r"stages/1/activation: found \"linear\", owed \"relu\""),
    ("bias", with_stage(1, Conv2D(2, 2, activation="relu", use_bias=False)), r"stages/1/use_bias: found false"),
    ("rate", with_stage(3, Dropout(0.25)), r"stages/3/rate: found \"3fd0000000000000\", owed \"3fc999999999999a\""),
    ("name", with_stage(6, Dense(3, "softmax", name="head")), r"stages/6/name: found \"head\", owed \"dense_6\""),
    ("type", with_stage(4, Dropout(0.5)), r"stages/4/type: found Dropout, owed Flatten"),
    ("one less", with_stage(5, None), r"/model/stages: found 6 stages, owed 7"),
]


@pytest.mark.parametrize(("stages", "message"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_a_file_of_another_architecture_is_refused_with_both_values_and_nothing_changed(
    stages: Change, message: str, tmp_path: Path
) -> None:
    Sequential[Float32](stages()).save(tmp_path / "other.knn")
    model = images(Float32)
    train(model)
    before = model.capture()
    with pytest.raises(ValueException, match=rf"KNR-LOD-02.*{message}"):
        model.load_weights(tmp_path / "other.knn")
    owe_same(before, model.capture())


def test_every_difference_is_listed_and_not_only_the_first(tmp_path: Path) -> None:
    Sequential[Float64]([Input((5,)), Dense(7, "relu", name="a")]).save(tmp_path / "other.knn")
    model = Sequential[Float32]([Input((3,)), Dense(2, name="b"), Dropout(0.5)])
    with pytest.raises(ValueException) as caught:
        model.load_weights(tmp_path / "other.knn")
    assert [(each.rule, each.where) for each in caught.value.violations] == [
        ("KNR-MOD-01", "/precision"),
        ("KNR-LOD-02", "/model/stages"),
        ("KNR-LOD-02", "/model/stages/0/shape"),
        ("KNR-LOD-02", "/model/stages/1/name"),
        ("KNR-LOD-02", "/model/stages/1/units"),
        ("KNR-LOD-02", "/model/stages/1/activation"),
    ]


@pytest.mark.parametrize(
    ("file", "live"), [((1, 4), (3, 4)), ((4, 1), (1, 4)), ((2, 6), (3, 4))], ids=["1x4", "4x1", "2x6"]
)
def test_k_v17_another_shape_is_never_broadcast_and_both_are_shown(
    file: tuple[int, int], live: tuple[int, int], tmp_path: Path
) -> None:
    Sequential[Float32]([Input((file[0],)), Dense(file[1], use_bias=False)]).save(tmp_path / "m.knn")
    model = Sequential[Float32]([Input((live[0],)), Dense(live[1], use_bias=False)])
    before = model.capture()
    found, owed = (str(list(shape)).replace("[", r"\[").replace("]", r"\]") for shape in (file, live))
    with pytest.raises(ValueException, match=rf"/tensors/0/shape: found dense_1/kernel {found}, owed {owed}"):
        model.load_weights(tmp_path / "m.knn")
    owe_same(before, model.capture())


@EACH
def test_k_y6_another_precision_is_refused_with_both_named(precision: Any, tmp_path: Path) -> None:
    for given in PRECISIONS:
        Sequential[given]([Input((3,)), Dense(2)]).save(tmp_path / "m.knn")  # type: ignore[valid-type]  # a value
        if given is precision:
            continue
        model: Model = Sequential[precision]([Input((3,)), Dense(2)])
        before = model.capture()
        for load in (model.load_weights, Sequential[precision].load):
            with pytest.raises(ValueException, match=rf"KNR-MOD-01.*{given.__name__}.*{precision.__name__}"):
                load(tmp_path / "m.knn")
        owe_same(before, model.capture())


class Planted(Exception):
    """A fault that nothing may catch."""


def damaged(document: Checkpoint, index: int, path: Path) -> None:
    """The document's file with one bit of a tensor's block flipped."""
    raw = bytearray(encode(KNN, document))
    start, length = layout(document).ranges[index]
    raw[start + length // 2] ^= 1
    path.write_bytes(raw)


@EACH
def test_k_a10_a_fault_at_any_tensor_leaves_every_bit_as_it_was(precision: Any, tmp_path: Path) -> None:
    model = images(precision)
    train(model, 2)
    before = model.capture()
    file = other(precision, tmp_path / "other.knn")
    for index, (id, _) in enumerate(file.tensors):
        damaged(file, index, tmp_path / "damaged.knn")
        with pytest.raises(ValueException, match=rf"KNN-BLK-01 .* {id}, owed"):
            model.load_weights(tmp_path / "damaged.knn")
        owe_same(before, model.capture())
    for index in range(len(model.parameters)):
        calls = iter(range(100))
        real = tensors.tensor_of

        def failing(block: Block, device: Any, index: int = index, calls: Any = calls, real: Any = real) -> Any:
            if next(calls) == index:
                raise Planted
            return real(block, device)

        with mock.patch.object(tensors, "tensor_of", failing), pytest.raises(Planted):
            model.load_weights(tmp_path / "other.knn")
        owe_same(before, model.capture())
    model.load_weights(tmp_path / "other.knn")
    assert dict(model.capture().tensors)["conv2d_1/kernel"] == dict(file.tensors)["conv2d_1/kernel"]


def test_k_v23_a_dozen_equal_stages_each_get_their_own_weights_and_moments(tmp_path: Path) -> None:
    model = Sequential[Float32]([Input((2,)), *(Dense(2, use_bias=False) for _ in range(12))])
    model.compile(ADAM, "mean_squared_error")
    state = model._training
    assert state is not None
    for index, tensor in enumerate([*model.parameters.values(), *state.tensors.values()]):
        tensor.fill_(float(index + 1))
    model.save(tmp_path / "m.knn")
    found = {id: set(np.frombuffer(block.data, "<f4")) for id, block in read(tmp_path / "m.knn").tensors}
    assert found["dense_10/kernel"] == {10.0}
    assert found["dense_2/kernel"] == {2.0}
    assert found["dense_2/kernel/adam_m"] == {15.0}
    assert found["dense_10/kernel/adam_v"] == {32.0}
    loaded = Sequential[Float32].load(tmp_path / "m.knn")
    owe_same(model.capture(), loaded.capture())
    live = Sequential[Float32]([Input((2,)), *(Dense(2, use_bias=False) for _ in range(12))])
    live.load_weights(tmp_path / "m.knn")
    for index, tensor in enumerate(live.parameters.values()):
        assert set(tensor.flatten().tolist()) == {index + 1.0}


def test_a_parameter_that_cannot_be_written_element_by_element_refuses_the_load_and_nothing_changes(
    tmp_path: Path,
) -> None:
    other(Float32, tmp_path / "other.knn")
    model = images(Float32)
    train(model)
    bias = model.parameters["dense_6/bias"]
    bias.data = torch.zeros(1).expand(3)
    before = model.capture()
    with pytest.raises(ValueError, match="can't be written"):
        model.load_weights(tmp_path / "other.knn")
    owe_same(before, model.capture())
