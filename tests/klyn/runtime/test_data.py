"""What `fit`, `evaluate` and `predict` take and give: data, shuffling, losses, histories, progress."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from bitproof.klyn import (
    SGD,
    Dense,
    Evaluation,
    Flatten,
    Float16,
    Float32,
    History,
    Input,
    LossScaling,
    Sequential,
    Softmax,
)
from bitproof.klyn.losses import cross_entropy
from bitproof.klyn.streams import permutation
from tests.klyn.runtime.exact import PRECISIONS, words
from tests.klyn.runtime.models import image_data, images, line, line_data, owe_same

EACH = pytest.mark.parametrize("precision", PRECISIONS)
Model = Sequential[Any]


@pytest.mark.parametrize(
    ("y", "error", "named"),
    [
        (np.ones(10), TypeError, "float64.*integer classes"),
        (np.ones(10, bool), TypeError, "bool"),
        (np.ones((10, 3), int), ValueError, r"\(10, 3\).*\(10,\) or \(10, 1\)"),
        (np.ones(9, int), ValueError, r"\(9,\)"),
        (np.full(10, 3), ValueError, "classes 3 … 3; this model has 0 … 2"),
        (np.full(10, -1), ValueError, "-1"),
        (np.full(10, 2**64 - 1, np.uint64), ValueError, str(2**64 - 1)),
        (None, TypeError, "object"),
        (["a"] * 10, TypeError, "<U1"),
    ],
)
def test_targets_that_are_no_classes_of_the_model_are_refused(y: Any, error: type[Exception], named: str) -> None:
    model = images(Float32)
    before = model.capture()
    for call in (model.fit, model.evaluate):
        with pytest.raises(error, match=named):
            call(image_data()[0], y)
    owe_same(before, model.capture())


@pytest.mark.parametrize(
    ("x", "error", "named"),
    [
        (np.ones((10, 4, 4)), ValueError, r"\(10, 4, 4\).*\(samples, 4, 4, 1\)"),
        (np.ones((10, 4, 4, 1), complex), TypeError, "complex128"),
        (np.ones((10, 4, 4, 1), object), TypeError, "object"),
        (torch.ones(10, 4, 4, 1, dtype=torch.bfloat16), TypeError, "bfloat16"),
        (3.0, ValueError, r"\(\)"),
        (np.ones((0, 4, 4, 1)), ValueError, "no samples|y has shape"),
    ],
)
def test_samples_that_do_not_fit_are_refused(x: Any, error: type[Exception], named: str) -> None:
    model = images(Float32)
    before = model.capture()
    with pytest.raises(error, match=named):
        model.fit(x, image_data()[1], verbose=0)
    owe_same(before, model.capture())


@EACH
@pytest.mark.parametrize("dtype", ["u1", "i2", "<i8", ">i4", "u8"])
def test_classes_of_any_integer_type_with_or_without_a_last_axis_are_the_same(precision: Any, dtype: str) -> None:
    x, y = image_data()
    plain, other, column, tensor = (images(precision) for _ in range(4))
    plain.fit(x, y, seed=1, verbose=0)
    other.fit(x, y.astype(dtype), seed=1, verbose=0)
    column.fit(x, y.astype(dtype)[:, None], seed=1, verbose=0)
    tensor.fit(x, torch.from_numpy(y), seed=1, verbose=0)
    for each in (other, column, tensor):
        owe_same(plain.capture(), each.capture())


@EACH
def test_samples_are_rounded_once_to_the_models_precision(precision: Any) -> None:
    model: Model = Sequential[precision]([Input((1,))])
    x = np.array([[1 + 2**-11 + 2**-40], [65520.0], [2.0**-25], [1 / 3]])
    with np.errstate(over="ignore"):
        expected = x.astype(model.predict(x).numpy().dtype)
    assert model.predict(x).numpy().tobytes() == expected.tobytes()
    assert model.predict(np.array([[3], [-7]])).flatten().tolist() == [3.0, -7.0]


def test_an_epoch_takes_its_own_permutation_and_the_last_batch_what_is_left() -> None:
    model = line(Float32)
    seen: list[list[int]] = []
    real = Dense.call

    def watched(stage: Any, x: torch.Tensor, parameters: Any, keep: Any = None) -> torch.Tensor:
        if x.shape[1:] == (3,):
            seen.append(x[:, 0].int().tolist())
        return real(stage, x, parameters, keep)

    x = np.arange(10.0)[:, None] * np.ones((1, 3))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Dense, "call", watched)
        model.fit(x, line_data()[1], epochs=2, batch_size=4, seed=9, verbose=0)
        model.fit(x, line_data()[1], batch_size=4, seed=9, verbose=0)
        model.fit(x, line_data()[1], batch_size=4, seed=9, shuffle=False, verbose=0)
    first, second = (permutation(9, epoch, 10).tolist() for epoch in (0, 1))
    batches = [order[start : start + 4] for order in (first, second, first, list(range(10))) for start in (0, 4, 8)]
    assert seen == batches
    assert first != second


def test_without_a_seed_one_is_drawn_and_with_one_training_repeats() -> None:
    models = [images(Float32) for _ in range(4)]
    x, y = image_data()
    for model, seed in zip(models, (3, 3, None, None), strict=True):
        model.fit(x, y, epochs=3, batch_size=2, seed=seed, verbose=0)
    owe_same(models[0].capture(), models[1].capture())
    assert models[2].capture() != models[3].capture()


@EACH
def test_a_history_holds_the_mean_loss_over_samples_and_not_over_batches(precision: Any) -> None:
    model: Model = Sequential[precision]([Input((1,)), Dense(1, use_bias=False)])
    scaling = LossScaling(1.0) if precision is Float16 else None
    model.compile(SGD(0.0), "mean_squared_error", loss_scaling=scaling)
    model.parameters["dense_1/kernel"].fill_(1)
    x, y = np.array([[0.0], [0.0], [3.0]]), np.zeros((3, 1))
    history = model.fit(x, y, epochs=2, batch_size=2, shuffle=False, verbose=0)
    assert history == History((3.0, 3.0), (0, 0))
    assert model.evaluate(x, y, batch_size=2) == Evaluation(3.0, None)


@EACH
def test_evaluation_counts_right_classes_over_all_positions(precision: Any) -> None:
    model: Model = Sequential[precision]([Input((2, 3)), Softmax()])
    model.compile("sgd")
    x = np.zeros((3, 2, 3))
    x[:, 0, 1] = x[:, 1, 2] = 4
    found = model.evaluate(x, np.array([[1, 2], [1, 0], [0, 0]]), batch_size=2)
    assert found.accuracy == 0.5
    assert found.loss > 0


def test_cross_entropy_is_the_clipped_share_of_the_class() -> None:
    output = torch.tensor([[2.0, 6.0], [1.0, 0.0], [0.0, 0.0]], dtype=torch.float64)
    classes = torch.tensor([1, 1, 0])
    found = [float(cross_entropy(output[[i]], classes[[i]])) for i in range(3)]
    assert found[0] == pytest.approx(-np.log(0.75), rel=1e-15)
    assert found[1] == pytest.approx(-np.log(1e-7), rel=1e-15)
    assert np.isnan(found[2])
    certain = cross_entropy(torch.tensor([[1.0, 0.0]], dtype=torch.float64), torch.tensor([0]))
    assert float(certain) == pytest.approx(1e-7, rel=1e-6)


@EACH
def test_prediction_gives_the_models_precision_and_any_batch_size_where_sums_are_exact(precision: Any) -> None:
    model: Model = Sequential[precision]([Input((2,)), Dense(3)])
    x = np.arange(10).reshape(5, 2)
    whole = model.predict(x)
    assert whole.dtype is model.parameters["dense_1/kernel"].dtype
    assert not whole.requires_grad
    for parameter in model.parameters.values():
        parameter.copy_(parameter.sign())
    assert words(model.predict(x)) == words(model.predict(x, batch_size=2))


def test_arguments_of_a_pass_are_refused_by_name() -> None:
    model = line(Float32)
    x, y = line_data()
    for options, error in (
        ({"epochs": -1}, ValueError),
        ({"epochs": 1.0}, TypeError),
        ({"batch_size": 0}, ValueError),
        ({"verbose": 2}, ValueError),
        ({"seed": "7"}, TypeError),
    ):
        with pytest.raises(error, match=next(iter(options))):
            model.fit(x, y, **options)
    for call in (model.evaluate, model.fit):
        with pytest.raises(ValueError, match="batch_size"):
            call(x, y, batch_size=0)
    assert model.fit(x, y, epochs=0, verbose=0) == History((), ())


def test_verbose_0_is_silent_and_1_prints_a_line_an_epoch_where_there_is_no_terminal(
    capfd: pytest.CaptureFixture[str],
) -> None:
    model = line(Float16)
    x, y = line_data()
    model.fit(x, y, epochs=2, verbose=0)
    assert capfd.readouterr() == ("", "")
    model.fit(x, y, epochs=2)
    out, err = capfd.readouterr()
    lines = out.splitlines()
    assert [line.split("  ")[0] for line in lines] == ["epoch 1/2", "epoch 2/2"]
    assert err == ""


def test_on_a_terminal_a_bar_is_drawn_over_the_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    import rich.console

    shown = io.StringIO()
    real = rich.console.Console

    def terminal(**options: Any) -> rich.console.Console:
        return real(file=shown, force_terminal=True, width=80, **options)

    monkeypatch.setattr(rich.console, "Console", terminal)
    model = line(Float32)
    model.fit(*line_data(), epochs=2)
    assert "epoch 1/2  loss" in shown.getvalue()
    assert "10/10" in shown.getvalue()


def test_the_summary_names_stages_shapes_parameters_and_settings(capsys: pytest.CaptureFixture[str]) -> None:
    model = images(Float16)
    model.summary()
    out = capsys.readouterr().out
    for text in ("Sequential[Float16]", "conv2d_1", "3 × 3 × 2", "37 parameters, 74 bytes", "beta1=0.83", "scale 96"):
        assert text in out
    unbuilt = Sequential[Float32]([Flatten()])
    for call in (unbuilt.summary, lambda: unbuilt.parameters):
        with pytest.raises(ValueError, match="isn't built"):
            call()
