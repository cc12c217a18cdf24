"""Rounding to nearest even, against ml_dtypes, numpy and the definition, with overflow by the format's specials."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitproof.strategies import special_words
from bitproof_spec import formats
from bitproof_spec.formats import BINARY16, BINARY32, BINARY64, NAMED, BinaryFormat, Specials
from bitproof_spec.meaning import Finite, Infinity, NaN, finite, meaning
from bitproof_spec.rounding import exact_word, nearest_even, word_of
from proofs.core.nearest import critical, owed_code, word_of_code
from tests.core.test_formats import ORACLES

fixed = settings(derandomize=True, deadline=None, database=None)
NARROW = pytest.mark.parametrize("name", [name for name in ORACLES if name != "binary16"])


def around(name: str) -> list[float]:
    """Binary32 values at every bound of a format's rounding, the next ones to each side, and both signs."""
    format = NAMED[name]
    step = 1 if format.bits <= 8 else 97
    codes = (*range(0, format.largest, step), format.largest - 1, format.largest)
    exact = {value for code in codes for value, _ in critical(format, code) if value.denominator.bit_count() == 1}
    with np.errstate(over="ignore"):
        values = np.array([float(value) for value in exact], np.float64).astype(np.float32)
        beside = [np.nextafter(values, np.float32(to)) for to in (0, np.inf)]
    beyond = np.array([3.0e38, 2.0**-149, 1.0e5], np.float32)
    magnitudes = np.concatenate([values, *beside, beyond])
    return [float(value) for value in np.concatenate([magnitudes, -magnitudes]) if np.isfinite(value)]


@NARROW
def test_every_bound_of_a_narrow_format_rounds_as_another_implementation_does(name: str) -> None:
    values = around(name)
    width = np.uint16 if NAMED[name].bits > 8 else np.uint8
    with np.errstate(all="ignore"):
        owed = np.array(values, np.float32).astype(ORACLES[name]).view(width).tolist()
    found = [nearest_even(NAMED[name], Fraction(value), int(np.signbit(value))) for value in values]
    assert len(values) > 20
    assert found == owed


@fixed
@given(st.sampled_from([BINARY16, BINARY32]), st.floats(allow_nan=False))
def test_a_double_rounds_to_float_and_half_as_numpy_does(target: BinaryFormat, value: float) -> None:
    dtype = np.float16 if target is BINARY16 else np.float32
    with np.errstate(all="ignore"):
        owed = int.from_bytes(np.float64(value).astype(dtype).tobytes(), "little")
    word = int.from_bytes(np.float64(value).tobytes(), "little")
    assert word_of(target, meaning(BINARY64, word)) == owed


@st.composite
def small_formats(draw: st.DrawFn) -> BinaryFormat:
    """Configured formats of up to 21 bits."""
    exponent_bits, specials = draw(st.integers(2, 8)), draw(st.sampled_from(Specials))
    top = (1 << exponent_bits) - (2 if specials is Specials.IEEE else 1)
    return BinaryFormat(exponent_bits, draw(st.integers(1, 12)), draw(st.integers(1, top)), specials)


@fixed
@given(small_formats(), st.fractions(min_value=0), st.integers(-40, 40), st.integers(0, 1))
def test_a_rational_rounds_to_the_nearest_of_all_words(
    format: BinaryFormat, value: Fraction, scale: int, sign: int
) -> None:
    value *= Fraction(1 << max(scale, 0), 1 << max(-scale, 0))
    owed = word_of_code(format, owed_code(format, value), sign)
    assert nearest_even(format, -value if sign else value, sign) == owed


@fixed
@given(small_formats(), st.data())
def test_rounding_is_monotonic(format: BinaryFormat, data: st.DataObject) -> None:
    low, high = sorted(data.draw(st.tuples(st.fractions(min_value=0), st.fractions(min_value=0))))
    assert owed_code(format, low) <= owed_code(format, high)
    if format.specials is not Specials.FINITE_UNSIGNED_ZERO:
        assert nearest_even(format, low) <= nearest_even(format, high)


@pytest.mark.parametrize("name", NAMED)
def test_the_midpoint_between_two_words_goes_to_the_even_one(name: str) -> None:
    format = NAMED[name]
    one = format.bias << format.fraction_bits
    unit = Fraction(1, 1 << format.fraction_bits)
    assert nearest_even(format, 1 + unit / 2) == one
    assert nearest_even(format, 1 + 3 * unit / 2) == one + 2
    assert nearest_even(format, 1 + unit / 2 + Fraction(1, 10**100)) == one + 1
    assert nearest_even(format, -1 - 3 * unit / 2) == format.sign_word + one + 2


