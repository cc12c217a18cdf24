"""Immutable states of a model's layout in any scalar: saved and loaded without a module, never cast."""

from __future__ import annotations

import os
from itertools import permutations
from math import prod
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pytest

from bitproof.torchlean import StateError, checkpoint
from bitproof.torchlean.state import State, layout
from bitproof_spec import formats
from bitproof_spec.composite import Complex
from bitproof_spec.document import Block
from bitproof_spec.encoding import Configured
from bitproof_spec.format import encode
from bitproof_spec.torchlean.encodings import (
    FLOAT,
    FLOAT32,
    Float32,
    StateEncoding,
    complex_state,
    configured_state,
    encoding_of,
)
from bitproof_spec.torchlean.json_state import TLJSON, JsonState
from tests.torchlean.builders import LINEAR_SHAPES, linear
from tests.torchlean.instances.states import ENCODINGS

LinearState: TypeAlias = "State[Any, tuple[Literal[2], Literal[3]], tuple[Literal[2]]]"
EACH = pytest.mark.parametrize("encoding", ENCODINGS.values(), ids=ENCODINGS.keys())


def words_of(encoding: StateEncoding[Any]) -> list[bytes]:
    """Eight words that the encoding takes: from the lowest up, and from the highest down."""
    width = encoding.parts.width << encoding.parts.levels
    bits = encoding.parts.format.bits
    low = [n.to_bytes(width, "little") for n in range(1, 8)]
    high = [((1 << bits) - 1 - n).to_bytes(encoding.parts.width, "little") for n in range(8)]
    found = [word for word in (*(h * (1 << encoding.parts.levels) for h in high), *low) if encoding.accepts(word)]
    return (found * 8)[:8]


@EACH
def test_a_state_of_every_encoding_comes_back_word_for_word(encoding: StateEncoding[Any], tmp_path: Path) -> None:
    words = words_of(encoding)
    scalars = [encoding.decode(word) for word in words]
    state = layout(linear(), encoding).state([scalars[:6], scalars[6:]])
    checkpoint.state.save(linear(), state, tmp_path / "s")
    back = checkpoint.state.load(linear(), encoding, tmp_path / "s")
    assert back == state
    assert hash(back) == hash(state)
    assert b"".join(bytes(block.data) for block in back.blocks) == b"".join(words)
    assert [back.scalars(tensor) for tensor in (0, 1)] == [tuple(scalars[:6]), tuple(scalars[6:])]


@EACH
def test_the_encoding_that_a_tag_names_is_the_one_that_wrote_it(encoding: StateEncoding[Any]) -> None:
    found = encoding_of(encoding.tag)
    assert found is not None
    assert (found.tag, found.storage, found.parts) == (encoding.tag, encoding.storage, encoding.parts)


def linear_state(encoding: StateEncoding[Any], blocks: tuple[Block, ...]) -> LinearState:
    """A state that says it has the linear model's layout."""
    return State(encoding, blocks)


SIXTEEN = (formats.BINARY16, formats.BFLOAT16)
ALIKE: list[list[StateEncoding[Any]]] = [
    [configured_state(f, Configured) for f in SIXTEEN],
    [FLOAT32, configured_state(formats.BINARY32, Configured)],
    [FLOAT, configured_state(formats.BINARY64, Configured)],
    [FLOAT, complex_state(FLOAT32)],
    [FLOAT32, FLOAT],
]
PAIRS = [pair for alike in ALIKE for pair in permutations(alike, 2)]


@pytest.mark.parametrize(("one", "other"), PAIRS, ids=lambda encoding: encoding.tag)
def test_y6_y5_no_state_is_loaded_as_another_scalar_of_whatever_width(
    one: StateEncoding[Any], other: StateEncoding[Any], tmp_path: Path
) -> None:
    # TLR-FIL-04
    blocks = tuple(Block(one.storage, shape, bytes(one.width * prod(shape))) for shape in LINEAR_SHAPES)
    checkpoint.state.save(linear(), linear_state(one, blocks), tmp_path / "s")
    with pytest.raises(StateError) as refused:
        checkpoint.state.load(linear(), other, tmp_path / "s")
    (violation,) = refused.value.violations
    assert (violation.rule, violation.found, violation.owed) == ("LAY-TAG-01", one.tag, other.tag)


