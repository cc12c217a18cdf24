"""The printed text of a JSON state: expected texts written by hand from the layout rule, at its edges."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from bitproof_spec.torchlean.text_layout import WIDTH, Printed, layout

BIG, SIGN = 4607182418800017408, 9223372036854775808


def state(*tensors: tuple[list[Printed], list[Printed]], tag: str = "torchlean_state_bits_v1") -> Printed:
    return {"state": [{"values": values, "shape": shape} for values, shape in tensors], "format": tag}


def test_a_state_whose_values_fit_breaks_after_its_name_only() -> None:
    assert layout(state(([BIG, SIGN], [2]))) == (
        '{"state":\n'
        ' [{"values": [4607182418800017408, 9223372036854775808], "shape": [2]}],\n'
        ' "format": "torchlean_state_bits_v1"}'
    )


def test_values_that_do_not_fit_stand_one_a_line() -> None:
    n = "4607182418800017408"
    assert layout(state(([BIG] * 6, [2, 3]))) == (
        '{"state":\n'
        ' [{"values":\n'
        f"   [{n},\n    {n},\n    {n},\n    {n},\n    {n},\n    {n}],\n"
        '   "shape": [2, 3]}],\n'
        ' "format": "torchlean_state_bits_v1"}'
    )


def test_tensors_that_do_not_fit_together_stand_one_a_line() -> None:
    assert layout(state(([BIG, SIGN], [2]), ([1], []))) == (
        '{"state":\n'
        ' [{"values": [4607182418800017408, 9223372036854775808], "shape": [2]},\n'
        '  {"values": [1], "shape": []}],\n'
        ' "format": "torchlean_state_bits_v1"}'
    )


def test_an_empty_state_fits_on_one_line() -> None:
    assert layout(state()) == '{"state": [], "format": "torchlean_state_bits_v1"}'


def test_a_whole_text_of_80_columns_stays_flat_and_one_of_81_breaks() -> None:
    # {"state": [], "format": "…"}: 25 columns around the tag
    for length in (WIDTH - 27, WIDTH - 26):
        text = layout({"state": [], "format": "x" * length})
        assert text.count("\n") == (len(f'{{"state": [], "format": "{"x" * length}"}}') > WIDTH)


def test_a_member_keeps_room_for_the_comma_that_follows_it() -> None:
    # `{"a": [n],` takes 9 columns around the digits: with 71 of them it ends in column 80.
    for digits, breaks in ((71, False), (72, True)):
        value: Printed = {"a": [10 ** (digits - 1)], "b": "x" * 70}
        first = layout(value).split("\n")[0]
        assert first == ('{"a":' if breaks else f'{{"a": [{10 ** (digits - 1)}],'), digits


def test_a_last_member_keeps_room_for_every_bracket_that_closes_after_it() -> None:
    for digits, breaks in ((69, False), (70, True)):
        value: Printed = [[{"a": 10 ** (digits - 1)}]]
        assert ("\n" in layout(value)) == breaks, digits


@settings(derandomize=True, deadline=None, database=None, max_examples=150)
@given(
    st.recursive(
        st.integers(0, 2**300) | st.text("abc_", max_size=12),
        lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text("abc", max_size=4), inner, max_size=4),
        max_leaves=40,
    )
)
def test_any_value_is_read_back_by_another_reader_and_no_line_breaks_without_need(value: Printed) -> None:
    text = layout(value)
    assert json.loads(text) == value
    assert not text.endswith("\n")
    flat = json.dumps(value)
    assert ("\n" not in text) == (len(flat) <= WIDTH or text == flat)
