"""Encodings: every word there and back, nothing else taken, and formats of one width never mixed up."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitproof.strategies import special_words
from bitproof_spec import formats
from bitproof_spec.composite import COMPLEX64, COMPLEX128, Complex, ComplexOf
from bitproof_spec.document import Block
from bitproof_spec.encoding import (
    BFLOAT16,
    BINARY16,
    BINARY32,
    BINARY64,
    BFloat16,
    Binary16,
    Binary32,
    Binary64,
    Configured,
    Encoding,
    Storage,
    configured,
)
from bitproof_spec.formats import NAMED, BinaryFormat, Specials
from bitproof_spec.integers import BOOL, INT8, INT16, INT32, INT64, UINT8, Int8, Int32, Int64, UInt8
from bitproof_spec.laws import law_encoding
from bitproof_spec.layout import Layout, Slot
from bitproof_spec.violations import Violations

fixed = settings(derandomize=True, deadline=None, database=None)

CONFIGURED = {name: configured(format, Configured) for name, format in NAMED.items()}
WIDTHS = {
    5: BinaryFormat(2, 2, 1),
    8: formats.E4M3FN,
    12: BinaryFormat(5, 6, 15),
    16: formats.BINARY16,
    19: formats.TF32,
    300: BinaryFormat(60, 239, (1 << 59) - 1),
}
STORAGES: list[Storage] = [
    *(BINARY16, BFLOAT16, BINARY32, BINARY64, COMPLEX64, COMPLEX128),
    *(INT8, INT16, INT32, INT64, UINT8, BOOL),
    *CONFIGURED.values(),
    ComplexOf(CONFIGURED["binary32"]),
    ComplexOf(COMPLEX64),
]


def words_of(format: BinaryFormat) -> st.SearchStrategy[int]:
    """Words of a format, half of them special."""
    return st.sampled_from(special_words(format)) | st.integers(0, (1 << format.bits) - 1)


@pytest.mark.parametrize("encoding", [BINARY16, CONFIGURED["binary16"]], ids=["native", "configured"])
def test_b10_all_65536_words_of_binary16_are_themselves(encoding: Encoding[int]) -> None:
    for word in range(1 << 16):
        assert encoding.decode(word.to_bytes(2, "little")) == word
        law_encoding(encoding, word.to_bytes(2, "little"))


@pytest.mark.parametrize("encoding", [BFLOAT16, CONFIGURED["bfloat16"]], ids=["native", "configured"])
def test_b10_all_65536_words_of_bfloat16_are_themselves(encoding: Encoding[int]) -> None:
    for word in range(1 << 16):
        assert encoding.encode(encoding.decode(word.to_bytes(2, "little"))) == word.to_bytes(2, "little")


@pytest.mark.parametrize(
    ("encoding", "words"),
    [
        (BINARY16, [0x7C01, 0xFDFF, 0x7E55, 0x8000, 0x0001]),
        (BINARY32, [0x7F800001, 0xFF800001, 0x7FBFFFFF, 0x7FC12345, 0x80000000, 0x00000001]),
        (BINARY64, [0x7FF0000000000001, 0xFFF7FFFFFFFFFFFF, 0x7FF8000000000123, 1 << 63, 1]),
    ],
    ids=["binary16", "binary32", "binary64"],
)
def test_b4_nan_payloads_zeros_and_subnormals_are_themselves(encoding: Encoding[int], words: list[int]) -> None:
    for word in words:
        data = word.to_bytes(encoding.width, "little")
        assert encoding.decode(data) == word
        assert encoding.encode(encoding.decode(data)) == data


@pytest.mark.parametrize("name", NAMED)
@fixed
@given(data=st.data())
def test_every_configured_format_keeps_every_word(name: str, data: st.DataObject) -> None:
    word = data.draw(words_of(NAMED[name]))
    encoding = CONFIGURED[name]
    stored = encoding.encode(Configured(word))
    assert stored == word.to_bytes(-(-NAMED[name].bits // 8), "little")
    assert encoding.decode(stored) == word


@pytest.mark.parametrize("bits", WIDTHS)
@pytest.mark.parametrize("count", [1, 7, 8, 9])
def test_v27_elements_of_any_width_take_whole_bytes_each_and_no_other_size(bits: int, count: int) -> None:
    encoding = configured(WIDTHS[bits], Configured)
    layout = Layout(Slot("w", encoding, (count,)))
    size = count * -(-bits // 8)
    assert encoding.width == -(-bits // 8)
    assert not isinstance(layout.state([Block(encoding.tag, (count,), bytes(size))]), Violations)
    packed = -(-count * bits // 8)
    for wrong in {0, size - encoding.width, size - 1, size + 1, size + encoding.width, packed} - {size}:
        assert isinstance(layout.state([Block(encoding.tag, (count,), bytes(wrong))]), Violations)


@pytest.mark.parametrize("bits", WIDTHS)
def test_v27_a_pad_bit_that_is_set_is_refused(bits: int) -> None:
    encoding = configured(WIDTHS[bits], Configured)
    assert encoding.accepts(((1 << bits) - 1).to_bytes(encoding.width, "little"))
    for bit in range(bits, 8 * encoding.width):
        word = (1 << bit).to_bytes(encoding.width, "little")
        assert not encoding.accepts(word)
        with pytest.raises(ValueError, match=f"is no word of {bits} bits"):
            encoding.decode(word)


def test_y5_formats_of_one_width_are_never_taken_for_each_other() -> None:
    half, brain = CONFIGURED["binary16"], CONFIGURED["bfloat16"]
    assert half.width == brain.width
    refused = Layout(Slot("w", half, (2,))).state([Block(brain.tag, (2,), bytes(4))])
    assert isinstance(refused, Violations)
    (finding,) = refused
    assert (finding.rule, finding.found, finding.owed) == ("LAY-TAG-01", brain.tag, half.tag)


def test_y5_every_encoding_has_a_tag_of_its_own() -> None:
    tags = [storage.tag for storage in STORAGES]
    assert len(set(tags)) == len(tags)


@fixed
@given(st.data())
def test_y5_two_configured_formats_have_one_tag_only_when_they_are_one(data: st.DataObject) -> None:
    one, other = (_format(data) for _ in range(2))
    assert (configured(one, Configured).tag == configured(other, Configured).tag) == (one == other)


def _format(data: st.DataObject) -> BinaryFormat:
    exponent_bits, specials = data.draw(st.integers(2, 12)), data.draw(st.sampled_from(Specials))
    return BinaryFormat(exponent_bits, data.draw(st.integers(1, 12)), data.draw(st.integers(1, 2)), specials)


@pytest.mark.parametrize("storage", STORAGES, ids=lambda storage: storage.tag)
def test_a_word_of_another_size_is_refused(storage: Storage) -> None:
    for size in {0, storage.width - 1, storage.width + 1, 2 * storage.width}:
        assert not storage.accepts(bytes(size))
    assert storage.accepts(bytes(storage.width))


@pytest.mark.parametrize("word", [-1, 1 << 16])
def test_a_scalar_that_is_no_word_is_refused(word: int) -> None:
    for encode in (partial(BINARY16.encode, Binary16(word)), partial(BFLOAT16.encode, BFloat16(word))):
        with pytest.raises(ValueError, match="is no word of 16 bits"):
            encode()


def test_a_complex_word_is_the_real_part_then_the_imaginary_part() -> None:
    scalar = Complex(Binary32(0x3F800000), Binary32(0xC0200000))
    assert COMPLEX64.encode(scalar).hex() == "0000803f000020c0"
    assert COMPLEX64.decode(bytes.fromhex("0000803f000020c0")) == scalar
    assert (COMPLEX64.width, COMPLEX128.width) == (8, 16)
    assert ComplexOf(COMPLEX64).width == 16


@pytest.mark.parametrize("re", special_words(formats.BINARY64))
def test_b4_every_pair_of_classes_survives_in_a_complex_number(re: int) -> None:
    for im in special_words(formats.BINARY64):
        scalar = Complex(Binary64(re), Binary64(im))
        assert COMPLEX128.decode(COMPLEX128.encode(scalar)) == scalar
        law_encoding(COMPLEX128, COMPLEX128.encode(scalar))


def test_a_complex_word_is_refused_where_a_part_of_it_is() -> None:
    encoding = ComplexOf(configured(formats.E2M1, Configured))
    assert encoding.accepts(b"\x0f\x00")
    for word in (b"\x10\x00", b"\x00\x10", b"\x00", b"\x00\x00\x00"):
        assert not encoding.accepts(word)
        with pytest.raises(ValueError, match=r"no word of 4 bits|takes 1 bytes"):
            encoding.decode(word)


@pytest.mark.parametrize(("data", "value"), [("00", 0), ("7f", 127), ("80", -128), ("ff", -1), ("d6", -42)], ids=str)
def test_a_signed_integer_is_two_s_complement(data: str, value: int) -> None:
    assert INT8.decode(bytes.fromhex(data)) == value
    assert INT8.encode(Int8(value)).hex() == data


@fixed
@given(st.integers(-(1 << 63), (1 << 63) - 1))
def test_a_64_bit_integer_comes_back(value: int) -> None:
    assert INT64.encode(Int64(value)) == value.to_bytes(8, "little", signed=True)
    assert INT64.decode(INT64.encode(Int64(value))) == value


def test_an_integer_out_of_range_is_refused() -> None:
    for refused in (-129, 128, 10**5000):
        with pytest.raises(ValueError, match="is no int8"):
            INT8.encode(Int8(refused))
    for refused in (-1, 256):
        with pytest.raises(ValueError, match="is no uint8"):
            UINT8.encode(UInt8(refused))
    with pytest.raises(ValueError, match="0x80000000 is no int32"):
        INT32.encode(Int32(1 << 31))


def test_a_boolean_is_the_byte_0_or_1_and_no_other_byte() -> None:
    assert [BOOL.encode(value) for value in (False, True)] == [b"\0", b"\1"]
    assert [BOOL.decode(byte) for byte in (b"\0", b"\1")] == [False, True]
    for byte in range(2, 256):
        assert not BOOL.accepts(bytes([byte]))
        with pytest.raises(ValueError, match="is no boolean"):
            BOOL.decode(bytes([byte]))
    with pytest.raises(ValueError, match="2 is no boolean"):
        BOOL.encode(2)  # type: ignore[arg-type]  # what a caller without a type checker could hand over
