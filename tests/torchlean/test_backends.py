"""Backends: two ways to one gradient, what each refuses, and one objective for each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from bitproof.torchlean import checkpoint, files, nn
from bitproof.torchlean.backends import EagerNative, Graph, PlainEager
from bitproof.torchlean.chain import Sequential
from bitproof.torchlean.module import Module
from bitproof.torchlean.objective import Backend, Objective
from bitproof.torchlean.optimizer_io import OptimizerTarget
from bitproof.torchlean.optimizers import Adam, AdamW, Sgd
from bitproof.torchlean.params import Param, ParamList
from bitproof.torchlean.scalars import Float, Float32
from tests.torchlean.builders import batch, bits, deep, linear
from tests.torchlean.two_branches import TwoBranches

Make = Callable[[Backend], Objective[Any]]


def float_deep(backend: Backend) -> Module[Float]:
    return Module(deep(), Float, backend, seed=2)


def float32_deep(backend: Backend) -> Module[Float32]:
    return Module(deep(), Float32, backend, seed=2)


@pytest.mark.parametrize("make", [float_deep, float32_deep, TwoBranches])
def test_graph_and_plain_eager_training_give_equal_bits_dropout_buffers_and_ties_included(make: Make) -> None:
    eager, graph = make(PlainEager(Sgd(0.2), seed=4)), make(Graph(Sgd(0.2), seed=4))
    data = batch(eager.parameters().tensors[0].dtype)
    before = bits(eager.parameters())
    for _ in range(4):
        assert eager.backend.step(eager, data) == graph.backend.step(graph, data)
    assert bits(eager.parameters()) == bits(graph.parameters()) != before
    assert eager.backend.session.counter == graph.backend.session.counter == 4


def test_plain_eager_and_eager_native_make_the_same_adam_updates() -> None:
    native, plain = (float32_deep(make(AdamW(0.02, 0.8, 0.95), seed=4)) for make in (EagerNative, PlainEager))
    for _ in range(4):
        assert native.backend.step(native, batch()) == plain.backend.step(plain, batch())
    assert bits(native.parameters()) == bits(plain.parameters())


def test_an_update_changes_tensors_in_place_and_frozen_ones_not_at_all() -> None:
    module = float32_deep(EagerNative(Adam(0.1), seed=4))
    held = module.parameters().tensors
    frozen = [i for i, slot in enumerate(module.model.slots) if not slot.trainable and slot.shape == ()]
    before = bits(module.parameters())
    module.backend.step(module, batch())
    after = bits(module.parameters())
    assert all(a is b for a, b in zip(held, module.parameters().tensors, strict=True))
    assert [i for i, (a, b) in enumerate(zip(before, after, strict=True)) if a == b] == frozen


def test_i2_a_backend_that_keeps_state_by_slot_runs_one_objective() -> None:
    backend = EagerNative(Adam(0.1))
    one, other = float32_deep(backend), float32_deep(backend)
    one.backend.step(one, batch())
    before = bits(other.parameters())
    with pytest.raises(ValueError, match="another objective"):
        other.backend.step(other, batch())
    with pytest.raises(ValueError, match="another objective"):
        OptimizerTarget(other)
    assert bits(other.parameters()) == before


@pytest.mark.parametrize("layer", [nn.ReLU((3,)), nn.Dropout((3,), 0.3)], ids=["no state", "frozen state"])
@pytest.mark.parametrize(
    "make", [lambda: EagerNative(Adam(0.1)), lambda: PlainEager(Sgd(0.1)), lambda: Graph(Sgd(0.1))]
)
def test_an_objective_without_trained_tensors_draws_and_has_files_all_the_same(
    make: Callable[[], Backend], layer: nn.ReLU[tuple[int]] | nn.Dropout[tuple[int]], tmp_path: Path
) -> None:
    model: Sequential[tuple[int], tuple[int], *tuple[Any, ...]] = Sequential((3,), (3,), (layer,))
    module = Module(model, Float32, make())
    x = torch.ones(2, 3)
    module.backend.step(module, (x, x))
    assert module.backend.session.counter == len(layer.slots)
    checkpoint.save(module, tmp_path / "m")
    checkpoint.load(module, tmp_path / "m")
    if isinstance(module.backend, EagerNative):
        checkpoint.optimizer.save(module, tmp_path / "o")
        checkpoint.optimizer.load(module, tmp_path / "o")
        assert files.read_optimizer(tmp_path / "o").entries == ()


@pytest.mark.parametrize(
    ("make", "wrong"), [(EagerNative, Sgd(0.1)), (Graph, Adam(0.1)), (Graph, AdamW(0.1))], ids=lambda v: str(v)
)
def test_an_optimizer_that_a_backend_does_not_know_is_refused(make: Callable[[Any], Backend], wrong: object) -> None:
    with pytest.raises(TypeError, match="backend updates by"):
        make(wrong)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Adam(0.1, beta1=1.0),
        lambda: Adam(0.1, beta2=float("nan")),
        lambda: Adam(0.1, epsilon=0.0),
        lambda: Adam(0.1, epsilon=1e-60),
        lambda: AdamW(0.1, weight_decay=-0.1),
        lambda: AdamW(0.1, weight_decay=float("inf")),
        lambda: Adam(float("inf")),
        lambda: Sgd(float("nan")),
    ],
)
def test_hyperparameters_that_no_checkpoint_may_hold_are_refused_when_they_are_given(make: Callable[[], Any]) -> None:
    with pytest.raises(ValueError, match=r"isn't|finite"):
        make()


def test_tensors_that_overlap_or_cannot_be_written_one_by_one_are_no_state() -> None:
    # TLR-STA-03
    whole = torch.arange(6.0)
    square = torch.arange(9.0).reshape(3, 3)
    with pytest.raises(ValueError, match="state tensors 0 and 1 overlap"):
        ParamList(Float32, [Param(whole[:4], True), Param(whole[3:], True)])
    with pytest.raises(ValueError, match="overlap"):
        ParamList(Float32, [Param(square, True), Param(square.t(), True)])
    with pytest.raises(ValueError, match="overlap"):
        ParamList(Float32, [Param(whole, False), Param(whole[5], True)])
    with pytest.raises(ValueError, match="one by one"):
        ParamList(Float32, [Param(torch.zeros(1).expand(3), True)])
    with pytest.raises(TypeError, match="one dtype"):
        ParamList(Float32, [Param(whole, True), Param(whole.double(), True)])
    apart = ParamList(Float32, [Param(whole[:3], True), Param(whole[3:], True), Param(whole[:3], True)])
    assert apart.ties == (0, 1, 0)
    assert [slot.owner for slot in apart.schema()] == [0, 1, 0]


@pytest.mark.parametrize("tied", [{1: 0}, {0: 0}, {0: 1}, {2: -1}, {8: 4}, {99: 1}])
def test_a_tie_needs_an_earlier_trained_tensor_of_the_same_shape(tied: dict[int, int]) -> None:
    with pytest.raises(ValueError, match="can't share the storage"):
        Module(deep(), Float32, PlainEager(Sgd(0.1)), tied=tied)


def test_tied_layers_move_together_by_the_sum_of_their_gradients() -> None:
    # TLR-STA-02
    model = deep()
    same = [(i, j) for j in range(12) for i in range(j) if model.slots[i].shape == model.slots[j].shape == (5,)]
    first, second = next(pair for pair in same if all(model.slots[k].trainable for k in pair))
    module = Module(model, Float32, EagerNative(Adam(0.1)), seed=2, tied={second: first})
    module.backend.step(module, batch())
    assert bits(module.parameters())[first] == bits(module.parameters())[second]
    assert OptimizerTarget(module).capture().slots[second].owner == first


def test_an_objective_whose_tensors_have_other_shapes_than_it_states_is_refused() -> None:
    two = TwoBranches(PlainEager(Sgd(0.1)))
    two.weight = torch.zeros(2, 3)
    with pytest.raises(ValueError, match="has tensors of"):
        two.backend.step(two, batch())


def test_a_module_on_cuda_is_a_mirror() -> None:
    with pytest.raises(ValueError, match="binary32 values"):
        Module(linear(), Float, PlainEager(Sgd(0.1)), device="cuda", use_cuda=False)
