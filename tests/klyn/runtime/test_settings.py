"""What `compile`, `fit` and stages refuse among their arguments, each by name."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from bitproof.klyn import (
    SGD,
    Adam,
    Dense,
    Dropout,
    Float16,
    Float32,
    Float64,
    Input,
    LossScaling,
    Sequential,
)
from tests.klyn.runtime.models import line, owe_same


def test_k_b7_minus_zero_among_hyperparameters_is_refused_at_compile_as_in_a_file() -> None:
    model = line(Float32)
    for settings in (SGD(-0.0), SGD(0.1, -0.0), Adam(-0.0), Adam(beta1=-0.0), Adam(beta2=-0.0), Adam(epsilon=-0.0)):
        with pytest.raises(ValueError, match=r"= -0\.0"):
            model.compile(settings, "mean_squared_error")
    with pytest.raises(ValueError, match=r"rate = -0\.0"):
        Dropout(-0.0)


@pytest.mark.parametrize(
    "settings",
    [
        SGD(-0.1),
        SGD(float("nan")),
        SGD(float("inf")),
        SGD(10**400),
        SGD(0.1, 1.0),
        Adam(beta1=1.0),
        Adam(beta2=-0.1),
        Adam(epsilon=0.0),
        Adam(epsilon=1e-50),
    ],
    ids=str,
)
def test_settings_out_of_range_are_refused_at_compile_by_name(settings: SGD | Adam) -> None:
    with pytest.raises(ValueError, match=r"^(learning_rate|momentum|beta1|beta2|epsilon) = "):
        line(Float32).compile(settings, "mean_squared_error")


def test_a_small_epsilon_is_a_matter_of_the_training_precision() -> None:
    line(Float64).compile(Adam(epsilon=1e-50), "mean_squared_error")
    with pytest.raises(ValueError, match="epsilon"):
        line(Float16).compile(Adam(epsilon=1e-50), "mean_squared_error")


def test_a_custom_loss_a_lambda_and_a_strange_optimizer_are_refused_by_name() -> None:
    model = line(Float32)
    state = model.capture()

    class Mine(SGD):
        pass

    for optimizer, loss, error, named in (
        (SGD(), lambda y, t: 0, TypeError, "lambda"),
        (SGD(), "hinge", ValueError, "hinge"),
        ("rmsprop", "mean_squared_error", ValueError, "rmsprop"),
        (Mine(), "mean_squared_error", TypeError, "Mine"),
        (torch.optim.SGD, "mean_squared_error", TypeError, "SGD"),
        (SGD("0.1"), "mean_squared_error", TypeError, "learning_rate"),  # type: ignore[arg-type]  # the fault
        (SGD(True), "mean_squared_error", TypeError, "learning_rate"),
        (SGD(nesterov=1), "mean_squared_error", TypeError, "nesterov"),  # type: ignore[arg-type]  # the fault
    ):
        with pytest.raises(error, match=named):
            model.compile(optimizer, loss)  # type: ignore[arg-type]  # the fault
    owe_same(state, model.capture())


def test_k_y9_whole_numbers_beyond_what_a_file_holds_are_refused_at_once() -> None:
    for seed in (2**53, 2**64 - 1, -1):
        with pytest.raises(ValueError, match="seed = "):
            Dense(3, seed=seed)
        with pytest.raises(ValueError, match="seed = "):
            line(Float32).fit(np.ones((1, 3)), np.ones((1, 2)), seed=seed, verbose=0)
    for wrong in (True, 1.0, "3", None):
        with pytest.raises(TypeError, match="seed"):
            Dense(3, seed=wrong)  # type: ignore[arg-type]  # the fault
    assert Dense(3, seed=2**53 - 1).seed == 2**53 - 1
    assert Dense(np.int64(3)).units == 3  # type: ignore[arg-type]  # as numpy gives them
    with pytest.raises(ValueError, match="growth_interval = "):
        Sequential[Float16]([Input((1,))]).compile("adam", loss_scaling=LossScaling(growth_interval=2**53))
