"""Conversions between binary formats by words: exact where the target holds all, nearest even else, NaNs as stated."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from bitproof import strategies
from bitproof.strategies import special_words
from bitproof_spec import formats
from bitproof_spec.conversion import holds_all, round_word, widen
from bitproof_spec.formats import BFLOAT16, BINARY16, BINARY32, BINARY64, NAMED, BinaryFormat, Specials
from bitproof_spec.meaning import NaN, meaning
from bitproof_spec.rounding import exact_word
from bitproof_spec.words import DoesNotFit

fixed = settings(derandomize=True, deadline=None, database=None)
SMALL = {name: format for name, format in NAMED.items() if format.bits <= 8}


@pytest.mark.parametrize(
    ("word", "wide"),
    [
        (0x80000000, 1 << 63),
        (0x00000001, 0x36A0000000000000),
        (0x007FFFFF, 0x380FFFFFC0000000),
        (0x3F800000, 0x3FF0000000000000),
        (0xFF7FFFFF, 0xC7EFFFFFE0000000),
        (0x7F800000, 0x7FF0000000000000),
        (0x7F800001, 0x7FF0000020000000),
        (0xFFBFFFFF, 0xFFF7FFFFE0000000),
        (0x7FC12345, 0x7FF82468A0000000),
    ],
)
def test_b4_binary32_widens_to_binary64_with_its_payload_and_its_signal(word: int, wide: int) -> None:
    assert widen(BINARY32, BINARY64, word) == wide


@fixed
@given(strategies.words32())
def test_a_number_widens_as_numpy_widens_it(word: int) -> None:
    value = np.array([word], np.uint32).view(np.float32)
    if not np.isnan(value[0]):
        assert widen(BINARY32, BINARY64, word) == int(value.astype(np.float64).view(np.uint64)[0])


@fixed
@given(strategies.words64())
def test_a_number_narrows_as_numpy_narrows_it(word: int) -> None:
    value = np.array([word], np.uint64).view(np.float64)
    if not np.isnan(value[0]):
        with np.errstate(all="ignore"):
            assert round_word(BINARY64, BINARY32, word) == int(value.astype(np.float32).view(np.uint32)[0])


@pytest.mark.parametrize("name", NAMED)
def test_b4_every_class_of_word_survives_widening_to_binary256(name: str) -> None:
    source, wide = NAMED[name], formats.BINARY256
    for word in special_words(source):
        value, widened = meaning(source, word), meaning(wide, widen(source, wide, word))
        if isinstance(value, NaN):
            grown = wide.fraction_bits - source.fraction_bits
            assert widened == NaN(value.sign, value.signalling, value.payload << grown)
        else:
            assert widened == value
            assert round_word(wide, source, widen(source, wide, word)) == word


@pytest.mark.parametrize(("source", "target"), [*product(SMALL, SMALL)])
def test_a_format_holds_another_exactly_when_each_value_has_a_word_there(source: str, target: str) -> None:
    assert holds_all(NAMED[target], NAMED[source]) == all(
        _has(NAMED[source], NAMED[target], word) for word in range(1 << NAMED[source].bits)
    )


def _has(source: BinaryFormat, target: BinaryFormat, word: int) -> bool:
    value = meaning(source, word)
    if isinstance(value, NaN) and target.specials is Specials.IEEE:
        return target.fraction_bits >= source.fraction_bits
    try:
        exact_word(target, value)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(
    ("source", "target"),
    [(BINARY16, BFLOAT16), (BFLOAT16, BINARY16), (BINARY64, BINARY32), (formats.E4M3FN, formats.E4M3FNUZ)],
    ids=["half to bfloat16", "bfloat16 to half", "double to float", "e4m3fn to e4m3fnuz"],
)
def test_a_format_that_lacks_values_is_no_target_to_widen_to(source: BinaryFormat, target: BinaryFormat) -> None:
    with pytest.raises(ValueError, match="doesn't hold every value of"):
        widen(source, target, 0)


@pytest.mark.parametrize(
    ("word", "half"),
    [
        (0x7F800001, 0x7E00),
        (0xFF800001, 0xFE00),
        (0x7FC00000, 0x7E00),
        (0x7FBFFFFF, 0x7FFF),
        (0xFFFFFFFF, 0xFFFF),
        (0x7FC12345, 0x7E09),
        (0x7F800000, 0x7C00),
        (0xFF800000, 0xFC00),
        (0x80000001, 0x8000),
        (0x477FEFFF, 0x7BFF),
        (0x477FF000, 0x7C00),
    ],
)
def test_a_float_narrows_to_half_a_nan_quiet_and_never_an_infinity(word: int, half: int) -> None:
    assert round_word(BINARY32, BINARY16, word) == half


@pytest.mark.parametrize(
    ("target", "infinity", "nan", "negative_zero"),
    [
        (formats.E5M2, 0xFC, 0xFE, 0x80),
        (formats.E4M3FN, 0xFF, 0xFF, 0x80),
        (formats.E4M3FNUZ, 0x80, 0x80, 0x00),
        (formats.E2M1, 0xF, None, 0x8),
    ],
    ids=["ieee", "finite-max-nan", "finite-unsigned-zero", "finite"],
)
def test_what_a_target_lacks_becomes_what_its_specials_say(
    target: BinaryFormat, infinity: int, nan: int | None, negative_zero: int
) -> None:
    assert round_word(BINARY32, target, 0xFF800000) == infinity
    assert round_word(BINARY32, target, 0x80000000) == negative_zero
    if nan is None:
        with pytest.raises(ValueError, match="has no word in"):
            round_word(BINARY32, target, 0xFFC00000)
    else:
        assert round_word(BINARY32, target, 0xFFC00000) == nan


@pytest.mark.parametrize("convert", [widen, round_word])
def test_a_word_too_wide_is_refused(convert: Callable[[BinaryFormat, BinaryFormat, int], int]) -> None:
    with pytest.raises(DoesNotFit):
        convert(BINARY32, BINARY64, 1 << 32)


def test_an_exponent_beyond_memory_overflows_and_underflows() -> None:
    wide = BinaryFormat(60, 239, (1 << 59) - 1)
    assert round_word(wide, BINARY32, wide.largest) == 0x7F800000
    assert round_word(wide, BINARY32, wide.sign_word + 1) == 0x80000000
    assert widen(BINARY64, wide, 0x3FF0000000000000) == wide.bias << wide.fraction_bits
