"""Memory: a state of 64 MiB is saved and checked in less than one tensor more, and loaded in one more than staged."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

import pytest
import torch

from bitproof import tensors
from bitproof.torchlean import checkpoint
from bitproof.torchlean.backends import EagerNative
from bitproof.torchlean.optimizers import Adam
from bitproof_spec.document import Block
from tests.torchlean.builders import batch, native
from tests.torchlean.memory import measured
from tests.torchlean.two_branches import TwoBranches

MIB = 2**20


@pytest.mark.skipif(sys.platform != "linux", reason="reads the process's status")
def test_no_operation_on_64_mib_takes_more_than_one_tensor_beyond_what_it_cannot_do_without(tmp_path: Path) -> None:
    # TLR-FIL-06
    found = measured(tmp_path, 16, 4 * MIB)
    assert set(found) == {"write", "check", "read", "write moments", "check moments", "read moments", "read and widen"}
    assert {name: round(most, 2) for name, most in found.items() if most > 1} == {}


class Lent:
    """Counts the copies of tensors in host memory that are alive, as a device's would be."""

    def __init__(self) -> None:
        self.alive = self.most = self.taken = 0
        self._real = tensors.block_view

    def view(self, tensor: torch.Tensor) -> Block:
        block = self._real(tensor.clone())
        self.alive += 1
        self.taken += 1
        self.most = max(self.most, self.alive)
        return Block(block.tag, block.shape, Copy(self, bytes(block.data)))


class Copy(bytes):
    """Bytes that tell when they are gone."""

    def __new__(cls, owner: Lent, data: bytes) -> Copy:
        made = super().__new__(cls, data)
        made.owner = owner
        return made

    owner: Lent

    def __del__(self) -> None:
        self.owner.alive -= 1


@pytest.mark.parametrize(("save", "most"), [(checkpoint.save, 1), (checkpoint.optimizer.save, 2)])
def test_tensors_are_taken_to_host_memory_one_after_the_other(save: object, most: int, tmp_path: Path) -> None:
    two = TwoBranches(EagerNative(Adam(0.1)))
    for module in (native(), two):
        module.backend.step(module, batch())
        lent = Lent()
        with mock.patch.object(tensors, "block_view", lent.view):
            save(module, tmp_path / "f")  # type: ignore[operator]  # one of two functions
        assert lent.taken >= len(module.parameters()) - 1
        assert lent.most == most
        assert lent.alive == 0


def test_a_list_of_tensors_held_at_once_would_be_noticed(tmp_path: Path) -> None:
    module, lent = native(), Lent()
    live: Sequence[torch.Tensor] = module.parameters().tensors
    held = [lent.view(tensor) for tensor in live]
    assert lent.most == len(held) > 2
