"""What a resume goes on from: counts, powers, settings and streams are the file's, from the next update on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
import torch

from bitproof.klyn import SGD, Adam, Float32, Float64, Sequential, ValueException, write
from bitproof.klyn.arguments import float_of, word_of
from bitproof.klyn.optimizers import restarted
from bitproof.klyn.streams import Stream
from bitproof_spec import random as spec
from bitproof_spec.document import differences
from bitproof_spec.encoding import Binary64
from bitproof_spec.klyn.constants import INTEGER_LIMIT
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.training import Adam as AdamState
from tests.klyn.runtime.drawn import CLASSES
from tests.klyn.runtime.exact import PRECISIONS
from tests.klyn.runtime.models import image_data, images, line, owe_same, train

Model = Sequential[Any]


def reset(document: Checkpoint, **changes: Any) -> Checkpoint:
    """The document with another training member."""
    assert document.training is not None
    return replace(document, training=document.training._replace(**changes))


def loaded(document: Checkpoint, path: Path) -> Model:
    """A model of a document, through a file."""
    write(path, document, durable=False)
    return CLASSES[document.precision].load(path)


@pytest.mark.parametrize("count", [1, 2, 3, 1000])
def test_k_r5_r6_the_next_update_counts_on_and_one_that_starts_at_1_again_differs(count: int, tmp_path: Path) -> None:
    model = line(Float32)
    x, y = np.linspace(-1, 1, 6).reshape(2, 3), np.full((2, 2), 0.5)
    model.fit(x, y, epochs=count, seed=1, verbose=0)
    document = model.capture()
    training = document.training
    assert training is not None
    assert training.step == count
    anew = reset(document, step=0, optimizer=restarted(training.optimizer))
    resumed, control = loaded(document, tmp_path / "m.knn"), loaded(anew, tmp_path / "control.knn")
    for each in (model, resumed, control):
        each.fit(x, y, seed=1, verbose=0)
    owe_same(model.capture(), resumed.capture())
    found = {difference.where.partition("[")[0] for difference in differences(model.capture(), control.capture())}
    assert {"/training/step", "/training/optimizer/beta1_power", "dense_1/kernel"} <= found


def test_k_r9_each_dropout_goes_on_with_its_own_stream_of_masks(tmp_path: Path) -> None:
    """Five updates, a file, three more: live masks, resumed masks and the specification's are the same."""
    model = images(Float32)
    x, y = image_data(4)
    model.fit(x, y, epochs=5, seed=1, verbose=0)
    model.save(tmp_path / "m.knn")
    resumed = Sequential[Float32].load(tmp_path / "m.knn")
    seen: list[list[tuple[tuple[int, int], int, list[bool]]]] = []
    real = Stream.keep

    def recorded(stream: Stream, rate: float, like: torch.Tensor) -> torch.Tensor:
        counter, mask = stream.counter, real(stream, rate, like)
        seen[-1].append((stream.key, counter, mask.flatten().tolist()))
        return mask

    with mock.patch.object(Stream, "keep", recorded):
        for each in (model, resumed):
            seen.append([])
            each.fit(x, y, epochs=3, seed=2, verbose=0)
    live, again = seen
    assert live == again
    assert [key for key, _, _ in live] == [(5, 3), (6, 5)] * 3
    rates = {(5, 3): word_of(0.2), (6, 5): word_of(0.4)}
    for key, counter, mask in live:
        assert tuple(mask) == spec.mask(key, counter, len(mask), rates[key])
    assert [counter for _, counter, _ in live] == [40, 40, 48, 48, 56, 56]  # 4 samples of 8 elements are 8 blocks


ADAM_MEMBERS = ["learning_rate", "beta1", "beta2", "epsilon", "beta1_power", "beta2_power"]
SGD_MEMBERS = ["learning_rate", "momentum", "nesterov"]


