"""Trainers and their results: trained, saved as Float tensors, loaded with 0 steps done."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import torch

from bitproof import tensors
from bitproof.torchlean import StateError, files
from bitproof.torchlean.backends import EagerNative, PlainEager
from bitproof.torchlean.module import Module
from bitproof.torchlean.optimizers import Adam, Sgd
from bitproof.torchlean.scalars import Float, Float32
from bitproof.torchlean.trainer import Trainer
from bitproof_spec import formats
from bitproof_spec.conversion import widen
from bitproof_spec.document import Block
from bitproof_spec.format import encode
from bitproof_spec.torchlean.encodings import FLOAT, FLOAT32
from bitproof_spec.torchlean.json_state import TLJSON, JsonState
from tests.torchlean.builders import LINEAR_SHAPES, batch, bits, deep, linear
from tests.torchlean.two_branches import TwoBranches

WIDE = batch(torch.float64)


class Counted(TwoBranches):
    """Counts evaluations and steps apart."""

    evaluated = 0

    def loss(self, state, batch, context):  # type: ignore[no-untyped-def]  # as the class above has it
        self.evaluated += not context.training
        return super().loss(state, batch, context)


def test_training_counts_its_steps_and_gives_the_loss_after_them() -> None:
    module = Module(linear(), Float, PlainEager(Sgd(0.1)), seed=3)
    trainer = Trainer(module)
    first = trainer.train(WIDE, 0)
    assert (first.steps, first.loss) == (0, trainer.evaluate(WIDE))
    later = trainer.train(WIDE, 5)
    assert later.steps == 5
    assert later.loss == trainer.evaluate(WIDE) < first.loss
    with pytest.raises(ValueError, match="counted from 0"):
        trainer.train(WIDE, -1)


def test_a_result_is_evaluated_once_for_each_train_and_load(tmp_path: Path) -> None:
    # TLR-STA-04
    counted = Counted(EagerNative(Adam(0.1)))
    trainer = Trainer(counted)
    result = trainer.train(batch(), 3)
    assert (counted.seen, counted.evaluated) == (3, 1)
    result.save(tmp_path / "r")
    loaded = trainer.load(tmp_path / "r", batch())
    assert (counted.seen, counted.evaluated) == (3, 2)
    assert (loaded.steps, loaded.loss, loaded.state) == (0, result.loss, result.state)


@pytest.mark.parametrize("kind", ["float", "mirror", "float32"])
def test_results_are_float_tensors_in_json_whatever_the_module(kind: str, tmp_path: Path) -> None:
    scalar = Float32 if kind == "float32" else Float
    module: Module[object] = Module(linear(), scalar, PlainEager(Sgd(0.1)), seed=3, use_cuda=kind == "mirror")
    data = WIDE if kind == "float" else batch()
    Trainer(module).train(data, 2).save(tmp_path / "r")
    document = files.read_json(tmp_path / "r")
    assert document.tag == FLOAT.tag
    held = bits(module.parameters())
    if kind != "float":
        held = [[widen(formats.BINARY32, formats.BINARY64, word) for word in words] for words in held]
    assert [tensors.words(tensors.tensor_of(block)).tolist() for block in document.blocks] == held
    other: Module[object] = Module(linear(), scalar, PlainEager(Sgd(0.1)), seed=4, use_cuda=kind == "mirror")
    assert Trainer(other).load(tmp_path / "r", data).loss == Trainer(module).evaluate(data)
    assert bits(other.parameters()) == bits(module.parameters())


def test_a13_later_training_does_not_reach_a_result() -> None:
    trainer = Trainer(Module(deep(), Float32, EagerNative(Adam(0.1)), seed=3))
    result = trainer.train(batch(), 2)
    before = encode(TLJSON, result.state)
    trainer.train(batch(), 1)
    assert encode(TLJSON, result.state) == before


def test_a_binary32_module_refuses_values_that_it_does_not_hold_and_every_module_another_scalar(tmp_path: Path) -> None:
    tenth = (0x3FB999999999999A).to_bytes(8, "little")
    blocks = (Block(FLOAT.storage, LINEAR_SHAPES[0], tenth * 6), Block(FLOAT.storage, LINEAR_SHAPES[1], bytes(16)))
    (tmp_path / "r").write_bytes(encode(TLJSON, JsonState(FLOAT.tag, blocks)))
    narrow = Module(linear(), Float32, PlainEager(Sgd(0.1)), seed=3)
    before = bits(narrow.parameters())
    with pytest.raises(StateError) as refused:
        Trainer(narrow).load(tmp_path / "r", batch())
    assert [v.rule for v in refused.value.violations] == ["TLJ-MIR-01"] * 6
    other = tuple(Block(FLOAT32.storage, b.shape, b.data[: len(b.data) // 2]) for b in blocks)
    (tmp_path / "r").write_bytes(encode(TLJSON, JsonState(FLOAT32.tag, other)))
    with pytest.raises(StateError, match="LAY-TAG-01"):
        Trainer(narrow).load(tmp_path / "r", batch())
    assert bits(narrow.parameters()) == before


def test_b5_a_result_with_a_nan_that_json_cannot_hold_is_not_saved(tmp_path: Path) -> None:
    module = Module(linear(), Float32, PlainEager(Sgd(0.1)), seed=3)
    tensors.put([module.parameters().tensors[1]], [tensors.tensor_of(Block("binary32", (2,), b"\1\0\x80\x7f\0\0\0\0"))])
    result = Trainer(module).train(batch(), 0)
    with pytest.raises(StateError) as refused:
        result.save(tmp_path / "r")
    violation = refused.value.violations[0]
    assert (violation.rule, violation.where) == ("TLJ-NAN-01", "/state/1/values/0")
    assert violation.found == "the NaN 0x7ff0000020000000"
    assert os.listdir(tmp_path) == []
