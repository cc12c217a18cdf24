"""On a CUDA device: the files of the mirror, optimizer state that lives there, work that is still queued."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from bitproof.tensors import words
from bitproof.torchlean import checkpoint, files
from bitproof.torchlean.backends import EagerNative, PlainEager
from bitproof.torchlean.checkpointable import checkpointable
from bitproof.torchlean.module import Module
from bitproof.torchlean.optimizer_io import OptimizerTarget
from bitproof.torchlean.optimizers import AdamW, Sgd
from bitproof.torchlean.params import Param, ParamList
from bitproof.torchlean.scalars import Float, Float32
from tests.torchlean.builders import batch, bits, deep, linear

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
EACH = pytest.mark.parametrize("scalar", [Float, Float32])


def on(device: str, scalar: type[Any], seed: int = 5) -> Module[Any]:
    """Every layer, under the backend that owns its state."""
    backend = EagerNative(AdamW(0.03, 0.85, 0.97, 3e-7, 0.02), seed=7)
    return Module(deep(), scalar, backend, seed=seed, device=device)


def data(device: str) -> tuple[torch.Tensor, ...]:
    return tuple(tensor.to(device) for tensor in batch())


@EACH
def test_a_module_on_cuda_writes_its_binary32_words_and_resumes_bit_for_bit(scalar: type[Any], tmp_path: Path) -> None:
    straight, resumed = on("cuda", scalar), on("cuda", scalar, seed=6)
    for _ in range(3):
        straight.backend.step(straight, data("cuda"))
    checkpoint.save(straight, tmp_path / "m")
    checkpoint.optimizer.save(straight, tmp_path / "o")
    assert [bytes(block.data) for block in files.read_streamed(tmp_path / "m").blocks] == [
        words(tensor).tobytes() for tensor in straight.parameters().tensors
    ]
    checkpoint.load(resumed, tmp_path / "m")
    checkpoint.optimizer.load(resumed, tmp_path / "o")
    for module in (straight, resumed):
        for _ in range(2):
            module.backend.step(module, data("cuda"))
    assert bits(resumed.parameters()) == bits(straight.parameters())
    assert OptimizerTarget(resumed).capture() == OptimizerTarget(straight).capture()
    assert {tensor.device.type for tensor in resumed.parameters().tensors} == {"cuda"}


def test_r22_files_go_between_devices_with_the_same_bits_and_the_counter_stays_a_number(tmp_path: Path) -> None:
    source = on("cuda", Float32)
    source.backend.step(source, data("cuda"))
    checkpoint.save(source, tmp_path / "m")
    checkpoint.optimizer.save(source, tmp_path / "o")
    for device in ("cpu", "cuda"):
        target = on(device, Float32, seed=6)
        checkpoint.load(target, tmp_path / "m")
        checkpoint.optimizer.load(target, tmp_path / "o")
        assert bits(target.parameters()) == bits(source.parameters())
        assert isinstance(target.backend, EagerNative)
        assert {moments.first.device.type for moments in target.backend.moments.values()} == {device}
        assert target.backend.session.counter == source.backend.session.counter == 1


def test_a_stream_of_a_float_module_on_cuda_is_widened_on_the_cpu(tmp_path: Path) -> None:
    source = Module(linear(), Float, PlainEager(Sgd(0.1)), seed=5, device="cuda")
    checkpoint.save(source, tmp_path / "m")
    target = Module(linear(), Float, PlainEager(Sgd(0.1)), seed=6)
    checkpoint.load(target, tmp_path / "m")
    for wide, narrow in zip(target.parameters().tensors, source.parameters().tensors, strict=True):
        assert torch.equal(wide, narrow.cpu().double())


def test_one_update_has_the_bits_of_the_cpu(tmp_path: Path) -> None:
    host = Module(linear(), Float32, EagerNative(AdamW(0.03)), seed=5)
    device = Module(linear(), Float32, EagerNative(AdamW(0.03)), seed=5, device="cuda")
    gradients = {0: torch.randn(2, 3), 1: torch.randn(2)}
    for module in (host, device):
        assert isinstance(module.backend, EagerNative)
        for _ in range(3):
            there = {index: gradient.to(module.device) for index, gradient in gradients.items()}
            module.backend.apply(module.parameters(), there)
    assert bits(host.parameters()) == bits(device.parameters())


def test_b13_a_save_waits_for_work_that_is_still_queued(tmp_path: Path) -> None:
    tensor = torch.zeros(1 << 24, device="cuda")
    for round_ in range(20):
        for _ in range(50):
            tensor.add_(1)
        checkpointable(Float32).write(True, tmp_path / "m", ParamList(Float32, [Param(tensor, True)]))
        block = files.read_streamed(tmp_path / "m").blocks[0]
        assert bytes(block.data) == words(torch.full((1 << 24,), 50.0 * (round_ + 1))).tobytes()
