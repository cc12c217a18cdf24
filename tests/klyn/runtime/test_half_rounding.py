"""From binary32 masters to binary16 parameters: nearest even, subnormals and overflow included, as the spec rounds."""

from __future__ import annotations

import numpy as np
import torch

from bitproof.klyn import Adam
from bitproof.klyn.optimizers import started, update
from bitproof_spec.conversion import round_word
from bitproof_spec.formats import BINARY16, BINARY32
from tests.klyn.runtime.exact import words

INFINITY = 0x7C00


def edges() -> torch.Tensor:
    """Every finite half from 0 up, the midpoint to its successor, and the binary32 neighbours of that midpoint."""
    halves = torch.arange(INFINITY + 1, dtype=torch.int16).view(torch.float16).float()
    halves[-1] = 65536.0  # where the next number would be
    middle = ((halves[:-1] + halves[1:]) / 2).view(torch.int32)
    return torch.cat([halves[:-1].view(torch.int32), middle - 1, middle, middle + 1]).view(torch.float32)


def parameters_of(masters: torch.Tensor) -> torch.Tensor:
    """What an update that changes no master makes of them."""
    parameter = torch.zeros(masters.shape, dtype=torch.float16)
    tensors = {"p/master": masters, "p/adam_m": torch.zeros_like(masters), "p/adam_v": torch.zeros_like(masters)}
    before = words(masters)
    update(started(Adam(), "binary16"), {"p": parameter}, tensors, {"p": torch.zeros_like(masters)})
    assert words(masters) == before
    return parameter


def test_masters_round_to_nearest_even_at_every_half_its_midpoints_and_their_neighbours() -> None:
    masters = edges()
    expected = [round_word(BINARY32, BINARY16, word) for word in words(masters)]
    assert words(parameters_of(masters.clone())) == expected
    assert words(parameters_of(-masters)) == [word | 0x8000 for word in expected]
    assert len(expected) == 4 * INFINITY
    assert max(expected) == INFINITY


def test_masters_beyond_the_halves_round_to_zero_and_to_infinity() -> None:
    far = [1, 0x00800000, 0x33000000, 0x477FEFFF, 0x477FF000, 0x7F7FFFFF, 0x7F800000]
    masters = torch.from_numpy(np.array(far, np.uint32).view(np.float32).copy())
    assert words(parameters_of(masters)) == [round_word(BINARY32, BINARY16, word) for word in far]
    assert words(parameters_of(masters)) == [0, 0, 0, 0x7BFF, INFINITY, INFINITY, INFINITY]