@pytest.mark.parametrize(
    ("format", "last", "first", "up", "down"),
    [
        (BINARY16, 65519, 65520, 0x7C00, 0xFC00),
        (formats.E5M2, 61439, 61440, 0x7C, 0xFC),
        (formats.E4M3FN, 464, Fraction(4641, 10), 0x7F, 0xFF),
        (formats.E4M3FNUZ, 247, 248, 0x80, 0x80),
        (formats.E2M1, 6, 7, 0x7, 0xF),
        (formats.E3M2, 28, 10**6, 0x1F, 0x3F),
    ],
    ids=["binary16", "e5m2", "e4m3fn", "e4m3fnuz", "e2m1", "e3m2"],
)
def test_beyond_the_last_number_is_what_the_specials_say(
    format: BinaryFormat, last: int, first: Fraction | int, up: int, down: int
) -> None:
    assert nearest_even(format, last) == format.largest
    assert nearest_even(format, -last) == format.sign_word + format.largest
    for value, owed in ((first, up), (-first, down), (10**400, up), (-(10**400), down)):
        assert nearest_even(format, value) == owed
    assert (word_of(format, Infinity(0)), word_of(format, Infinity(1))) == (up, down)


@pytest.mark.parametrize("name", NAMED)
def test_half_of_the_smallest_number_goes_to_zero_and_what_is_above_it_does_not(name: str) -> None:
    format = NAMED[name]
    half = Finite(0, 1, format.least_exponent - format.fraction_bits - 1)
    zero = format.sign_word if format.has_negative_zero else 0
    assert (word_of(format, half), word_of(format, Finite(1, 1, half.exponent))) == (0, zero)
    assert word_of(format, Finite(0, 3, half.exponent - 1)) == 1
    assert word_of(format, Finite(1, 3, half.exponent - 1)) == format.sign_word + 1
    assert word_of(format, Finite(0, 1, -(1 << 70))) == 0


def test_a_zero_keeps_the_sign_that_it_is_given() -> None:
    assert [nearest_even(BINARY32, 0, sign) for sign in (None, 0, 1)] == [0, 0, 0x80000000]
    assert nearest_even(BINARY32, Fraction(-1, 10**60)) == 0x80000000
    assert word_of(formats.E4M3FNUZ, finite(1, 0)) == 0


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("5e-324", 0x0000000000000001),
        ("2.2250738585072011e-308", 0x000FFFFFFFFFFFFF),
        ("2.2250738585072014e-308", 0x0010000000000000),
        ("1.7976931348623157e308", 0x7FEFFFFFFFFFFFFF),
        ("30.896298939813246", 0x403EE573D8E9EFF7),
        ("0.1", 0x3FB999999999999A),
        ("0.10000000000000002", 0x3FB999999999999B),
        ("0.09999999999999999", 0x3FB9999999999999),
    ],
)
def test_b8_a_decimal_text_has_the_one_nearest_double_and_not_its_neighbour(text: str, word: int) -> None:
    assert nearest_even(BINARY64, Fraction(text)) == word
    assert int.from_bytes(np.float64(float(text)).tobytes(), "little") == word
    value = meaning(BINARY64, word)
    assert isinstance(value, Finite)
    assert nearest_even(BINARY64, value.fraction) == word


def test_b8_a_third_is_the_double_below_it() -> None:
    assert nearest_even(BINARY64, Fraction(1, 3)) == 0x3FD5555555555555
    assert nearest_even(BINARY64, Fraction(1, 10) + Fraction(1, 1 << 56)) == 0x3FB999999999999B


@pytest.mark.parametrize("name", NAMED)
def test_a_word_is_the_one_word_of_its_meaning(name: str) -> None:
    for word in special_words(NAMED[name]):
        assert exact_word(NAMED[name], meaning(NAMED[name], word)) == word


@pytest.mark.parametrize(
    ("format", "value"),
    [
        (BINARY16, finite(0, 2049)),
        (BINARY16, finite(0, 1, 16)),
        (BINARY16, finite(0, 1, -25)),
        (BINARY16, NaN(0, True, 0)),
        (BINARY16, NaN(0, False, 512)),
        (BINARY16, NaN(1, True, 512)),
        (formats.E4M3FN, Infinity(0)),
        (formats.E4M3FN, NaN(0, True, 0)),
        (formats.E4M3FN, NaN(0, False, 1)),
        (formats.E4M3FNUZ, NaN(1, False, 0)),
        (formats.E4M3FNUZ, finite(1, 0)),
        (formats.E2M1, NaN(0, False, 0)),
        (formats.E2M1, Infinity(1)),
        (formats.E2M1, finite(0, 5)),
    ],
)
def test_a_value_that_a_format_lacks_has_no_exact_word(format: BinaryFormat, value: Finite | Infinity | NaN) -> None:
    with pytest.raises(ValueError, match="has no word in binary_"):
        exact_word(format, value)
