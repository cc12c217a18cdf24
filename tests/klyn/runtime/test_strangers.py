"""Subclasses, patched calls, unknown stages, names and shapes that no file holds: refused by name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from bitproof.klyn import (
    Conv2D,
    Dense,
    Dropout,
    Float16,
    Float32,
    Float64,
    Input,
    Sequential,
    Stage,
    ValueException,
)
from bitproof_spec.klyn.rules_target import TARGET_RULES
from tests.klyn.runtime.exact import words


class Doubled(Dense[Float32]):
    """A subclass that computes something else."""

    def call(self, x: torch.Tensor, parameters: Any, keep: Any = None) -> torch.Tensor:
        return 2 * super().call(x, parameters, keep)


class Mine(Sequential[Float32]):
    """A subclass of the model."""


@pytest.mark.parametrize("stage", [Doubled(2), type("Bare", (Dense,), {})(2)], ids=["patched call", "same fields"])
def test_k_v25_a_subclass_of_a_stage_trains_and_is_never_saved_as_its_base(stage: Any, tmp_path: Path) -> None:
    model = Sequential[Float32]([Input((3,)), stage])
    model.compile("sgd", "mean_squared_error")
    model.fit(np.ones((2, 3)), np.ones((2, 2)), verbose=0)
    plain = Sequential[Float32]([Input((3,)), Dense(2)])
    plain.save(tmp_path / "plain.knn")
    for refused in (
        lambda: model.save(tmp_path / "m.knn"),
        model.capture,
        lambda: model.load_weights(tmp_path / "plain.knn"),
    ):
        with pytest.raises(ValueException, match=rf"KNR-MOD-04 .*dense_1 of class {type(stage).__name__}.*Dense"):
            refused()
    assert [path.name for path in tmp_path.iterdir()] == ["plain.knn"]


def test_a_subclass_computes_what_it_says() -> None:
    doubled, plain = Sequential[Float32]([Input((3,)), Doubled(2)]), Sequential[Float32]([Input((3,)), Dense(2)])
    x = np.ones((1, 3))
    assert words(doubled.predict(x)) == words(2 * plain.predict(x))


def test_k_v25_a_patched_call_is_refused_when_it_is_patched(tmp_path: Path) -> None:
    stage = Dense[Float32](2)
    model = Sequential[Float32]([Input((3,)), stage])
    for patch in (setattr, object.__setattr__):
        with pytest.raises(AttributeError, match="Dense"):
            patch(stage, "call", lambda x, parameters, keep: x)
        with pytest.raises(AttributeError, match="Sequential"):
            patch(model, "predict", lambda x: x)
    with pytest.raises(AttributeError, match="units"):
        stage.units = 3  # type: ignore[misc]  # the fault
    model.save(tmp_path / "m.knn")


def test_k_v25_a_subclass_of_the_model_is_refused_by_name(tmp_path: Path) -> None:
    model = Mine([Input((3,)), Dense(2)])
    assert tuple(model.predict(np.ones((1, 3))).shape) == (1, 2)
    with pytest.raises(ValueException, match=r"KNR-MOD-04 at /model: found a model of class Mine"):
        model.save(tmp_path / "m.knn")
    Sequential[Float32]([Input((3,)), Dense(2)]).save(tmp_path / "plain.knn")
    with pytest.raises(ValueException, match="class Mine"):
        Mine.load(tmp_path / "plain.knn")
    with pytest.raises(ValueException, match="class Mine"):
        Mine.load(tmp_path / "missing.knn")
    with pytest.raises(ValueException, match="class Mine"):
        model.load_weights(tmp_path / "plain.knn")
    assert [path.name for path in tmp_path.iterdir()] == ["plain.knn"]


def test_k_v25_unknown_stages_and_misplaced_precisions_are_refused_by_name() -> None:
    class Strange(Stage[Float32]):
        def declared(self, name: str) -> Any:
            return None

    for stage, named in (
        (torch.nn.Linear(1, 1), "Linear is no stage"),
        (Strange(), "Strange is no stage"),
        (Dense, "Dense"),
        (lambda x: x, "function is no stage"),
        (Dense[Float16](3), r"Dense\[Float16\].*Sequential\[Float32\]"),
    ):
        with pytest.raises(TypeError, match=named):
            Sequential[Float32]([Input((3,)), stage])  # type: ignore[list-item]  # the fault
    with pytest.raises(TypeError, match="Float32"):
        Sequential([Input((3,))])
    for subscript in (int, "Float32", torch.float32, None):
        with pytest.raises(TypeError, match="Float16, Float32 and Float64"):
            Sequential[subscript]  # type: ignore[valid-type]  # the fault
    with pytest.raises(TypeError, match="once"):
        Sequential[Float32][Float64]


def test_k_i6_one_stage_object_at_two_places_is_refused() -> None:
    shared = Dense[Float32](3)
    with pytest.raises(ValueError, match="stage 2: one Dense stands twice"):
        Sequential[Float32]([Input((3,)), shared, shared])


def test_k_i6_tied_tensors_are_each_stored_by_their_own_elements(tmp_path: Path) -> None:
    model = Sequential[Float32]([Input((3,)), Dense(3), Dense(3)])
    one, other = model.parameters["dense_1/kernel"], model.parameters["dense_2/kernel"]
    other.data = one.data
    model.save(tmp_path / "m.knn")
    loaded = Sequential[Float32].load(tmp_path / "m.knn").parameters
    assert words(loaded["dense_1/kernel"]) == words(loaded["dense_2/kernel"]) == words(one)
    loaded["dense_1/kernel"].zero_()
    assert words(loaded["dense_2/kernel"]) == words(one)


def test_names_are_given_by_type_and_index_and_a_taken_one_gets_a_number() -> None:
    stages: list[Stage[Float32]] = [
        Input((4, 4, 1), name="dense_5"),
        Conv2D(1, 1),
        Dense(1, name="dense_4"),
        Dense(1, name="dense_4_2"),
        Dense(1),
        Dense(1),
    ]
    model = Sequential[Float32](stages)
    assert [stage.name for stage in model.capture().stages] == [
        "dense_5",
        "conv2d_1",
        "dense_4",
        "dense_4_2",
        "dense_4_3",
        "dense_5_2",
    ]


@pytest.mark.parametrize("name", ["", "1a", "a b", "é", "a" * 65, "a/b", "a\n"])
def test_names_that_no_file_holds_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="stage's name"):
        Dense(3, name=name)


def test_equal_names_and_stages_that_do_not_fit_are_refused_with_every_finding() -> None:
    with pytest.raises(ValueException, match="KNN-STG-02"):
        Sequential[Float32]([Input((3,)), Dense(3, name="a"), Dense(3, name="a")])
    with pytest.raises(ValueException, match="KNN-SHP-01"):
        Sequential[Float32]([Input((3,)), Conv2D(3, 3)])
    with pytest.raises(ValueException, match="KNN-STG-01"):
        Sequential[Float32]([Input((3,)), Input((3,))])
    with pytest.raises(ValueError, match="at most 4096 stages"):
        Sequential[Float32]([Input((3,)), *(Dropout(0.5) for _ in range(4096))])


def test_every_rule_that_a_model_names_is_explained_and_a_clause_of_the_document() -> None:
    root = Path(__file__).parents[3]
    named = {
        id
        for path in (root / "impl" / "bitproof" / "klyn").glob("*.py")
        for id in re.findall(r"KNR-[A-Z]+-\d+", path.read_text(encoding="utf-8"))
    }
    assert named == {rule.id for rule in TARGET_RULES}
    clauses = (root / "spec" / "klyn.md").read_text(encoding="utf-8")
    assert all(f"| {id} |" in clauses for id in named)
