"""Sizes, ranges and tables against plain definitions: windows laid out one by one, fractions, permutations."""

from __future__ import annotations

import struct
from fractions import Fraction
from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitproof_spec.klyn import reals
from bitproof_spec.klyn.constants import PADDINGS, Padding
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.sequences import compare, longest_run
from bitproof_spec.klyn.shapes import Misfit, output_shape, padding_cells, transposed_size, window_size
from bitproof_spec.klyn.stages import STAGES, Dense, Flatten, Input, MaxPooling2D, ReLU, Sigmoid
from bitproof_spec.klyn.tensors import table
from bitproof_spec.klyn.vectors.models import HALF_ADAM, IMAGE, SGD

TRIES = settings(max_examples=300, derandomize=True, deadline=None, database=None)
GRID = list(product(range(12), range(1, 6), range(1, 6)))


def places(n: int, kernel: int, stride: int, before: int, after: int) -> int:
    """The windows that fit into an axis with its padding, laid out one by one."""
    return len([at for at in range(-before, n + after, stride) if at + kernel <= n + after])


def test_valid_windows_are_those_that_lie_inside() -> None:
    for n, kernel, stride in GRID:
        assert (window_size(n, kernel, stride, "valid") or 0) == places(n, kernel, stride, 0, 0)
        assert (window_size(n, kernel, stride, "valid") is None) == (n < kernel)


def test_same_windows_start_at_every_stride_and_padding_is_the_least_that_holds_them() -> None:
    for n, kernel, stride in GRID:
        before, after = padding_cells(n, kernel, stride, "same")
        size = window_size(n, kernel, stride, "same")
        assert size == len(range(0, n, stride))
        assert after - before in (0, 1)
        if n:
            assert places(n, kernel, stride, before, after) >= size
            if after:
                assert places(n, kernel, stride, before, after - 1) < size


@pytest.mark.parametrize("padding", PADDINGS)
def test_a_transposed_size_is_one_that_the_convolution_makes_its_input_of(padding: Padding) -> None:
    for n, kernel, stride in GRID:
        size = transposed_size(n, kernel, stride, padding)
        if size is not None:
            assert window_size(size, kernel, stride, padding) == n
            assert size == 0 or size >= kernel or padding == "same"
        else:
            assert (n, padding) == (0, "valid")


def test_the_shapes_of_a_model_go_through_every_kind_of_stage() -> None:
    shape: tuple[int, ...] = ()
    for stage in IMAGE.stages:
        output = output_shape(stage, shape)
        assert not isinstance(output, Misfit)
        shape = output
    assert shape == (2,)
    pooled = output_shape(MaxPooling2D("p", (2, 2), (2, 2), "same"), (3, 5, 7))
    assert pooled == (2, 3, 7)
    assert output_shape(Flatten("f"), (0, 5, 7)) == (0,)
    assert output_shape(Dense("d", 4, False, "relu", 0), (0, 5, 7)) == (0, 5, 4)


def test_stages_of_different_types_differ_however_alike_their_members() -> None:
    assert len({stage.__name__ for stage in STAGES}) == len(STAGES) == 12
    relu = Checkpoint("binary32", (Input("i", (1,)), ReLU("a")), None, ())
    assert relu != Checkpoint("binary32", (Input("i", (1,)), Sigmoid("a")), None, ())


def test_a_table_is_refused_for_stages_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="rank 3"):
        table("binary32", (Input("i", (4,)), MaxPooling2D("p", (1, 1), (1, 1), "same")), None)


def test_tables_are_in_order_parameters_first() -> None:
    for document in (SGD, HALF_ADAM, IMAGE):
        assert document.training is not None
        specs = table(document.precision, document.stages, document.training.optimizer)
        assert [spec.name for spec in specs] == [id for id, _ in document.tensors]
        depths = [spec.name.count("/") for spec in specs]
        assert depths == sorted(depths)


@TRIES
@given(st.permutations(range(7)), st.sets(st.integers(0, 6)))
def test_the_longest_run_is_one_of_the_longest_and_lowest_from_its_end(order: list[int], astray: set[int]) -> None:
    placed = [None if place in astray else place for place in order]
    present = [place for place in placed if place is not None]
    runs = [run for size in range(8) for run in combinations(present, size) if list(run) == sorted(run)]
    longest = max(map(len, runs))
    values = tuple(placed[index] for index in sorted(longest_run(placed)))
    assert values == min((run for run in runs if len(run) == longest), key=lambda run: run[::-1])


def test_each_kind_of_wrong_list_is_told_apart() -> None:
    owed = ("a", "b", "c")
    for found in permutations(owed):
        compared = compare(owed, found)
        assert (compared.missing, compared.extra, compared.duplicate) == ((), (), ())
        assert (compared.misplaced == ()) == (found == owed)
    assert compare(owed, ("a", "x", "c", "c")) == ((1,), (1,), (3,), (), (0, None, 2, None))
    assert compare(("d", "d"), ("d", "d")) == ((), (), (), (), (0, 1))
    assert compare(owed, ("c", "a", "b")).misplaced == (0,)


def value(word: int) -> Fraction:
    return Fraction(struct.unpack("<d", word.to_bytes(8, "little"))[0])


def rounds_in_range(word: int) -> bool:
    """Whether a binary64 number, rounded to binary32, is finite and above 0, by its exact value."""
    exact = value(word)
    least, largest = Fraction(1, 2**149), Fraction((2**24 - 1) * 2**104)
    return least / 2 < exact < largest + Fraction(2**104, 2)


def test_epsilon_is_allowed_exactly_where_its_rounding_is_finite_and_above_zero() -> None:
    allowed = reals.EPSILON["binary32"]
    for edge in (allowed.least, allowed.largest, reals.ONE, 1, reals.BINARY32_LEAST_NORMAL, reals.INFINITY - 2):
        for word in range(max(edge - 3, 0), edge + 2):
            assert reals.within(word, allowed) == rounds_in_range(word), f"{word:016x}"


def test_words_are_ordered_as_their_values_are() -> None:
    edges = (0, 1, reals.ONE - 1, reals.ONE, reals.INFINITY - 1)
    words = [sign | word for word in edges for sign in (0, reals.SIGN)]
    for a, b in product(words, repeat=2):
        assert (reals.order(a) < reals.order(b)) == (value(a) < value(b))
    assert [word for word in (*words, reals.INFINITY, reals.INFINITY + 1) if not reals.is_finite(word)] == [
        reals.INFINITY,
        reals.INFINITY + 1,
    ]
    assert value(reals.SCALE.least) == Fraction(1, 2**126)
    assert value(reals.SCALE.largest) == (2**24 - 1) * 2**104
