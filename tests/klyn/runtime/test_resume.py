"""The resume law: fit, save, load, fit equals fit, fit without saving, to the last bit; and saving disturbs nothing."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bitproof.klyn import SGD, Adam, Float16, Float32, Float64, Sequential, ValueException, write
from bitproof.klyn.arguments import float_of, word_of
from bitproof.klyn.optimizers import restarted
from bitproof.klyn.streams import Stream
from bitproof_spec import random as spec
from bitproof_spec.document import differences
from bitproof_spec.encoding import Binary64
from bitproof_spec.format import OfBytes, encode
from bitproof_spec.klyn.constants import INTEGER_LIMIT
from bitproof_spec.klyn.container import KNN
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.training import Adam as AdamState
from tests.klyn.runtime.drawn import CLASSES, Training, trainings
from tests.klyn.runtime.exact import PRECISIONS, words
from tests.klyn.runtime.models import SGD_WITH_ALL, image_data, images, line, owe_same, train

CASES = settings(
    max_examples=80, deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
Model = Sequential[Any]


@pytest.fixture(scope="module")
def file() -> Iterator[Path]:
    """One path that is written again and again."""
    with TemporaryDirectory() as folder:
        yield Path(folder) / "resumed.knn"


@CASES
@given(how=trainings(), before=st.integers(0, 2), after=st.integers(1, 2))
def test_fit_save_load_fit_equals_fit_fit_for_any_model_optimizer_and_cut(
    file: Path, how: Training, before: int, after: int
) -> None:
    straight, stopped = how.model(), how.model()
    for model in (straight, stopped):
        how.train(model, before)
    stopped.save(file, durable=False)
    resumed = type(stopped).load(file)
    owe_same(straight.capture(), resumed.capture())
    assert encode(KNN, resumed.capture()) == file.read_bytes()
    for model in (straight, stopped, resumed):
        how.train(model, after)
    owe_same(straight.capture(), resumed.capture())
    owe_same(straight.capture(), stopped.capture())
    assert words(straight.predict(how.x(straight))) == words(resumed.predict(how.x(straight)))


@CASES
@given(how=trainings())
def test_a_run_that_saves_after_every_epoch_equals_its_twin_that_never_does(file: Path, how: Training) -> None:
    saving, quiet = how.model(), how.model()
    for _ in range(3):
        how.train(saving, 1)
        saving.save(file, durable=False)
        saving.save(file, include_optimizer=False, durable=False)
        saving.predict(how.x(saving))
        how.train(quiet, 1)
    owe_same(quiet.capture(), saving.capture())


FIXED: dict[str, Callable[[], Model]] = {
    "half-adam": lambda: images(Float16),
    "half-nesterov": lambda: line(Float16, SGD_WITH_ALL),
    "single-adam": lambda: line(Float32),
    "single-nesterov": lambda: images(Float32, SGD_WITH_ALL),
    "single-sgd": lambda: images(Float32, SGD(0.0625)),
    "double-adam": lambda: images(Float64),
}
CHILD = """
import sys
from pathlib import Path
from tests.klyn.runtime.test_resume import FIXED, train
folder = Path(sys.argv[1])
for name, make in FIXED.items():
    model = type(make()).load(folder / f"{name}.knn")
    model.save(folder / f"{name}-again.knn")
    train(model, 2)
    model.save(folder / f"{name}-resumed.knn")
"""


def test_k_r8_r11_a_fixed_set_resumes_in_a_new_process_with_every_moment(tmp_path: Path) -> None:
    straight = {name: make() for name, make in FIXED.items()}
    for name, model in straight.items():
        train(model, 3)
        model.save(tmp_path / f"{name}.knn")
        train(model, 2)
    root = Path(__file__).parents[3]
    environment = {"OMP_NUM_THREADS": str(torch.get_num_threads()), "PATH": "", "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([sys.executable, "-c", CHILD, str(tmp_path)], check=True, env=environment, cwd=root)
    for name, model in straight.items():
        assert (tmp_path / f"{name}-again.knn").read_bytes() == (tmp_path / f"{name}.knn").read_bytes()
        resumed = KNN.judge(OfBytes((tmp_path / f"{name}-resumed.knn").read_bytes()))
        assert isinstance(resumed, Checkpoint)
        owe_same(model.capture(), resumed)
    moments = [id for id, _ in straight["half-adam"].capture().tensors if id.count("/") == 2]
    assert len(moments) == 3 * 4


@pytest.mark.parametrize("precision", PRECISIONS)
def test_k_r11_every_epoch_before_the_first_included_is_a_place_to_stop(precision: Any, tmp_path: Path) -> None:
    straight = images(precision)
    for epoch in range(4):
        straight.save(tmp_path / f"{epoch}.knn")
        train(straight, seed=epoch)
    for start in range(4):
        resumed = Sequential[precision].load(tmp_path / f"{start}.knn")
        for epoch in range(start, 4):
            train(resumed, seed=epoch)
        owe_same(straight.capture(), resumed.capture())


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("optimizer", [Adam(0.013), SGD_WITH_ALL], ids=["adam", "nesterov"])
def test_k_r7_a_model_compiled_and_never_trained_saves_loads_and_trains_as_its_twin(
    precision: Any, optimizer: SGD | Adam, tmp_path: Path
) -> None:
    twin = images(precision, optimizer)
    images(precision, optimizer).save(tmp_path / "m.knn")
    resumed = Sequential[precision].load(tmp_path / "m.knn")
    for model in (twin, resumed):
        train(model)
    owe_same(twin.capture(), resumed.capture())


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
