"""Float16 training state in files: what is binary32 stays so, halves and masters come back as they are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from bitproof.klyn import SGD, Adam, Dense, Dropout, Float16, Input, LossScaling, Sequential, ValueException, write
from bitproof_spec.conversion import round_word
from bitproof_spec.document import Block
from bitproof_spec.formats import BINARY16, BINARY32
from bitproof_spec.klyn.vectors.building import ABSENT, edited
from tests.klyn.runtime.exact import words
from tests.klyn.runtime.models import ADAM, SGD_WITH_ALL, images, line, owe_same, train


@pytest.mark.parametrize(
    ("optimizer", "wide"), [(ADAM, {"adam_m", "adam_v", "master"}), (SGD_WITH_ALL, {"momentum"})], ids=["adam", "sgd"]
)
def test_k_b11_masters_moments_and_momentum_stay_binary32_through_a_file(
    optimizer: SGD | Adam, wide: set[str], tmp_path: Path
) -> None:
    model = images(Float16, optimizer)
    train(model, 3)
    model.save(tmp_path / "half.knn")
    stored = dict(model.capture().tensors)
    for id, block in stored.items():
        assert block.tag == ("binary32" if id.split("/")[-1] in wide else "binary16"), id
    assert {id.split("/")[-1] for id in stored} == {"kernel", "bias", *wide}
    for last in wide - {"master"}:
        values = np.frombuffer(stored[f"conv2d_1/kernel/{last}"].data, np.float32)
        assert (values != values.astype(np.float16)).any(), f"no {last} that a cast to half would change"
    loaded = Sequential[Float16].load(tmp_path / "half.knn")
    owe_same(model.capture(), loaded.capture())
    train(model)
    train(loaded)
    owe_same(model.capture(), loaded.capture())


def test_saved_halves_equal_the_live_ones_and_are_their_masters_rounded(tmp_path: Path) -> None:
    model = images(Float16)
    train(model, 4)
    model.save(tmp_path / "half.knn")
    loaded = Sequential[Float16].load(tmp_path / "half.knn")
    stored = dict(loaded.capture().tensors)
    for id, live in model.parameters.items():
        assert words(loaded.parameters[id]) == words(live)
        masters = np.frombuffer(stored[f"{id}/master"].data, "<u4").tolist()
        assert words(live) == [round_word(BINARY32, BINARY16, word) for word in masters]


def test_k_b10_every_half_pattern_is_saved_and_loaded_as_it_is(tmp_path: Path) -> None:
    model = Sequential[Float16]([Input((256,)), Dense(256, use_bias=False)])
    kernel = model.parameters["dense_1/kernel"]
    every = np.arange(2**16, dtype=np.uint16).view(np.int16).reshape(256, 256)
    kernel.view(torch.int16).copy_(torch.from_numpy(every))
    model.save(tmp_path / "every.knn")
    loaded = Sequential[Float16].load(tmp_path / "every.knn")
    assert words(loaded.parameters["dense_1/kernel"]) == list(range(2**16))
    kernel.zero_()
    model.load_weights(tmp_path / "every.knn")
    assert words(kernel) == list(range(2**16))


@pytest.mark.parametrize("value", [ABSENT, None], ids=["removed", "null"])
def test_k_r20_a_float16_file_without_its_loss_scale_is_refused_by_name(value: None, tmp_path: Path) -> None:
    (tmp_path / "m.knn").write_bytes(edited(line(Float16).capture(), {"/training/loss_scale": value}))
    with pytest.raises(ValueException) as refused:
        Sequential[Float16].load(tmp_path / "m.knn")
    assert [each.where for each in refused.value.violations] == ["/training/loss_scale"]


def test_halves_that_are_not_their_masters_rounded_come_back_as_they_are(tmp_path: Path) -> None:
    document = line(Float16).capture()
    tensors = tuple(
        (id, Block(block.tag, block.shape, bytes(len(block.data))) if id.endswith("kernel") else block)
        for id, block in document.tensors
    )
    apart = replace(document, tensors=tensors)
    assert apart != document
    write(tmp_path / "apart.knn", apart)
    owe_same(Sequential[Float16].load(tmp_path / "apart.knn").capture(), apart)


def test_the_loss_of_half_outputs_is_computed_in_binary32() -> None:
    model = Sequential[Float16]([Input((1,)), Dense(3, use_bias=False)])
    model.compile(SGD(0.0), loss_scaling=LossScaling(initial_scale=3.0))
    kernel = model.parameters["dense_1/kernel"]
    kernel.copy_(torch.tensor([[0.3, 0.9, 0.7]]))
    wide = kernel[0].float()
    expected = -torch.log(wide[1] / wide.sum())
    assert float(expected) != float(expected.half())
    x, y = np.ones((1, 1)), np.array([1])
    assert model.fit(x, y, verbose=0).loss == (float(expected),)
    assert model.evaluate(x, y).loss == float(expected)


@pytest.mark.parametrize("rate", [0.1, 0.3, 0.7])
def test_a_dropout_multiplies_halves_by_a_constant_that_is_a_half(rate: float) -> None:
    """Two roundings, of the constant and of the product; one of the product alone gives other bits."""
    every = torch.arange(0x3C00, 0x4000, dtype=torch.int16).view(torch.float16)
    found = Dropout[Float16](rate).call(every, {}, lambda rate, like: torch.ones_like(like, dtype=torch.bool))
    constant = np.float16(1 / (1 - rate))
    assert words(found) == (every.numpy() * constant).view(np.uint16).tolist()
    assert words(found) != (every.double() / (1 - rate)).half().view(torch.int16).tolist()
