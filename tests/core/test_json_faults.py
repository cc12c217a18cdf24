"""Every way in which a text is no strict JSON: its kind, its byte offset, the value that it breaks, in one table."""

from __future__ import annotations

import sys
from typing import get_args

import pytest

from bitproof_spec.json_text import decimal
from bitproof_spec.strict_json import FaultKind, JsonFault, Limits, parse

MANIFEST = Limits(size=1 << 24, depth=32, values=1 << 20, digits=16, integer=(1 << 53) - 1)
SMALL = Limits(size=64, depth=3, values=5, digits=4, integer=9000)

FAULTS: list[tuple[bytes, FaultKind, int, str]] = [
    (b" " * 65, "size", 64, ""),
    (b"", "empty", 0, ""),
    (b" \t\r\n", "empty", 4, ""),
    (b"\xef\xbb\xbf{}", "bom", 0, ""),
    (b"\xff\xfe{\x00}\x00", "utf8", 0, ""),
    (b"[\xed\xa0\x80]", "utf8", 1, "/0"),
    (b'{"a":"b\xed\xa0\x80"}', "utf8", 7, "/a"),
    (b'"\xc0\xaf"', "utf8", 1, ""),
    (b'"\xf4\x90\x80\x80"', "utf8", 1, ""),
    (b'"\xf0\x9f\x98', "utf8", 1, ""),
    (b'"\\ud83d\xff"', "surrogate", 1, ""),
    (b'"ok\xff\\ud83d"', "utf8", 3, ""),
    (b"[\xc3\xa9]", "syntax", 1, "/0"),
    (b"[1,]", "syntax", 3, "/1"),
    (b"[,1]", "syntax", 1, "/0"),
    (b"[1 2]", "syntax", 3, "/1"),
    (b"[1}", "syntax", 2, "/1"),
    (b'{"a":1,}', "syntax", 7, ""),
    (b"{a:1}", "syntax", 1, ""),
    (b'{"a" 1}', "syntax", 5, "/a"),
    (b'{"a":1 "b":2}', "syntax", 7, ""),
    (b"{'a':1}", "syntax", 1, ""),
    (b"[nul]", "syntax", 1, "/0"),
    (b"[nullx]", "syntax", 1, "/0"),
    (b"[True]", "syntax", 1, "/0"),
    (b"[+1]", "syntax", 1, "/0"),
    (b"[.5]", "syntax", 1, "/0"),
    (b"[0x10]", "syntax", 2, "/1"),
    (b"[1_0]", "syntax", 2, "/1"),
    (b"[1]//x", "trailing", 3, ""),
    (b"/**/1", "syntax", 0, ""),
    (b"\x0b1", "syntax", 0, ""),
    (b"\xa01", "utf8", 0, ""),
    (b"[1", "end", 2, "/1"),
    (b"[", "end", 1, "/0"),
    (b'{"a":', "end", 5, "/a"),
    (b'{"a"', "end", 4, "/a"),
    (b'{"a":1', "end", 6, ""),
    (b'"abc', "end", 4, ""),
    (b"1 1", "trailing", 2, ""),
    (b"{}\x00", "trailing", 2, ""),
    (b"[[[[]]]]", "depth", 3, "/0/0/0"),
    (b'{"a":{"b":{"c":{}}}}', "depth", 15, "/a/b/c"),
    (b"[1,2,3,4,5]", "values", 9, "/4"),
    (b"[[],{},null,true,false]", "values", 17, "/4"),
    (b'{"a":1,"a":2}', "duplicate", 7, "/a"),
    (b'"a\nb"', "control", 2, ""),
    (b'"\x00"', "control", 1, ""),
    (b'"\\ud800\x1f"', "surrogate", 1, ""),
    (b'"a\\x"', "escape", 2, ""),
    (b'"\\u12g4"', "escape", 1, ""),
    (b'"\\', "escape", 1, ""),
    (b'"\\ud800"', "surrogate", 1, ""),
    (b'"a\\udc00"', "surrogate", 2, ""),
    (b'"\\ud83d\\ud83d\\ude00"', "surrogate", 1, ""),
    (b'"\\ud83d\\\\ude00"', "surrogate", 1, ""),
    (b'"\\ud83dx\\ude00"', "surrogate", 1, ""),
    (b"[NaN]", "nonfinite", 1, "/0"),
    (b"[-Infinity]", "nonfinite", 1, "/0"),
    (b"Infinity", "nonfinite", 0, ""),
    (b"[-0]", "minus", 1, "/0"),
    (b"-1.5e3", "minus", 0, ""),
    (b"[00]", "zero", 1, "/0"),
    (b"[1,012]", "zero", 3, "/1"),
    (b"[00000]", "zero", 1, "/0"),
    (b"[64.0]", "fraction", 1, "/0"),
    (b"[1.]", "fraction", 1, "/0"),
    (b"[1,2,1.5e3]", "fraction", 5, "/2"),
    (b"1e3", "exponent", 0, ""),
    (b"[0E0]", "exponent", 1, "/0"),
    (b"[12345]", "digits", 1, "/0"),
    (b"[1,12345,2]", "digits", 3, "/1"),
    (b"[12345.5]", "digits", 1, "/0"),
    (b"[9001]", "range", 1, "/0"),
    (b"[1,9001,2]", "range", 3, "/1"),
    (b'{"a/b~c":[1,"\\q"]}', "escape", 13, "/a~1b~0c/1"),
]


