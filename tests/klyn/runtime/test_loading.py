"""`load`: every bit comes back, in memory of its own, within the budget, and wrong files are refused by name."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from bitproof.klyn import (
    SGD,
    Conv2D,
    Dense,
    Device,
    Dropout,
    Float16,
    Float32,
    Float64,
    Input,
    Sequential,
    ValueException,
    read,
    write,
)
from bitproof.klyn.dtypes import TORCH
from bitproof_spec.document import Block
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.tensors import table
from tests.klyn.runtime.exact import PRECISIONS, words
from tests.klyn.runtime.models import ADAM, SGD_WITH_ALL, images, line, line_data, owe_same, train

EACH = pytest.mark.parametrize("precision", PRECISIONS)
Model = Sequential[Any]
NANS = {
    "binary16": [0x7C01, 0xFDFF, 0x7E55, 0x8000, 1, 0xFC00],
    "binary32": [0x7F800001, 0xFF800001, 0x7FBFFFFF, 0x7FC12345, 0x80000000, 1],
    "binary64": [0x7FF0000000000001, 0xFFF0000000000001, 0x7FF7FFFFFFFFFFFF, 0x7FF8DEADBEEF1234, 1 << 63, 1],
}


@EACH
def test_k_b4_every_class_of_word_survives_every_path(precision: Any, tmp_path: Path) -> None:
    model: Model = Sequential[precision]([Input((3,)), Dense(2, use_bias=False)])
    special = NANS[precision.format]
    width = TORCH[precision.format].itemsize
    raw = b"".join(word.to_bytes(width, "little") for word in special)
    model.parameters["dense_1/kernel"].copy_(torch.frombuffer(bytearray(raw), dtype=TORCH[precision.format]).view(3, 2))
    assert words(model.parameters["dense_1/kernel"]) == special
    model.to(Device.cpu)
    model.save(tmp_path / "m.knn")
    loaded = Sequential[precision].load(tmp_path / "m.knn")
    loaded.to(Device.cpu)
    live: Model = Sequential[precision]([Input((3,)), Dense(2, use_bias=False)])
    live.load_weights(tmp_path / "m.knn")
    for each in (model, loaded, live):
        assert words(each.parameters["dense_1/kernel"]) == special
    loaded.save(tmp_path / "again.knn")
    assert (tmp_path / "again.knn").read_bytes() == (tmp_path / "m.knn").read_bytes()


def test_k_b4_moments_and_masters_of_any_bits_come_back(tmp_path: Path) -> None:
    document = images(Float16).capture()
    count = iter(range(1, 10**6))
    tensors = tuple(
        (id, Block(block.tag, block.shape, b"".join(_nan(block.tag, next(count)) for _ in range(prod(block.shape)))))
        for id, block in document.tensors
    )
    write(tmp_path / "m.knn", replace(document, tensors=tensors))
    owe_same(Sequential[Float16].load(tmp_path / "m.knn").capture(), replace(document, tensors=tensors))


def _nan(tag: str, payload: int) -> bytes:
    return (
        (0x7C00 | payload).to_bytes(2, "little") if tag == "binary16" else (0x7F800000 | payload).to_bytes(4, "little")
    )


@EACH
def test_k_b1_parameters_of_any_strides_are_stored_row_major(precision: Any, tmp_path: Path) -> None:
    model: Model = Sequential[precision]([Input((3,)), Dense(4)])
    values = torch.arange(12, dtype=TORCH[precision.format]).reshape(3, 4)
    model.parameters["dense_1/kernel"].copy_(values)
    model.save(tmp_path / "row.knn")
    model.parameters["dense_1/kernel"].data = values.t().contiguous().t()
    model.save(tmp_path / "column.knn")
    model.parameters["dense_1/kernel"].data = torch._neg_view(-values)
    model.save(tmp_path / "negative.knn")
    model.parameters["dense_1/kernel"].data = torch.stack([values, values], 2)[:, :, 0]
    model.save(tmp_path / "strided.knn")
    assert len({path.read_bytes() for path in tmp_path.iterdir()}) == 1
    block = dict(read(tmp_path / "row.knn").tensors)["dense_1/kernel"]
    assert bytes(block.data) == values.numpy().tobytes("C")


@EACH
def test_k_b1_parameters_of_any_strides_compute_and_train_as_their_row_major_twin(precision: Any) -> None:
    plain, strided = line(precision), line(precision)
    for parameter in strided.parameters.values():
        parameter.data = parameter.t().contiguous().t()
    base = torch.zeros(1 + 4, dtype=TORCH[precision.format])
    base[1:] = strided.parameters["dense_1/bias"]
    strided.parameters["dense_1/bias"].data = base[1:]  # an address that is no multiple of 64
    train(plain, 2)
    train(strided, 2)
    owe_same(plain.capture(), strided.capture())
    assert words(plain.predict(line_data()[0])) == words(strided.predict(line_data()[0]))


@EACH
@pytest.mark.parametrize("twin", ["big-endian", "column-major", "reversed", "torch", "list", "read-only"])
def test_k_b3_data_of_any_layout_and_byte_order_trains_as_its_plain_twin(precision: Any, twin: str) -> None:
    x, y = line_data()
    x, y = x.astype(np.float32), y.astype(np.float32)
    read_only = x.copy()
    read_only.flags.writeable = False
    made: dict[str, tuple[Any, Any]] = {
        "big-endian": (x.astype(">f4"), y.astype(">f4")),
        "column-major": (np.asfortranarray(x), np.asfortranarray(y)),
        "reversed": (x[::-1].copy()[::-1], y[:, ::-1].copy()[:, ::-1]),
        "torch": (torch.from_numpy(x).requires_grad_(), torch.from_numpy(y)),
        "list": (x.tolist(), y.tolist()),
        "read-only": (read_only, y),
    }
    plain, other = line(precision), line(precision)
    plain.fit(x, y, seed=1, verbose=0)
    other.fit(*made[twin], seed=1, verbose=0)
    owe_same(plain.capture(), other.capture())


@EACH
def test_k_i4_loaded_tensors_are_writable_aligned_and_own_their_memory(precision: Any, tmp_path: Path) -> None:
    model = images(precision)
    train(model)
    model.save(tmp_path / "m.knn")
    document = model.capture()
    loaded: Model = Sequential[precision].load(tmp_path / "m.knn")
    state = loaded._training
    assert state is not None
    held = [*loaded.parameters.values(), *state.tensors.values()]
    (tmp_path / "m.knn").write_bytes(bytes(len((tmp_path / "m.knn").read_bytes())))
    gc.collect()
    owe_same(document, loaded.capture())
    spans = sorted((tensor.data_ptr(), tensor.nbytes) for tensor in held)
    assert all(start % 64 == 0 for start, _ in spans)
    assert all(start + size <= after for (start, size), (after, _) in pairwise(spans))
    assert all(tensor.is_contiguous() and not tensor.requires_grad for tensor in held)
    for tensor in held:
        tensor.fill_(1)
    train(loaded)


@EACH
def test_k_a8_a_model_may_be_saved_over_the_file_it_was_loaded_from(precision: Any, tmp_path: Path) -> None:
    path = tmp_path / "m.knn"
    images(precision).save(path)
    loaded: Model = Sequential[precision].load(path)
    document, file = loaded.capture(), path.read_bytes()
    loaded.save(path)
    assert path.read_bytes() == file
    owe_same(document, loaded.capture())
    path.write_bytes(b"")
    path.unlink()
    owe_same(document, loaded.capture())
    train(loaded)


@EACH
def test_k_i2_two_loads_of_one_file_and_the_saved_model_share_nothing(precision: Any, tmp_path: Path) -> None:
    model = images(precision)
    train(model)
    model.save(tmp_path / "m.knn")
    document = model.capture()
    one, other = (Sequential[precision].load(tmp_path / "m.knn") for _ in range(2))
    train(one)
    owe_same(document, other.capture())
    owe_same(document, model.capture())
    for parameter in model.parameters.values():
        parameter.zero_()
    owe_same(document, Sequential[precision].load(tmp_path / "m.knn").capture())
    owe_same(document, other.capture())


@EACH
def test_k_g5_the_callers_budget_is_the_one_that_counts_moments_included(precision: Any, tmp_path: Path) -> None:
    model = images(precision)
    model.save(tmp_path / "all.knn")
    model.save(tmp_path / "inference.knn", include_optimizer=False)
    sizes = {}
    for name in ("all", "inference"):
        path = tmp_path / f"{name}.knn"
        size = sizes[name] = sum(len(block.data) for _, block in read(path).tensors)
        loads: list[Callable[..., Any]] = [Sequential[precision].load, images(precision).load_weights]
        for load in loads:
            load(path)
            load(path, max_bytes=size)
            load(path, max_bytes=2**64 - 1)
            for less in (size - 1, 0):
                with pytest.raises(ValueException, match=rf"KNN-TAB-10.*{size}"):
                    load(path, max_bytes=less)
            for wrong, error in ((-1, ValueError), (1.5, TypeError), (None, TypeError)):
                with pytest.raises(error, match=r"max_bytes|integer"):
                    load(path, max_bytes=wrong)
    assert sizes["all"] > sizes["inference"]


@EACH
def test_k_v16_empty_tensors_come_back_with_their_shapes_and_train(precision: Any, tmp_path: Path) -> None:
    model: Model = Sequential[precision]([Input((0,)), Dense(2, use_bias=False), Dense(3)])
    model.compile(SGD_WITH_ALL, "mean_squared_error")
    model.save(tmp_path / "m.knn")
    loaded: Model = Sequential[precision].load(tmp_path / "m.knn")
    assert tuple(loaded.parameters["dense_1/kernel"].shape) == (0, 2)
    owe_same(model.capture(), loaded.capture())
    for each in (model, loaded):
        each.fit(np.zeros((2, 0)), np.ones((2, 3)), seed=1, verbose=0)
    owe_same(model.capture(), loaded.capture())
    wide: Model = Sequential[precision]([Input((3, 3, 0)), Conv2D(2, 2, use_bias=False), Conv2D(1, 2, use_bias=False)])
    wide.save(tmp_path / "wide.knn")
    owe_same(wide.capture(), Sequential[precision].load(tmp_path / "wide.knn").capture())


@pytest.mark.parametrize("precision", [Float32, Float64])
def test_k_y10_no_dtype_changes_by_load_or_by_the_next_step(precision: Any, tmp_path: Path) -> None:
    model = images(precision)
    model.save(tmp_path / "m.knn")
    loaded: Model = Sequential[precision].load(tmp_path / "m.knn")
    train(loaded)
    state = loaded._training
    assert state is not None
    dtypes = {tensor.dtype for tensor in (*loaded.parameters.values(), *state.tensors.values())}
    assert dtypes == {TORCH[precision.format]}


def test_a_loaded_model_lists_the_tensors_that_its_document_owes(tmp_path: Path) -> None:
    for precision in PRECISIONS:
        for optimizer in (SGD(0.1), SGD_WITH_ALL, ADAM):
            model = images(precision, optimizer)
            document: Checkpoint = model.capture()
            assert document.training is not None
            owed = table(document.precision, document.stages, document.training.optimizer)
            assert [(id, block.shape, block.tag) for id, block in document.tensors] == [
                (spec.name, spec.shape, spec.storage.tag) for spec in owed
            ]


def test_a_stage_comes_back_with_every_option(tmp_path: Path) -> None:
    model = Sequential[Float32](
        [
            Input((7, 6, 2)),
            Conv2D(3, (2, 3), (2, 1), "same", "tanh", use_bias=False, seed=77, name="first"),
            Dropout(0.3, seed=78),
            Dense(2, "sigmoid", seed=79),
        ]
    )
    model.save(tmp_path / "m.knn")
    assert Sequential[Float32].load(tmp_path / "m.knn").capture().stages == model.capture().stages