@pytest.mark.parametrize(
    ("optimizer", "member"),
    [*((Adam(), each) for each in ADAM_MEMBERS), *((SGD(0.01, 0.9), each) for each in SGD_MEMBERS)],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_k_r13_a_value_in_the_file_governs_the_very_next_update(
    optimizer: SGD | Adam, member: str, tmp_path: Path
) -> None:
    """One member unlike the model's own, in an otherwise equal file: one update later the weights differ."""
    model = line(Float32, optimizer)
    train(model)
    document = model.capture()
    assert document.training is not None
    value: object = True if member == "nesterov" else word_of(0.5)
    changed = reset(document, optimizer=document.training.optimizer._replace(**{member: value}))  # type: ignore[arg-type]  # by name
    x, y = np.full((2, 3), 0.5), np.full((2, 2), 0.25)
    as_is, other = loaded(document, tmp_path / "m.knn"), loaded(changed, tmp_path / "other.knn")
    for each in (as_is, other):
        each.fit(x, y, seed=1, verbose=0)
    apart = {difference.where.partition("[")[0] for difference in differences(as_is.capture(), other.capture())}
    assert "dense_1/kernel" in apart


def test_k_r13_the_file_s_settings_win_over_those_the_model_was_built_with(tmp_path: Path) -> None:
    """With a gradient of zero only the file's moments, rate and powers move the weights, as computed here."""
    owner = line(Float64, Adam(0.25, 0.5, 0.75, 0.125))
    train(owner)
    owner.save(tmp_path / "m.knn")
    before = {id: tensor.clone() for id, tensor in owner.parameters.items()}
    resumed = Sequential[Float64].load(tmp_path / "m.knn")
    state = resumed._training
    assert state is not None
    m = {id: state.tensors[f"{id}/adam_m"].clone() for id in before}
    v = {id: state.tensors[f"{id}/adam_v"].clone() for id in before}
    x = np.zeros((2, 3))
    resumed.fit(x, resumed.predict(x).numpy(), seed=1, verbose=0)
    steps = state.step
    factor = 0.25 * (1 - 0.75**steps) ** 0.5 / (1 - 0.5**steps)
    for id, tensor in resumed.parameters.items():
        expected = before[id] - factor * (m[id] * 0.5) / ((v[id] * 0.75).sqrt() + 0.125)
        torch.testing.assert_close(tensor, expected, rtol=1e-13, atol=1e-15)
        assert not tensor.equal(before[id])


@pytest.mark.parametrize("start", [2**24 - 1, 2**24 + 1, 2**31, 2**53 - 3])
def test_steps_beyond_what_floats_count_stay_exact(start: int, tmp_path: Path) -> None:
    model = loaded(reset(line(Float32).capture(), step=start), tmp_path / "m.knn")
    x, y = np.ones((1, 3)), np.ones((1, 2))
    model.fit(x, y, epochs=2, verbose=0)
    model.save(tmp_path / "m.knn")
    training = Sequential[Float32].load(tmp_path / "m.knn").capture().training
    assert training is not None
    assert training.step == start + 2


def test_a_step_that_no_file_can_count_is_refused_when_saved_and_the_old_file_stays(tmp_path: Path) -> None:
    model = loaded(reset(line(Float32).capture(), step=INTEGER_LIMIT), tmp_path / "m.knn")
    before = (tmp_path / "m.knn").read_bytes()
    model.fit(np.ones((1, 3)), np.ones((1, 2)), verbose=0)
    with pytest.raises(ValueException, match="/training/step"):
        model.save(tmp_path / "m.knn")
    assert (tmp_path / "m.knn").read_bytes() == before


def test_powers_are_multiplied_on_from_the_file_s_bits_and_never_made_from_the_step(tmp_path: Path) -> None:
    document = line(Float64, Adam(0.004, 0.1 + 2**-56, 0.3, 3e-6)).capture()
    assert document.training is not None
    odd = (Binary64(0x3FE0624DD2F1A9FD), Binary64(0x0000000000000007))  # no power of any beta, and a subnormal
    optimizer = document.training.optimizer
    assert isinstance(optimizer, AdamState)
    optimizer = optimizer._replace(beta1_power=odd[0], beta2_power=odd[1])
    model = loaded(reset(document, optimizer=optimizer, step=3), tmp_path / "m.knn")
    model.fit(np.ones((1, 3)), np.ones((1, 2)), epochs=2, verbose=0)
    training = model.capture().training
    assert training is not None
    powers = [float_of(odd[0]), float_of(odd[1])]
    for _ in range(2):
        powers = [powers[0] * (0.1 + 2**-56), powers[1] * 0.3]
    assert training.optimizer[4:6] == tuple(word_of(power) for power in powers)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_data_order_seeds_and_histories_of_training_leave_no_trace_in_a_file(precision: Any, tmp_path: Path) -> None:
    """At a rate of zero, two trainings of equally many updates differ in nothing that a file holds."""
    for name, count, epochs, batch, seed in (("one.knn", 12, 2, 3, 1), ("other.knn", 8, 1, 1, 99)):
        model = images(precision, SGD(0.0))
        x, y = image_data(count)
        model.fit(x, y, epochs=epochs, batch_size=batch, seed=seed, verbose=0, callback=lambda epoch, loss: None)
        model.evaluate(x, y)
        document = model.capture()
        assert document.training is not None
        assert document.training.step == 8
        random = tuple(each._replace(counter=0) for each in document.training.random)  # draws do count
        write(tmp_path / name, reset(document, random=random))
    assert (tmp_path / "one.knn").read_bytes() == (tmp_path / "other.knn").read_bytes()
