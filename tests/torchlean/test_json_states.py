"""JSON states of every encoding: words come back, tags are told apart, every breach of every rule is named."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitproof.strategies import storage_words
from bitproof_spec import formats
from bitproof_spec.document import Block
from bitproof_spec.encoding import Configured
from bitproof_spec.format import OfBytes, encode
from bitproof_spec.formats import BinaryFormat, Specials, default_bias
from bitproof_spec.torchlean.encodings import (
    FLOAT,
    FLOAT32,
    StateEncoding,
    complex_state,
    configured_state,
    encoding_of,
)
from bitproof_spec.torchlean.json_state import TLJSON, JsonFormat, JsonState
from bitproof_spec.violations import Violations

STEADY = settings(derandomize=True, deadline=None, database=None, max_examples=60)
WIDTHS = (4, 5, 8, 12, 16, 19, 64, 65, 128, 300)


def of_width(bits: int) -> BinaryFormat:
    """A format of that many bits, with about a third of them in the exponent."""
    exponent = max(2, min(bits // 3, 20))
    return BinaryFormat(exponent, bits - 1 - exponent, default_bias(exponent, Specials.IEEE))


CONFIGURED = [configured_state(f, Configured) for f in (*formats.NAMED.values(), *map(of_width, WIDTHS))]
TAGS = (
    [FLOAT.tag, FLOAT32.tag]
    + [e.tag for e in CONFIGURED]
    + [complex_state(e).tag for e in CONFIGURED]
    + [complex_state(FLOAT).tag]
)
ENCODINGS: list[StateEncoding[object]] = [e for tag in dict.fromkeys(TAGS) if (e := encoding_of(tag)) is not None]


def rules(text: str | bytes, format: JsonFormat = TLJSON) -> list[str]:
    verdict = format.judge(OfBytes(text if isinstance(text, bytes) else text.encode()))
    return [violation.rule for violation in verdict] if isinstance(verdict, Violations) else []


def state(values: object, shape: object = (1,), tag: str = FLOAT.tag) -> str:
    return json.dumps({"format": tag, "state": [{"shape": shape, "values": values}]})


@pytest.mark.parametrize("encoding", ENCODINGS, ids=lambda e: e.tag[16:60])
def test_every_word_of_every_encoding_comes_back(encoding: StateEncoding[object]) -> None:
    @STEADY
    @given(st.lists(storage_words(encoding), max_size=5))
    def comes_back(words: list[bytes]) -> None:
        document = JsonState(encoding.tag, (Block(encoding.storage, (len(words),), b"".join(words)),))
        text = encode(TLJSON, document)
        assert TLJSON.judge(OfBytes(text)) == document
        assert TLJSON.judge(OfBytes(json.dumps(json.loads(text)).encode())) == document
        for word in words:
            assert encoding.encode(encoding.decode(word)) == word

    comes_back()


@pytest.mark.parametrize("bits", WIDTHS)
def test_v27_a_word_has_exactly_the_bits_of_its_format_and_pad_bits_are_zero(bits: int) -> None:
    encoding = configured_state(of_width(bits), Configured)
    assert encoding.width == (bits + 7) // 8
    assert rules(state([2**bits - 1], tag=encoding.tag)) == []
    assert rules(state([2**bits], tag=encoding.tag)) == ["TLJ-SCA-02"]
    if bits % 8:
        assert not encoding.accepts((1 << bits).to_bytes(encoding.width, "little"))
    for elements in (1, 7, 8, 9):
        words = [2**bits - 1] * elements
        assert rules(state(words, [elements], encoding.tag)) == []
        assert rules(state(words, [elements + 1], encoding.tag)) == ["TLJ-CNT-01"]
        assert rules(state(words, [elements - 1], encoding.tag)) == ["TLJ-CNT-01"]


@pytest.mark.parametrize("format", [formats.BINARY16, formats.BFLOAT16], ids=["binary16", "bfloat16"])
def test_b10_every_word_of_a_16_bit_format_comes_back(format: BinaryFormat) -> None:
    encoding = configured_state(format, Configured)
    data = b"".join(word.to_bytes(2, "little") for word in range(1 << 16))
    document = JsonState(encoding.tag, (Block(encoding.storage, (1 << 16,), data),))
    assert TLJSON.judge(OfBytes(encode(TLJSON, document))) == document


def test_y5_formats_of_one_width_never_pass_for_each_other() -> None:
    tags = [e.tag for e in ENCODINGS]
    assert len(set(tags)) == len(tags)
    configured32 = configured_state(formats.BINARY32, Configured)
    assert configured32.tag == "torchlean_state_binary_8_23_127_ieee_v1" != FLOAT32.tag
    assert complex_state(FLOAT32).tag == "torchlean_state_complex_v1(torchlean_state_float32_bits_v1)"


def test_b5_a_native_float_holds_one_nan_and_refuses_every_other_in_both_directions() -> None:
    for encoding, nan, others in (
        (FLOAT, 0x7FF8000000000000, (0x7FF0000000000001, 0xFFF8000000000000, 0x7FF8000000000001)),
        (FLOAT32, 0x7FC00000, (0x7F800001, 0xFFC00000, 0x7FC12345)),
    ):
        assert rules(state([nan], tag=encoding.tag)) == []
        for word in others:
            assert rules(state([1, word], [2], encoding.tag)) == ["TLJ-NAN-01"]
            data = word.to_bytes(encoding.width, "little")
            with pytest.raises(ValueError, match=r"tensor 0, index 0: [0-9a-f]+ is no value"):
                encode(TLJSON, JsonState(encoding.tag, (Block(encoding.storage, (1,), data),)))


DOUBLES = (1 << 63, 1, 0x3FB999999999999A, 0x3FB999999999999B, 0x000FFFFFFFFFFFFF, 0x0010000000000000)


@pytest.mark.parametrize("word", [*DOUBLES, 0x7FEFFFFFFFFFFFFF, 0x3FD5555555555555, 0x403EE586E8CD1F0C])
def test_b8_b7_doubles_are_words_so_neighbours_and_minus_zero_stay_themselves(word: int) -> None:
    document = JsonState(FLOAT.tag, (Block(FLOAT.storage, (), word.to_bytes(8, "little")),))
    assert str(word).encode() in encode(TLJSON, document)
    assert TLJSON.judge(OfBytes(encode(TLJSON, document))) == document


def test_v12_deep_nesting_is_refused_quickly_by_its_own_rule() -> None:
    for opened, closed in (("[", "]"), ('{"a":', "}")):
        assert rules(opened * 100_000 + closed * 100_000) == ["TLJ-TXT-05"]


def test_v13_a_literal_of_5000_digits_is_refused_before_it_is_converted() -> None:
    assert rules(state([0]).replace("[1]", f"[{'9' * 5000}]")) == ["TLJ-TXT-05"]


@pytest.mark.parametrize("literal", ["NaN", "-Infinity", "Infinity"])
def test_v14_literals_that_json_lacks_are_refused(literal: str) -> None:
    assert rules(state([0]).replace("[0]", f"[{literal}]")) == ["TLJ-TXT-01"]


@pytest.mark.parametrize("literal", ["1e999", "1e-400", "1e3", "64.0", "-1", "01", "-0"])
def test_v14_numbers_stand_in_plain_natural_form(literal: str) -> None:
    assert rules(state([0]).replace("[0]", f"[{literal}]")) == ["TLJ-TXT-04"]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("[]", "TLJ-TOP-01"),
        (f'{{"format": "{FLOAT.tag}"}}', "TLJ-TOP-02"),
        (f'{{"format": "{FLOAT.tag}", "state": [], "extra": 1}}', "TLJ-TOP-02"),
        ('{"format": 7, "state": []}', "TLJ-TAG-01"),
        ('{"format": "float", "state": []}', "TLJ-TAG-01"),
        ('{"format": "torchlean_state_binary_1_2_1_ieee_v1", "state": []}', "TLJ-TAG-01"),
        ('{"format": "torchlean_state_binary_08_7_127_ieee_v1", "state": []}', "TLJ-TAG-01"),
        ('{"format": "torchlean_paramlist_bits_v1", "state": []}', "TLJ-OLD-01"),
        (f'{{"format": "{FLOAT.tag}", "state": {{}}}}', "TLJ-STA-01"),
        (f'{{"format": "{FLOAT.tag}", "state": [7]}}', "TLJ-TEN-01"),
        (f'{{"format": "{FLOAT.tag}", "state": [{{"shape": [0]}}]}}', "TLJ-TEN-02"),
        (f'{{"format": "{FLOAT.tag}", "state": [{{"shape": [0], "values": [], "dtype": 1}}]}}', "TLJ-TEN-02"),
        (state([1], 1), "TLJ-SHP-01"),
        (state([1], [True]), "TLJ-SHP-01"),
        (state([1], [1] * 1025), "TLJ-SHP-02"),
        (state(1), "TLJ-VAL-01"),
        (state([True]), "TLJ-SCA-01"),
        (state([[1, 2]]), "TLJ-SCA-01"),
        (state([1], tag=complex_state(FLOAT).tag), "TLJ-SCA-01"),
        (state([[1, 2, 3]], tag=complex_state(FLOAT).tag), "TLJ-SCA-01"),
        (state([2**64]), "TLJ-SCA-02"),
        (state([1], [2]), "TLJ-CNT-01"),
        (state([1], [0, 2**63]), "TLJ-CNT-01"),
        ('{"format": "a", "format": "b"}', "TLJ-TXT-03"),
        (b'\xef\xbb\xbf{"format": 1}', "TLJ-TXT-02"),
        (b'{"format": "\xff"}', "TLJ-TXT-02"),
        ("", "TLJ-TXT-01"),
    ],
)
def test_each_rule_names_its_own_breach(text: str | bytes, rule: str) -> None:
    assert rules(text) == [rule]


def test_every_finding_of_a_state_is_listed_in_order() -> None:
    text = json.dumps(
        {"format": FLOAT32.tag, "state": [{"shape": [2], "values": [2**32, True]}, 5, {"shape": [3], "values": [0]}]}
    )
    assert rules(text) == ["TLJ-SCA-02", "TLJ-SCA-01", "TLJ-TEN-01", "TLJ-CNT-01"]


def test_a_budget_counts_the_tensors_as_words_and_is_inclusive() -> None:
    text = state([1, 2], [2])
    assert rules(text, JsonFormat(max_bytes=16)) == []
    assert rules(text, JsonFormat(max_bytes=15)) == ["TLJ-MAX-01"]
