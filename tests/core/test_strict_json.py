"""Strict JSON against the standard library's reader, canonical text, and the cost of nasty texts."""

from __future__ import annotations

import json
import sys
import tracemalloc
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitproof_spec.canonical_json import canonical
from bitproof_spec.json_text import decimal, natural
from bitproof_spec.strict_json import JsonFault, JsonValue, Limits, parse

WIDE = Limits(size=1 << 24, depth=32, values=1 << 20, digits=400, integer=None)
MANIFEST = Limits(size=1 << 24, depth=32, values=1 << 20, digits=16, integer=(1 << 53) - 1)
exactly = settings(derandomize=True, deadline=None, database=None, max_examples=200)

characters = st.characters(exclude_categories=["Cs"]) | st.sampled_from('"\\/\b\f\n\r\t\0\x1f\x7f\U0001f600\ue000a')
scalars = st.none() | st.booleans() | st.integers(0, (1 << 53) - 1) | st.text(characters, max_size=8)
values: st.SearchStrategy[JsonValue] = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=5).map(tuple) | st.dictionaries(st.text(characters, max_size=5), inner, max_size=5)
    ),
    max_leaves=20,
)
ASCII = rb'[ ] { } , : "a" " \ \u00e9 \ud83d \ude00 \u0061 0 12 - . 1e5 true null NaN'.split()
fragments = st.sampled_from([*ASCII, b" ", b"\n", b"\x00", b"\xff", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80"])
BEYOND = {"duplicate", "surrogate", "nonfinite", "minus", "fraction", "exponent"}


def plain(value: object) -> object:
    """Lists in place of tuples, as the standard library has them."""
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return value


@exactly
@given(values, st.sampled_from([None, 0, 1, "\t"]), st.booleans())
def test_a_valid_text_is_read_as_the_standard_library_reads_it(
    value: JsonValue, indent: int | str | None, ascii_only: bool
) -> None:
    text = json.dumps(plain(value), indent=indent, ensure_ascii=ascii_only).encode()
    assert parse(text, WIDE) == value
    assert plain(value) == json.loads(text)


@exactly
@given(st.lists(fragments, max_size=12).map(b"".join) | values.map(canonical), st.data())
def test_whatever_is_accepted_is_rfc_8259_and_whatever_is_refused_is_not_or_is_beyond(
    text: bytes, data: st.DataObject
) -> None:
    if data.draw(st.booleans()):
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + data.draw(fragments) + text[at + data.draw(st.integers(0, 2)) :]
    verdict = parse(text, WIDE)
    try:
        expected = json.loads(text.decode("utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError):
        assert isinstance(verdict, JsonFault)
        return
    if isinstance(verdict, JsonFault):
        assert verdict.kind in BEYOND
    else:
        assert plain(verdict) == expected


@exactly
@given(st.lists(fragments, max_size=12).map(b"".join))
def test_no_fault_hides_a_lower_one(text: bytes) -> None:
    fault = parse(text, WIDE)
    if isinstance(fault, JsonFault):
        before = parse(text[: fault.offset], WIDE)
        if isinstance(before, JsonFault):
            assert before.kind in {"end", "empty"}
            assert before.offset == fault.offset


@exactly
@given(values)
def test_canonical_text_reads_back_as_its_value_and_is_its_own_canonical_text(value: JsonValue) -> None:
    text = canonical(value)
    assert parse(text, MANIFEST) == value
    assert canonical(value) == text


@exactly
@given(values)
def test_values_that_differ_only_in_the_order_of_names_have_one_canonical_text(value: JsonValue) -> None:
    def reverse(item: JsonValue) -> JsonValue:
        if isinstance(item, dict):
            return {name: reverse(item[name]) for name in reversed(item)}
        return tuple(map(reverse, item)) if isinstance(item, tuple) else item

    assert canonical(reverse(value)) == canonical(value)


def test_canonical_names_are_sorted_by_utf_16_code_units_and_escapes_are_the_shortest() -> None:
    astral_before_private = canonical({"\ue000": 1, "\U0001f600": 2, "a": 3, "": 4, "\r": 5})
    assert astral_before_private == '{"":4,"\\r":5,"a":3,"\U0001f600":2,"\ue000":1}'.encode()
    assert canonical('/"\\\b\f\n\r\t\0\x1f\x7f\u2028é') == '"/\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f\x7f\u2028é"'.encode()
    assert canonical(((), {}, None, True, False, 0)) == b"[[],{},null,true,false,0]"


@pytest.mark.parametrize("value", ["\ud800", -1, 1 << 53, ("a", {"\udfff": 1})])
def test_what_no_canonical_text_can_hold_is_a_value_error(value: JsonValue) -> None:
    with pytest.raises(ValueError, match=r"surrogate|natural"):
        canonical(value)


def test_canonical_text_of_a_deep_value_needs_no_recursion() -> None:
    value: JsonValue = 0
    for _ in range(10**5):
        value = (value,)
    assert canonical(value) == b"[" * 10**5 + b"0" + b"]" * 10**5


@exactly
@given(
    st.integers(0, 1 << 64)
    | st.integers(0, 6000).map(lambda n: (1 << n) - 1)
    | st.integers(0, 3000).map(lambda n: 10**n)
)
def test_decimal_and_natural_are_inverse_and_agree_with_the_interpreter(number: int) -> None:
    text = decimal(number)
    assert natural(text.encode()) == number
    assert text == str(number)


def nasty(size: int) -> dict[str, bytes]:
    """Texts of about `size` bytes that are costly for a careless reader."""
    names = b",".join(b'"%07d":0' % index for index in range(size // 12))
    return {
        "a huge string": b'"' + b"a" * size + b'"',
        "a huge string of short escapes": b'"' + b"\\n" * (size // 2) + b'"',
        "a huge string of long escapes": b'"' + b"\\u0041a" * (size // 7) + b'"',
        "a lone surrogate after many pairs": b'"' + b"\\ud83d\\ude00" * (size // 12) + b'\\ud83d"',
        "a string without an end": b'"' + b"a\\\\" * (size // 3),
        "empty arrays": b"[" + b"[]," * (size // 3) + b"[]]",
        "many names": b"{" + names + b"}",
        "a name repeated at the very end": b"{" + names + b',"0000000":0}',
        "a huge integer": b"[" + b"9" * size + b"]",
        "deep nesting": b"[" * size,
        "white space": b" " * size,
        "numbers up to one too large": b"[" + b"1," * (size // 2) + b"9007199254740992]",
    }


@pytest.mark.parametrize("kind", nasty(0))
def test_the_steps_of_reading_grow_no_faster_than_the_text(kind: str) -> None:
    def calls(size: int) -> int:
        count = 0

        def step(frame: FrameType, event: str, argument: object) -> None:
            nonlocal count
            count += 1

        text = nasty(size)[kind]
        before = sys.getprofile()
        sys.setprofile(step)
        try:
            parse(text, MANIFEST)
        finally:
            sys.setprofile(before)
        return count

    assert calls(24000) <= 2 * calls(12000) + 100


@pytest.mark.parametrize("kind", nasty(0))
def test_the_memory_of_reading_is_bounded_by_the_text(kind: str) -> None:
    size = 1 << 20
    text = nasty(size)[kind]
    tracemalloc.start()
    try:
        parse(text, MANIFEST)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 16 * size


@pytest.mark.slow
@pytest.mark.parametrize("kind", nasty(0))
def test_sixteen_mebibytes_of_nasty_text_have_a_verdict(kind: str) -> None:
    limits = Limits(size=17 << 20, depth=32, values=1 << 20, digits=16, integer=(1 << 53) - 1)
    verdict = parse(nasty(1 << 24)[kind], limits)
    refused = isinstance(verdict, JsonFault) and verdict.kind
    assert refused == {
        "a lone surrogate after many pairs": "surrogate",
        "a string without an end": "end",
        "empty arrays": "values",
        "many names": "values",
        "a name repeated at the very end": "values",
        "a huge integer": "digits",
        "deep nesting": "depth",
        "white space": "empty",
        "numbers up to one too large": "values",
    }.get(kind, False)
