"""Layouts, the states they are the index of, and every way in which blocks differ from them."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitproof.strategies import blocks, shapes
from bitproof.suite import CI
from bitproof_spec.document import Block
from bitproof_spec.encoding import BINARY16, BINARY32, Binary16, Binary32, Storage
from bitproof_spec.layout import Layout, Slot, State, TensorSpec, misfits
from bitproof_spec.violations import Violation, Violations

many = settings(CI, max_examples=200)

Weight = Slot[Binary32, tuple[Literal[1], Literal[2]]]
Scale = Slot[Binary16, tuple[()]]
weight, scale = Weight("weight", BINARY32, (1, 2)), Scale("scale", BINARY16, ())
LAYOUT: Layout[Weight, Scale] = Layout(weight).then(scale)
RIGHT = (Block("binary32", (1, 2), bytes.fromhex("0100807f 00000080")), Block("binary16", (), bytes.fromhex("017c")))


def state(*parts: Block) -> State[Weight, Scale]:
    made = LAYOUT.state(parts)
    assert isinstance(made, State)
    return made


def test_blocks_that_fit_make_a_state_whose_scalars_are_their_words() -> None:
    assert state(*RIGHT).scalars(weight) == (0x7F800001, 0x80000000)
    assert state(*RIGHT).scalars(scale) == (0x7C01,)
    assert dict(state(*RIGHT).leaves()) == {"weight": RIGHT[0], "scale": RIGHT[1]}


def test_states_are_values_of_their_layout() -> None:
    assert state(*RIGHT) == state(*RIGHT)
    assert hash(state(*RIGHT)) == hash(state(*RIGHT))
    assert state(*RIGHT) != state(Block("binary32", (1, 2), bytes(8)), RIGHT[1])
    assert state(*RIGHT) != RIGHT
    renamed = Layout(Weight("kernel", BINARY32, (1, 2))).then(scale).state(RIGHT)
    assert state(*RIGHT) != renamed


def test_a_slot_of_another_layout_has_no_scalars_here() -> None:
    with pytest.raises(ValueError, match="not in"):
        state(*RIGHT).scalars(Weight("kernel", BINARY32, (1, 2)))


def test_a_layout_is_made_of_slots_with_different_names() -> None:
    with pytest.raises(TypeError, match="different names"):
        Layout(weight, Scale("weight", BINARY16, ()))
    with pytest.raises(TypeError, match="different names"):
        Layout("weight")


def test_a_negative_extent_is_no_shape() -> None:
    with pytest.raises(ValueError, match="negative"):
        TensorSpec("w", BINARY32, (2, -1))


@pytest.mark.parametrize(("shape", "owed"), [((), 4), ((0,), 0), ((3, 0), 0), ((3, 5), 60), ((2**40, 2**40), 2**82)])
def test_the_size_of_a_tensor_is_exact(shape: tuple[int, ...], owed: int) -> None:
    assert TensorSpec("w", BINARY32, shape).nbytes == owed


@pytest.mark.parametrize(
    ("found", "owed"),
    [
        (RIGHT[:1], [Violation("LAY-COUNT-01", "/", "1 tensors", "2")]),
        ((*RIGHT, RIGHT[1]), [Violation("LAY-COUNT-01", "/", "3 tensors", "2")]),
        ((), [Violation("LAY-COUNT-01", "/", "0 tensors", "2")]),
        (
            (Block("binary64", (1, 2), bytes(16)), RIGHT[1]),
            [Violation("LAY-TAG-01", "weight", "binary64", "binary32")],
        ),
        (
            (Block("binary32", (2, 1), bytes(8)), Block("binary16", (1,), bytes(2))),
            [Violation("LAY-SHAPE-01", "weight", "[2, 1]", "[1, 2]"), Violation("LAY-SHAPE-01", "scale", "[1]", "[]")],
        ),
        (
            (Block("binary32", (1, 2), bytes(7)), RIGHT[1]),
            [Violation("LAY-SIZE-01", "weight", "7 bytes", "8")],
        ),
        (
            (Block("bfloat16", (), bytes(2)), Block("binary16", (1,), bytes(2)), RIGHT[0]),
            [
                Violation("LAY-COUNT-01", "/", "3 tensors", "2"),
                Violation("LAY-TAG-01", "weight", "bfloat16", "binary32"),
                Violation("LAY-SHAPE-01", "scale", "[1]", "[]"),
            ],
        ),
    ],
)
def test_every_difference_from_a_layout_is_named_in_slot_order(found: tuple[Block, ...], owed: list[Violation]) -> None:
    verdict = LAYOUT.state(found)
    assert isinstance(verdict, Violations)
    assert list(verdict) == owed


@st.composite
def specs_and_blocks(draw: st.DrawFn) -> tuple[list[TensorSpec], list[Block]]:
    """Specs, and as many blocks, most of which fit."""
    storages: list[Storage] = draw(st.lists(st.sampled_from([BINARY16, BINARY32]), max_size=4))
    specs = [TensorSpec(f"t{i}", storage, draw(shapes())) for i, storage in enumerate(storages)]
    found = [
        draw(blocks(spec.storage, spec.shape) | blocks(spec.storage) | blocks(BINARY32, spec.shape)) for spec in specs
    ]
    return specs, found


@many
@given(specs_and_blocks())
def test_each_tensor_that_does_not_fit_is_named_once_and_no_other(
    drawn: tuple[list[TensorSpec], list[Block]],
) -> None:
    specs, found = drawn
    owed = [
        spec.name
        for spec, block in zip(specs, found, strict=True)
        if (spec.storage.tag, spec.shape, spec.nbytes) != (block.tag, block.shape, len(block.data))
    ]
    assert [violation.where for violation in misfits(specs, found)] == owed