@pytest.mark.parametrize(("text", "kind", "offset", "pointer"), FAULTS, ids=[repr(row[0])[:40] for row in FAULTS])
def test_a_text_is_refused_at_its_first_fault(text: bytes, kind: FaultKind, offset: int, pointer: str) -> None:
    fault = parse(text, SMALL)
    assert isinstance(fault, JsonFault)
    assert (fault.kind, fault.offset, fault.pointer) == (kind, offset, pointer)
    assert fault.found
    assert fault.owed


def test_every_kind_of_fault_is_in_the_table() -> None:
    assert {row[1] for row in FAULTS} == set(get_args(FaultKind))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b"[[[]]]", (((),),)),
        (b"[1,2,3,4]", (1, 2, 3, 4)),
        (b"9000", 9000),
        (b"0" + b" " * 63, 0),
    ],
)
def test_bounds_are_inclusive(text: bytes, value: object) -> None:
    assert parse(text, SMALL) == value


@pytest.mark.parametrize(
    ("text", "name", "pointer"),
    [
        (b'{"format":"knn","format":"knn"}', "format", "/format"),
        (b'{"tensors":[{"id":"a","dtype":1,"id":"b"}]}', "id", "/tensors/0/id"),
        (b'{"training":{"optimizer":{"type":"SGD","\\u0074ype":"Adam"}}}', "type", "/training/optimizer/type"),
        (b'{"\\ud83d\\ude00":1,"\xf0\x9f\x98\x80":2}', "\U0001f600", "/\U0001f600"),
    ],
)
def test_v1_a_repeated_name_is_refused_and_named(text: bytes, name: str, pointer: str) -> None:
    fault = parse(text, MANIFEST)
    assert isinstance(fault, JsonFault)
    assert (fault.kind, fault.pointer) == ("duplicate", pointer)
    assert repr(name) in fault.found


def test_v1_names_are_compared_without_normalisation() -> None:
    assert parse('{"\u00e9":1,"e\u0301":2}'.encode(), MANIFEST) == {"\u00e9": 1, "e\u0301": 2}


@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
def test_v12_deep_nesting_is_refused_whatever_the_recursion_limit(opening: bytes) -> None:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(10**6)
    try:
        fault = parse(opening * 10**5, MANIFEST)
    finally:
        sys.setrecursionlimit(before)
    assert isinstance(fault, JsonFault)
    assert (fault.kind, fault.offset) == ("depth", 32 * len(opening))


@pytest.mark.parametrize("place", ["shape", "offset"])
def test_v13_a_literal_of_thousands_of_digits_is_refused_before_conversion_at_its_field(place: str) -> None:
    digits = b"9" * 5000
    text = b'{"shape":[%b]}' % digits if place == "shape" else b'{"offset":%b}' % digits
    fault = parse(text, MANIFEST)
    assert isinstance(fault, JsonFault)
    assert (fault.kind, fault.found) == ("digits", "5000 digits")
    assert fault.pointer == ("/shape/0" if place == "shape" else "/offset")


def test_v13_wide_naturals_are_exact_where_the_bound_allows_them() -> None:
    wide = (1 << 30000) - 3
    limits = MANIFEST._replace(digits=9031, integer=None)
    assert parse(decimal(wide).encode(), limits) == wide
    assert parse(b"[1,%b,2]" % decimal(wide).encode(), limits) == (1, wide, 2)
    fault = parse(decimal(wide * 10).encode(), limits)
    assert isinstance(fault, JsonFault)
    assert fault.kind == "digits"


@pytest.mark.parametrize(
    ("literal", "kind"),
    [
        (b"NaN", "nonfinite"),
        (b"Infinity", "nonfinite"),
        (b"-Infinity", "nonfinite"),
        (b"1e999", "exponent"),
        (b"1e-400", "exponent"),
        (b"1e3", "exponent"),
        (b"64.0", "fraction"),
    ],
)
def test_v14_numbers_that_are_no_plain_naturals_are_refused(literal: bytes, kind: FaultKind) -> None:
    fault = parse(b'{"learning_rate":%b}' % literal, MANIFEST)
    assert isinstance(fault, JsonFault)
    assert (fault.kind, fault.pointer) == (kind, "/learning_rate")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (b'"\\ud800"', "surrogate"),
        (b'"\\ude00\\ud83d"', "surrogate"),
        (b'"\xed\xa0\x80"', "utf8"),
        (b"\xef\xbb\xbf{}", "bom"),
    ],
)
def test_v15_ill_formed_text_is_refused(text: bytes, kind: FaultKind) -> None:
    fault = parse(text, MANIFEST)
    assert isinstance(fault, JsonFault)
    assert fault.kind == kind


def test_v15_pairs_and_nul_are_accepted() -> None:
    assert parse(b'["\\ud83d\\ude00","\xf0\x9f\x98\x80","\\u0000"]', MANIFEST) == ("\U0001f600", "\U0001f600", "\0")
