"""Float16 convolutions whose kernels torch's CPU backward pass refuses unless they are contiguous."""

from __future__ import annotations

import numpy as np
import pytest

from bitproof.klyn.loss_scale import LossScaling
from bitproof.klyn.precision import Float16
from bitproof.klyn.sequential import Sequential
from bitproof.klyn.stages import Conv2D, Conv2DTranspose, Dense, Flatten, Input


@pytest.mark.parametrize("stage", [Conv2D, Conv2DTranspose])
@pytest.mark.parametrize("filters", [1, 2])
@pytest.mark.parametrize("kernel", [1, 2, (1, 3)])
def test_a_float16_convolution_of_any_size_trains(
    stage: type[Conv2D[Float16]] | type[Conv2DTranspose[Float16]], filters: int, kernel: int | tuple[int, int]
) -> None:
    model = Sequential[Float16]([Input((4, 5, 2)), stage(filters, kernel, seed=3), Flatten(), Dense(1, seed=4)])
    model.compile("sgd", "mean_squared_error", loss_scaling=LossScaling(initial_scale=4.0))
    before = {id: tensor.clone() for id, tensor in model.parameters.items()}
    x = np.linspace(-1, 1, 3 * 40).reshape(3, 4, 5, 2)
    model.fit(x, np.ones((3, 1)), seed=1, verbose=0)
    assert all(not tensor.equal(before[id]) for id, tensor in model.parameters.items())
