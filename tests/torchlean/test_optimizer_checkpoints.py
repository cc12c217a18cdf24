"""Optimizer state: resume with dropout bit for bit, legacy files, backends that own none, faults change nothing."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from unittest import mock

import pytest

from bitproof.torchlean import LegacyCheckpointWarning, StateError, checkpoint, files, optimizer_io
from bitproof.torchlean.backends import EagerNative, Graph, PlainEager
from bitproof.torchlean.module import Module
from bitproof.torchlean.objective import Backend, Objective
from bitproof.torchlean.optimizer_io import OptimizerTarget
from bitproof.torchlean.optimizers import Adam, AdamW, Sgd
from bitproof.torchlean.scalars import Float, Float32
from bitproof_spec.format import encode
from bitproof_spec.torchlean.optimizer_document import OptimizerState
from bitproof_spec.torchlean.optimizer_file import OptimizerFile
from tests.torchlean.builders import batch, deep, linear, native
from tests.torchlean.training import everything, saved, trained, two

FORMAT = OptimizerFile()


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("fresh", [native, two], ids=["deep", "two branches"])
def test_r6_r9_resume_with_dropout_and_buffers_equals_never_having_stopped(
    n: int, fresh: Callable[[], Objective[object]], tmp_path: Path
) -> None:
    # TLR-FIL-10, TLR-RES-01
    straight, resumed = fresh(), fresh()
    losses = [straight.backend.step(straight, batch()) for _ in range(n)]
    model, optimizer = saved(straight, tmp_path)
    resumed.backend.step(resumed, batch(seed=99))
    checkpoint.load(resumed, model)
    checkpoint.optimizer.load(resumed, optimizer)
    assert everything(resumed) == everything(straight)
    for _ in range(3):
        assert resumed.backend.step(resumed, batch()) == straight.backend.step(straight, batch()) not in losses
    assert everything(resumed) == everything(straight)


def test_r6_a_counter_or_step_that_is_reset_would_be_noticed(tmp_path: Path) -> None:
    for spoil in ("counter", "step"):
        straight, resumed = trained(), native()
        model, optimizer = saved(straight, tmp_path)
        checkpoint.load(resumed, model)
        checkpoint.optimizer.load(resumed, optimizer)
        backend = resumed.backend
        assert isinstance(backend, EagerNative)
        if spoil == "counter":
            backend.session.counter = 0
        else:
            for moments in backend.moments.values():
                moments.step = 0
        assert resumed.backend.step(resumed, batch()) == straight.backend.step(straight, batch()) or spoil == "counter"
        assert everything(resumed) != everything(straight)


def test_r13_the_file_s_hyperparameters_take_effect_on_the_next_update(tmp_path: Path) -> None:
    straight = trained()
    model, optimizer = saved(straight, tmp_path)
    other = Module(deep(), Float32, EagerNative(AdamW(0.03, 0.5, 0.6, 1e-3, 0.4), seed=7), seed=1)
    checkpoint.load(other, model)
    checkpoint.optimizer.load(other, optimizer)
    straight.backend.step(straight, batch())
    other.backend.step(other, batch())
    assert everything(other) == everything(straight)


@pytest.mark.parametrize("version", [2, 3])
def test_i8_r10_a_legacy_file_loads_warns_once_keeps_the_counter_and_saves_it_anew(
    version: int, tmp_path: Path
) -> None:
    # TLR-FIL-08
    source = trained(4)
    _, optimizer = saved(source, tmp_path)
    legacy = replace(files.read_optimizer(optimizer), version=version, counter=None)
    (tmp_path / "legacy").write_bytes(encode(FORMAT, legacy))
    target = native()
    target.backend.session.counter = 41
    with pytest.warns(LegacyCheckpointWarning, match="counter") as caught:
        checkpoint.optimizer.load(target, tmp_path / "legacy")
    assert len(caught) == 1
    assert target.backend.session.counter == 41
    assert isinstance(target.backend, EagerNative)
    assert OptimizerTarget(target).capture().entries == legacy.entries
    target.backend.step(target, batch())
    checkpoint.optimizer.save(target, tmp_path / "new")
    assert files.read_optimizer(tmp_path / "new").counter == 42
    assert files.read_optimizer(tmp_path / "new").version == 4


def test_a_warning_turned_into_an_error_comes_after_the_state_is_in_place(tmp_path: Path) -> None:
    _, optimizer = saved(trained(4), tmp_path)
    legacy = replace(files.read_optimizer(optimizer), version=3, counter=None)
    (tmp_path / "legacy").write_bytes(encode(FORMAT, legacy))
    target = native()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(LegacyCheckpointWarning):
            checkpoint.optimizer.load(target, tmp_path / "legacy")
    assert OptimizerTarget(target).capture().entries == legacy.entries


@pytest.mark.parametrize(
    "backend", [PlainEager(Adam(0.1)), PlainEager(Sgd(0.1)), Graph(Sgd(0.1))], ids=lambda b: b.name
)
def test_backends_without_state_of_their_own_refuse_both_ways_alike_and_write_nothing(
    backend: Backend, tmp_path: Path
) -> None:
    # TLR-FIL-09
    module = Module(linear(), Float32, backend, seed=1)
    module.backend.step(module, batch())
    (tmp_path / "o").write_bytes(b"not even read")
    texts = []
    for call in (checkpoint.optimizer.save, checkpoint.optimizer.load):
        with pytest.raises(StateError) as refused:
            call(module, tmp_path / "o")
        texts.append(str(refused.value))
    assert texts[0] == texts[1]
    assert f"the {backend.name} backend" in texts[0]
    assert (tmp_path / "o").read_bytes() == b"not even read"


def test_before_the_first_update_there_is_nothing_to_save_and_a_counter_of_2_64_does_not_fit(tmp_path: Path) -> None:
    with pytest.raises(StateError, match="TLA-TGT-08"):
        checkpoint.optimizer.save(native(), tmp_path / "o")
    module = trained(1)
    module.backend.session.counter = 2**64
    with pytest.raises(StateError, match="TLA-CTR-01"):
        checkpoint.optimizer.save(module, tmp_path / "o")
    assert os.listdir(tmp_path) == []
    module.backend.session.counter = 2**64 - 1
    checkpoint.optimizer.save(module, tmp_path / "o")
    assert files.read_optimizer(tmp_path / "o").counter == 2**64 - 1


def test_a10_a_load_that_fails_at_any_byte_or_tensor_leaves_weights_moments_configuration_and_counter(
    tmp_path: Path,
) -> None:
    _, optimizer = saved(trained(2), tmp_path)
    file = optimizer.read_bytes()
    target = trained(3, seed=9)
    before = everything(target)
    for length in range(0, len(file), 5):
        (tmp_path / "cut").write_bytes(file[:length])
        with pytest.raises(StateError):
            checkpoint.optimizer.load(target, tmp_path / "cut")
        assert everything(target) == before, length
    real, fault = optimizer_io._moments, 0
    while True:
        calls = 0

        def failing(*given: object, fault: int = fault) -> object:
            nonlocal calls
            calls += 1
            if calls > fault:
                raise MemoryError("planted")
            return real(*given)  # type: ignore[arg-type]  # handed on as it came

        try:
            with mock.patch.object(optimizer_io, "_moments", failing):
                checkpoint.optimizer.load(target, optimizer)
            break
        except MemoryError:
            assert everything(target) == before, fault
            fault += 1
    assert fault == len(files.read_optimizer(optimizer).entries)


def test_a_float_module_has_no_binary32_moments() -> None:
    module = Module(linear(), Float, EagerNative(Adam(0.1)), seed=1)
    with pytest.raises(TypeError, match="binary32"):
        module.backend.step(module, batch())


def test_the_document_of_a_backend_is_a_copy_that_training_does_not_reach() -> None:
    module = trained(2)
    captured: OptimizerState = OptimizerTarget(module).capture()
    file = encode(FORMAT, captured)
    module.backend.step(module, batch())
    assert encode(FORMAT, captured) == file != encode(FORMAT, OptimizerTarget(module).capture())
