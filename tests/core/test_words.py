"""Words of any width: their bytes, their fields, and what is refused; where blocks may start."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitproof_spec.alignment import align_up
from bitproof_spec.words import DoesNotFit, Fields, fits, from_bytes, join, split, storage_bytes, to_bytes

fixed = settings(derandomize=True, deadline=None, database=None)
widths = st.integers(1, 400)


@pytest.mark.parametrize(
    ("word", "bits", "data"),
    [
        (0x3F800000, 32, "0000803f"),
        (0xABC, 12, "bc0a"),
        (0x1, 1, "01"),
        (0x7F, 7, "7f"),
        (0x1FF, 9, "ff01"),
        (1 << 300, 301, "00" * 37 + "10"),
    ],
)
def test_a_word_is_little_endian_and_takes_whole_bytes(word: int, bits: int, data: str) -> None:
    assert to_bytes(word, bits).hex() == data
    assert from_bytes(bytes.fromhex(data), bits) == word


@fixed
@given(widths.flatmap(lambda bits: st.tuples(st.just(bits), st.integers(0, (1 << bits) - 1))))
def test_the_bytes_of_a_word_of_any_width_are_the_word(given_word: tuple[int, int]) -> None:
    bits, word = given_word
    data = to_bytes(word, bits)
    assert len(data) == storage_bytes(bits) == -(-bits // 8)
    assert from_bytes(data, bits) == word


@fixed
@given(widths, st.binary(max_size=52))
def test_bytes_are_a_word_or_refused(bits: int, data: bytes) -> None:
    try:
        word = from_bytes(data, bits)
    except ValueError:
        assert len(data) != storage_bytes(bits) or int.from_bytes(data, "little") >> bits
    else:
        assert to_bytes(word, bits) == data


@pytest.mark.parametrize("word", [-1, 1 << 12, 10**5000, -(10**5000)], ids=["-1", "2^12", "long", "-long"])
def test_a_word_that_does_not_fit_is_refused_and_names_what_was_owed(word: int) -> None:
    assert not fits(word, 12)
    with pytest.raises(DoesNotFit, match="is no word of 12 bits") as refused:
        to_bytes(word, 12)
    assert refused.value.value == word


@pytest.mark.parametrize("bit", range(12, 16))
def test_v27_each_pad_bit_that_is_set_is_refused(bit: int) -> None:
    with pytest.raises(DoesNotFit):
        from_bytes((1 << bit).to_bytes(2, "little"), 12)


@pytest.mark.parametrize("size", [0, 1, 3, 4])
def test_another_number_of_bytes_is_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"takes 2 bytes, not {size}"):
        from_bytes(bytes(size), 12)


@pytest.mark.parametrize("bits", [0, -1])
def test_a_word_has_at_least_one_bit(bits: int) -> None:
    with pytest.raises(ValueError, match="at least one bit"):
        storage_bytes(bits)


@fixed
@given(st.integers(1, 70), st.integers(1, 300), st.data())
def test_fields_make_the_word_that_they_were_split_from(
    exponent_bits: int, fraction_bits: int, data: st.DataObject
) -> None:
    word = data.draw(st.integers(0, (1 << 1 + exponent_bits + fraction_bits) - 1))
    fields = split(word, exponent_bits, fraction_bits)
    assert join(fields, exponent_bits, fraction_bits) == word
    assert fields.sign == word >> exponent_bits + fraction_bits
    assert fields.fraction == word & (1 << fraction_bits) - 1


@pytest.mark.parametrize("fields", [Fields(2, 0, 0), Fields(0, 32, 0), Fields(0, 0, 1024), Fields(-1, 0, 0)])
def test_a_field_that_would_spill_into_another_is_refused(fields: Fields) -> None:
    with pytest.raises(DoesNotFit):
        join(fields, 5, 10)


def test_a_word_with_more_bits_than_its_fields_is_refused() -> None:
    with pytest.raises(DoesNotFit, match="0x10000 is no word of 16 bits"):
        split(1 << 16, 5, 10)


@pytest.mark.parametrize(
    ("offset", "aligned"), [(0, 0), (1, 64), (63, 64), (64, 64), (65, 128), (2**63 + 1, 2**63 + 64)]
)
def test_an_offset_is_aligned_to_the_next_multiple_of_64(offset: int, aligned: int) -> None:
    assert align_up(offset) == aligned


@fixed
@given(st.integers(0, 1 << 80), st.integers(1, 4096))
def test_an_aligned_offset_is_the_least_multiple_that_is_not_below(offset: int, alignment: int) -> None:
    up = align_up(offset, alignment)
    assert up % alignment == 0
    assert up - alignment < offset <= up


@pytest.mark.parametrize(("offset", "alignment"), [(-1, 64), (1, 0), (1, -64)])
def test_a_negative_offset_or_no_alignment_is_refused(offset: int, alignment: int) -> None:
    with pytest.raises(ValueError, match="aligned to"):
        align_up(offset, alignment)
