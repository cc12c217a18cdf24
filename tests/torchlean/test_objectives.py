"""Hand-written objectives: what is state comes back, what isn't is the caller's, and training goes on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from bitproof.torchlean import checkpoint, files
from bitproof.torchlean.backends import EagerNative
from bitproof.torchlean.objective import Objective
from bitproof.torchlean.optimizer_io import OptimizerTarget
from bitproof.torchlean.optimizers import AdamW
from tests.torchlean.averaging import Averaging
from tests.torchlean.builders import batch, bits
from tests.torchlean.training import saved
from tests.torchlean.two_branches import TwoBranches

ADAMW = AdamW(0.02, 0.8, 0.95, 2e-7, 0.03)


def resumed(straight: Objective[object], fresh: Objective[object], folder: Path) -> Objective[object]:
    """A fresh objective that loads both files."""
    saved(straight, folder)
    checkpoint.load(fresh, folder / "m")
    checkpoint.optimizer.load(fresh, folder / "o")
    return fresh


@pytest.mark.parametrize("in_state", [True, False])
def test_r21_a_running_average_goes_on_when_its_flag_is_a_buffer_and_starts_anew_when_it_is_not(
    in_state: bool, tmp_path: Path
) -> None:
    straight, fresh = (Averaging(EagerNative(ADAMW), in_state=in_state) for _ in range(2))
    for _ in range(50):
        straight.backend.step(straight, batch())
    again = resumed(straight, fresh, tmp_path)
    for objective in (straight, again):
        objective.backend.step(objective, batch(seed=12))
    assert (bits(straight.parameters()) == bits(again.parameters())) == in_state
    if in_state:
        assert float(fresh.started) == 1
        assert float(fresh.updates) == 51


def test_a_0_d_state_tensor_is_a_tensor_of_one_element(tmp_path: Path) -> None:
    # TLR-STA-01
    one = Averaging(EagerNative(ADAMW))
    one.backend.step(one, batch())
    checkpoint.save(one, tmp_path / "m")
    assert [block.shape for block in files.read_streamed(tmp_path / "m").blocks] == [(3, 2), (2,), (), ()]


def test_every_parameter_and_persistent_buffer_is_state_and_a_passing_one_is_not(tmp_path: Path) -> None:
    straight = TwoBranches(EagerNative(ADAMW))
    for _ in range(3):
        straight.backend.step(straight, batch())
    fresh = TwoBranches(EagerNative(ADAMW), seed=7)
    resumed(straight, fresh, tmp_path)
    assert [block.shape for block in files.read_streamed(tmp_path / "m").blocks] == list(TwoBranches.state_shapes)
    assert torch.equal(fresh.average, straight.average)
    assert (straight.seen, fresh.seen) == (3, 0)


@pytest.mark.parametrize("n", [1, 7, 1000])
def test_r5_r6_the_update_count_comes_back_so_that_bias_correction_and_a_schedule_go_on(n: int, tmp_path: Path) -> None:
    def step(objective: TwoBranches) -> None:
        """One update at the rate that the schedule has for the next count; the rate isn't in the file."""
        backend = objective.backend
        assert isinstance(backend, EagerNative)
        done = backend.moments[0].step if backend.moments else 0
        backend.optimizer = replace(ADAMW, lr=0.1 / (done + 1))
        backend.step(objective, batch())

    straight = TwoBranches(EagerNative(ADAMW))
    step(straight)
    assert isinstance(straight.backend, EagerNative)
    for moments in straight.backend.moments.values():
        moments.step = n
    again = resumed(straight, TwoBranches(EagerNative(ADAMW), seed=7), tmp_path)
    assert {entry.step for entry in files.read_optimizer(tmp_path / "o").entries} == {n}
    for objective in (straight, again):
        assert isinstance(objective, TwoBranches)
        step(objective)
    assert bits(straight.parameters()) == bits(again.parameters())
    assert OptimizerTarget(again).capture() == OptimizerTarget(straight).capture()
    assert {entry.step for entry in OptimizerTarget(again).capture().entries} == {n + 1}


def test_a_tie_is_restored_by_equal_words_only(tmp_path: Path) -> None:
    straight = TwoBranches(EagerNative(ADAMW))
    checkpoint.save(straight, tmp_path / "m")
    blocks = files.read_streamed(tmp_path / "m").blocks
    assert blocks[0].data == blocks[2].data
    fresh = TwoBranches(EagerNative(ADAMW), seed=7)
    checkpoint.load(fresh, tmp_path / "m")
    assert bits(fresh.parameters()) == bits(straight.parameters())
    assert fresh.parameters().ties == (0, 1, 0, 3)