@pytest.mark.parametrize(
    ("shapes", "rules"),
    [
        (((1, 3), (2,)), ["LAY-SHAPE-01"]),
        (((3, 2), (2,)), ["LAY-SHAPE-01"]),
        (((6,), ()), ["LAY-SHAPE-01", "LAY-SHAPE-01"]),
        (((2, 3),), ["LAY-COUNT-01"]),
        (((2,), (2, 3), (1,)), ["LAY-COUNT-01", "LAY-SHAPE-01", "LAY-SHAPE-01"]),
    ],
)
def test_v17_v18_a_state_of_another_layout_is_refused_with_every_difference(
    shapes: tuple[tuple[int, ...], ...], rules: list[str], tmp_path: Path
) -> None:
    blocks = tuple(Block(FLOAT.storage, shape, bytes(8 * prod(shape))) for shape in shapes)
    (tmp_path / "s").write_bytes(encode(TLJSON, JsonState(FLOAT.tag, blocks)))
    for call in (
        lambda: checkpoint.state.load(linear(), FLOAT, tmp_path / "s"),
        lambda: checkpoint.state.save(linear(), linear_state(FLOAT, blocks), tmp_path / "t"),
    ):
        with pytest.raises(StateError) as refused:
            call()
        assert [v.rule for v in refused.value.violations] == rules
    assert os.listdir(tmp_path) == ["s"]


def test_a_block_without_the_bytes_of_its_shape_is_refused_before_a_file_appears(tmp_path: Path) -> None:
    blocks = (Block(FLOAT.storage, (2, 3), bytes(47)), Block(FLOAT.storage, (2,), bytes(16)))
    with pytest.raises(StateError) as refused:
        checkpoint.state.save(linear(), linear_state(FLOAT, blocks), tmp_path / "s")
    assert [(v.rule, v.found) for v in refused.value.violations] == [("LAY-SIZE-01", "47 bytes")]
    assert os.listdir(tmp_path) == []


def test_b5_a_part_of_a_complex_number_that_is_another_nan_is_refused_by_tensor_index_and_part(tmp_path: Path) -> None:
    encoding = complex_state(FLOAT32)
    data = bytearray(8 * 8)
    data[4 * 8 + 4 : 5 * 8] = (0x7F800001).to_bytes(4, "little")
    blocks = (Block(encoding.storage, (2, 3), bytes(data[:48])), Block(encoding.storage, (2,), bytes(data[48:])))
    with pytest.raises(StateError) as refused:
        checkpoint.state.save(linear(), linear_state(encoding, blocks), tmp_path / "s")
    assert [(v.rule, v.where) for v in refused.value.violations] == [("TLJ-NAN-01", "/state/0/values/4/1")]
    assert os.listdir(tmp_path) == []
    with pytest.raises(ValueError, match="the only one allowed is 7fc00000"):
        encoding.encode(Complex(Float32(0), Float32(0x7F800001)))


def test_elements_are_counted_and_words_outside_the_format_are_refused_by_name() -> None:
    half = configured_state(formats.BINARY16, Configured)
    made = layout(linear(), half)
    with pytest.raises(ValueError, match=r"tensor 1: 1 elements for \[2\]"):
        made.state([[Configured(1)] * 6, [Configured(1)]])
    with pytest.raises(ValueError, match="16 bits"):
        made.state([[Configured(1 << 16)] * 6, [Configured(1)] * 2])


def test_formats_and_nestings_that_no_tag_can_name_are_refused_when_they_are_made() -> None:
    with pytest.raises(ValueError, match="4097 bits"):
        configured_state(formats.BinaryFormat(11, 4085, 1023), Configured)
    with pytest.raises(ValueError, match="bias"):
        configured_state(formats.BinaryFormat(1500, 8, 2**1499 - 1), Configured)
    nested: StateEncoding[Any] = FLOAT
    for _ in range(17):
        nested = complex_state(nested)
    assert encoding_of(nested.tag) is not None
    with pytest.raises(ValueError, match="512 characters"):
        complex_state(nested)
