"""Optimizer state against the slots of its target: bound configurations, ties, places, differences in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from bitproof.torchlean import StateError, checkpoint, files
from bitproof.torchlean.backends import EagerNative
from bitproof.torchlean.context import Context
from bitproof.torchlean.module import Module
from bitproof.torchlean.objective import ShapeList
from bitproof.torchlean.optimizers import Adam, AdamW
from bitproof.torchlean.params import Param, ParamList
from bitproof.torchlean.scalars import Float32
from bitproof_spec.format import encode
from bitproof_spec.torchlean.optimizer_file import OptimizerFile
from tests.torchlean.builders import batch, deep, linear, native
from tests.torchlean.training import everything, saved, trained, two

FORMAT = OptimizerFile()


def test_a_bound_configuration_must_agree_bit_for_bit_member_by_member(tmp_path: Path) -> None:
    _, optimizer = saved(trained(), tmp_path)
    bound = Module(deep(), Float32, EagerNative(AdamW(0.03, 0.5, 0.97, 1e-3, 0.4), seed=7), seed=1)
    bound.backend.step(bound, batch())
    before = everything(bound)
    with pytest.raises(StateError) as refused:
        checkpoint.optimizer.load(bound, optimizer)
    assert [(v.rule, v.where) for v in refused.value.violations] == [
        ("TLA-TGT-04", f"/{name}") for name in ("beta1", "epsilon", "weight decay")
    ]
    assert everything(bound) == before


def test_every_difference_from_the_target_is_collected_in_order(tmp_path: Path) -> None:
    _, optimizer = saved(trained(), tmp_path)
    target = Module(linear(), Float32, EagerNative(Adam(0.1)), seed=1)
    with pytest.raises(StateError) as refused:
        checkpoint.optimizer.load(target, optimizer)
    assert [v.rule for v in refused.value.violations] == ["TLA-TGT-03", "TLA-TGT-05", "TLA-TGT-06", "TLA-TGT-06"]


def test_tied_parameters_have_one_entry_and_load_only_as_tied(tmp_path: Path) -> None:
    tied = two()
    tied.backend.step(tied, batch())
    _, optimizer = saved(tied, tmp_path)
    document = files.read_optimizer(optimizer)
    assert [slot.owner for slot in document.slots] == [0, 1, 0, None]
    assert [entry.slot for entry in document.entries] == [0, 1]
    untied = replace(document, slots=(*document.slots[:2], replace(document.slots[2], owner=2), document.slots[3]))
    entries = (*document.entries, replace(document.entries[0], slot=2))
    for file, rule in (
        (replace(untied, entries=entries), "TLA-TGT-07"),
        (replace(untied, entries=entries, version=2, counter=None), "TLA-TGT-02"),
    ):
        (tmp_path / "u").write_bytes(encode(FORMAT, file))
        with pytest.raises(StateError) as refused:
            checkpoint.optimizer.load(tied, tmp_path / "u")
        assert [v.rule for v in refused.value.violations] == [rule]


def test_v23_equal_shaped_slots_get_their_own_moments_back(tmp_path: Path) -> None:
    source, target = (Equal(EagerNative(Adam(0.1))) for _ in range(2))
    for objective in (source, target):
        objective.backend.step(objective, batch())
    for index, moments in source.backend.moments.items():
        moments.first.fill_(100 + index)
        moments.second.fill_(200 + index)
    checkpoint.optimizer.save(source, tmp_path / "o")
    checkpoint.optimizer.load(target, tmp_path / "o")
    held = {k: (m.first.tolist(), m.second.tolist()) for k, m in target.backend.moments.items()}
    assert held == {index: ([100.0 + index] * 2, [200.0 + index] * 2) for index in range(13)}


class Equal:
    """Thirteen equal-shaped tensors."""

    scalar, use_cuda = Float32, False
    state_shapes: ShapeList = ((2,),) * 13
    input_shapes: ShapeList = ((3,),)
    data_input_shapes: ShapeList = ((2,),)

    def __init__(self, backend: EagerNative) -> None:
        self.backend = backend
        self._params = ParamList(Float32, [Param(torch.full((2,), float(i)), True) for i in range(13)])

    def parameters(self) -> ParamList[Float32]:
        return self._params

    def loss(self, state: Sequence[torch.Tensor], batch: Sequence[torch.Tensor], context: Context) -> torch.Tensor:
        return sum((index * tensor.sum() for index, tensor in enumerate(state)), torch.zeros(()))


def test_equal_values_are_no_aliases() -> None:
    module = native()
    twin = [p.tensor.clone() for p in module.parameters()]
    assert all(
        a.data_ptr() != b.data_ptr() for a, b in zip(twin, module.parameters().tensors, strict=True) if a.numel()
    )
    owners = [slot.owner for slot in module.parameters().schema()]
    assert owners == [i if slot.trainable else None for i, slot in enumerate(module.parameters().schema())]
