"""Reported faults of what was taken for a fit: shapes, names, kinds and precisions, over each of the instances."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from bitproof_spec.document import Block
from bitproof_spec.encoding import BINARY32, BINARY64
from bitproof_spec.format import OfBytes, encode
from bitproof_spec.layout import Layout, Slot
from bitproof_spec.target import Target, load
from bitproof_spec.violations import CheckpointError, Violation, Violations
from tests.core.instances.knn_document import Knn
from tests.core.instances.knn_format import KNN
from tests.core.instances.knn_model import HalfModel
from tests.core.instances.tlsf32b_format import TLSF32B, Tensors
from tests.core.instances.tlsf32b_state import LAYOUT, Fresh, Module
from tests.core.instances.values_document import FloatValue, ModelValue, Values
from tests.core.instances.values_format import VALUES
from tests.core.instances.values_run import Run
from tests.core.instances.values_types import Model, types

WIDTHS = {"binary16": 2, "bfloat16": 2, "binary32": 4, "binary64": 8}


def block(tag: str, shape: tuple[int, ...]) -> Block:
    count = 1
    for extent in shape:
        count *= extent
    return Block(tag, shape, bytes(index % 251 for index in range(count * WIDTHS[tag])))


def refusal(target: Target[Tensors, object], document: Tensors) -> tuple[Violation, ...]:
    with pytest.raises(CheckpointError) as refused:
        load(target, TLSF32B, OfBytes(encode(TLSF32B, document)))
    return refused.value.violations


def model_of(tag: str, shape: tuple[int, ...]) -> type[Model]:
    """A class `Net` with one field."""
    return type("Net", (Model,), {"fields": {"w": (tag, shape)}})


def net(tag: str, shape: tuple[int, ...]) -> bytes:
    """The file of a `Net`."""
    return encode(VALUES, Values((ModelValue("Net", (("w", block(tag, shape)),)),)))


BROADCASTS = [((1, 4), (3, 4)), ((4,), (1, 4)), ((2, 6), (3, 4))]
RANKS: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((5,), ()), ((1,), ()), ((), (1,))]
SHAPES = [*(("v17", *pair) for pair in BROADCASTS), *(("v18", *pair) for pair in RANKS)]


@pytest.mark.parametrize(("report", "found", "owed"), SHAPES)
def test_v17_v18_a_layout_never_broadcasts_or_squeezes_and_shows_both_shapes(
    report: str, found: tuple[int, ...], owed: tuple[int, ...]
) -> None:
    layout = Layout(Slot("w", BINARY32, owed))
    assert refusal(Fresh(layout), Tensors((block("binary32", found),))) == (
        Violation("LAY-SHAPE-01", "w", str(list(found)), str(list(owed))),
    )


@pytest.mark.parametrize(("report", "found", "owed"), SHAPES)
def test_v17_v18_a_type_never_broadcasts_or_squeezes_and_shows_both_shapes(
    report: str, found: tuple[int, ...], owed: tuple[int, ...]
) -> None:
    with pytest.raises(CheckpointError) as refused:
        load(types(model_of("binary32", owed)), VALUES, OfBytes(net("binary32", found)))
    (violation,) = refused.value.violations
    assert violation[1:] == ("value 1 w", f"binary32{list(found)}", f"binary32{list(owed)}")


@pytest.mark.parametrize("found", [(1, 2), (6,), (2, 3), (3, 2, 1), ()])
def test_v17_a_model_never_broadcasts_or_reshapes_and_shows_both_shapes(found: tuple[int, ...]) -> None:
    model, other = HalfModel(), HalfModel()
    other.advance(2)
    document = other.capture()
    (id, _), *rest = document.tensors
    wrong = replace(document, tensors=((id, block("binary16", found)), *rest))
    with pytest.raises(CheckpointError) as refused:
        load(model, KNN, OfBytes(encode(KNN, wrong)))
    assert refused.value.violations == (Violation("LAY-SHAPE-01", id, str(list(found)), "[3, 2]"),)
    assert model.capture() == HalfModel().capture()


def knn_changes() -> dict[str, Callable[[Knn], Knn]]:
    def swap(d: Knn, *tensors: tuple[str, Block]) -> Knn:
        return replace(d, tensors=(*tensors, *d.tensors[1:]))

    return {
        "renamed": lambda d: swap(d, ("dense/weight", d.tensors[0][1])),
        "dropped": lambda d: replace(d, tensors=d.tensors[:-1]),
        "added": lambda d: replace(d, tensors=(*d.tensors, ("more", d.tensors[0][1]))),
        "swapped": lambda d: replace(d, tensors=(d.tensors[1], d.tensors[0], *d.tensors[2:])),
        "reshaped": lambda d: swap(d, ("dense/kernel", block("binary16", (2, 3)))),
    }


@pytest.mark.parametrize("change", knn_changes())
def test_v21_a_model_refuses_a_renamed_dropped_or_reshaped_tensor_and_stays_as_it_was(change: str) -> None:
    trained, model = HalfModel(), HalfModel()
    trained.advance(3)
    model.advance(1)
    before = model.capture()
    with pytest.raises(CheckpointError):
        load(model, KNN, OfBytes(encode(KNN, knn_changes()[change](trained.capture()))))
    assert model.capture() == before


@pytest.mark.parametrize("tensors", [slice(0, 2), slice(1, 3), slice(2, None, -1), slice(0, 0)])
def test_v21_a_module_refuses_dropped_and_reordered_tensors_and_stays_as_it_was(tensors: slice) -> None:
    trained, module = Module(LAYOUT), Module(LAYOUT)
    trained.advance(3)
    assert refusal(module, Tensors(trained.capture().blocks[tensors]))
    assert module.capture() == Module(LAYOUT).capture()


@pytest.mark.parametrize("change", ["renamed", "dropped", "added", "reshaped"])
def test_v21_a_run_refuses_a_renamed_dropped_or_reshaped_field_and_stays_as_it_was(change: str) -> None:
    trained, run = Run(), Run()
    trained.advance(3)
    model, *others = trained.capture().values
    assert isinstance(model, ModelValue)
    first, *rest = model.fields
    fields = {
        "renamed": (("w0", first[1]), *rest),
        "dropped": tuple(rest),
        "added": (*model.fields, ("w3", first[1])),
        "reshaped": (("w1", block("binary32", (4, 3))), *rest),
    }[change]
    with pytest.raises(CheckpointError) as refused:
        load(run, VALUES, OfBytes(encode(VALUES, Values((ModelValue("Mlp", fields), *others)))))
    assert len(refused.value.violations) == (2 if change == "renamed" else 1)
    assert run.capture() == Run().capture()


def test_y1_booleans_integers_and_floats_come_back_as_what_they_are() -> None:
    one = 0x3FF0000000000000
    file = encode(VALUES, Values((True, 1, FloatValue(one))))
    loaded = load(types(bool, int, float), VALUES, OfBytes(file))
    assert [(type(value), value) for value in loaded] == [(bool, True), (int, 1), (float, 1.0)]


def test_y1_a_boolean_is_no_integer_and_an_integer_no_boolean_and_both_are_listed() -> None:
    file = encode(VALUES, Values((True, 1, FloatValue(1))))
    with pytest.raises(CheckpointError) as refused:
        load(types(int, bool, float), VALUES, OfBytes(file))
    assert refused.value.violations == (
        Violation("VAL-KIND", "value 1", "bool", "int"),
        Violation("VAL-KIND", "value 2", "int", "bool"),
    )


def test_y1_documents_of_true_and_of_one_differ() -> None:
    assert Values((True,)) != Values((1,))
    assert encode(VALUES, Values((True,))) != encode(VALUES, Values((1,)))


@pytest.mark.parametrize("found", WIDTHS)
@pytest.mark.parametrize("owed", WIDTHS)
def test_y6_a_type_of_one_precision_never_takes_another(found: str, owed: str) -> None:
    target, file = types(model_of(owed, (2, 3))), OfBytes(net(found, (2, 3)))
    if found == owed:
        loaded = load(target, VALUES, file)
        assert loaded.fields == {"w": (owed, (2, 3))}
        return
    with pytest.raises(CheckpointError) as refused:
        load(target, VALUES, file)
    assert refused.value.violations == (Violation("VAL-FIELD", "value 1 w", f"{found}[2, 3]", f"{owed}[2, 3]"),)


def test_y6_a_binary32_stream_is_not_loaded_as_binary64() -> None:
    layout = Layout(Slot("w", BINARY64, (2,)))
    assert refusal(Fresh(layout), Tensors((block("binary32", (2,)),))) == (
        Violation("LAY-TAG-01", "w", "binary32", "binary64"),
    )


def test_y6_a_model_of_half_precision_takes_neither_wider_files_nor_wider_weights() -> None:
    document, model = HalfModel().capture(), HalfModel()
    (id, _), *rest = document.tensors
    wide_file = replace(document, precision="binary32")
    wide_weights = replace(document, tensors=((id, block("binary32", (3, 2))), *rest))
    refused = [model.stage(wide_file), model.stage(wide_weights)]
    assert [verdict.all for verdict in refused if isinstance(verdict, Violations)] == [
        (Violation("KNL-PRECISION", "/precision", "binary32", "binary16"),),
        (Violation("LAY-TAG-01", id, "binary32", "binary16"),),
    ]
    assert model.capture() == document
