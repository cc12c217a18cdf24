"""Binary formats: parameters, classes of words, and their meaning against numpy and ml_dtypes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import isinf, isnan

import ml_dtypes
import numpy as np
import pytest

from bitproof_spec import formats
from bitproof_spec.formats import NAMED, BinaryFormat, Specials, default_bias
from bitproof_spec.meaning import Finite, Infinity, NaN, WordClass, classify, finite, meaning
from bitproof_spec.rounding import exact_word
from bitproof_spec.words import DoesNotFit

SMALL = {name: format for name, format in NAMED.items() if format.bits <= 8}
ORACLES: dict[str, type[np.generic]] = {
    "e5m2": ml_dtypes.float8_e5m2,
    "e4m3fn": ml_dtypes.float8_e4m3fn,
    "e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "e2m1": ml_dtypes.float4_e2m1fn,
    "e2m3": ml_dtypes.float6_e2m3fn,
    "e3m2": ml_dtypes.float6_e3m2fn,
    "bfloat16": ml_dtypes.bfloat16,
    "binary16": np.float16,
}
FORMATS = pytest.mark.parametrize("name", NAMED)


@pytest.mark.parametrize(
    ("name", "bits", "bias", "tag"),
    [
        ("binary16", 16, 15, "binary_5_10_15_ieee"),
        ("bfloat16", 16, 127, "binary_8_7_127_ieee"),
        ("tf32", 19, 127, "binary_8_10_127_ieee"),
        ("binary32", 32, 127, "binary_8_23_127_ieee"),
        ("binary64", 64, 1023, "binary_11_52_1023_ieee"),
        ("binary128", 128, 16383, "binary_15_112_16383_ieee"),
        ("binary256", 256, 262143, "binary_19_236_262143_ieee"),
        ("e5m2", 8, 15, "binary_5_2_15_ieee"),
        ("e4m3fn", 8, 7, "binary_4_3_7_finite-max-nan"),
        ("e4m3fnuz", 8, 8, "binary_4_3_8_finite-unsigned-zero"),
        ("e5m2fnuz", 8, 16, "binary_5_2_16_finite-unsigned-zero"),
        ("e2m1", 4, 1, "binary_2_1_1_finite"),
        ("e2m3", 6, 1, "binary_2_3_1_finite"),
        ("e3m2", 6, 3, "binary_3_2_3_finite"),
    ],
)
def test_a_named_format_has_its_published_parameters(name: str, bits: int, bias: int, tag: str) -> None:
    format = NAMED[name]
    assert (format.bits, format.bias, format.tag) == (bits, bias, tag)
    assert format.bias == default_bias(format.exponent_bits, format.specials)


def test_every_named_format_is_in_the_table_of_this_test() -> None:
    assert len({format.tag for format in NAMED.values()}) == len(NAMED) == 14


@pytest.mark.parametrize("specials", Specials)
def test_a_bias_is_at_most_the_largest_finite_exponent_code(specials: Specials) -> None:
    top = 14 if specials is Specials.IEEE else 15
    assert BinaryFormat(4, 3, top, specials).greatest_exponent == 0
    for bias in (0, -1, top + 1):
        with pytest.raises(ValueError, match=f"a bias is in 1..{top} here, not {bias}"):
            BinaryFormat(4, 3, bias, specials)


@pytest.mark.parametrize(("exponent_bits", "fraction_bits"), [(1, 3), (0, 3), (-1, 3), (4, 0), (4, -2)])
def test_a_format_too_narrow_is_refused(exponent_bits: int, fraction_bits: int) -> None:
    with pytest.raises(ValueError, match="a binary format has at least"):
        BinaryFormat(exponent_bits, fraction_bits, 1)


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("binary16", (2, 2046, 61440, 2, 1024, 1022)),
        ("bfloat16", (2, 254, 65024, 2, 128, 126)),
        ("e5m2", (2, 6, 240, 2, 4, 2)),
        ("e4m3fn", (2, 14, 238, 0, 2, 0)),
        ("e4m3fnuz", (1, 14, 240, 0, 1, 0)),
        ("e2m1", (2, 2, 12, 0, 0, 0)),
    ],
)
def test_every_word_of_a_narrow_format_has_its_class(name: str, counts: tuple[int, ...]) -> None:
    found = Counter(classify(NAMED[name], word) for word in range(1 << NAMED[name].bits))
    assert tuple(found[kind] for kind in WordClass) == counts


@pytest.mark.parametrize(
    ("format", "words"),
    [
        (
            formats.BINARY32,
            {
                WordClass.ZERO: [0, 0x80000000],
                WordClass.SUBNORMAL: [1, 0x7FFFFF, 0x80000001, 0x807FFFFF],
                WordClass.NORMAL: [0x800000, 0x3F800000, 0x7F7FFFFF, 0x80800000, 0xFF7FFFFF],
                WordClass.INFINITY: [0x7F800000, 0xFF800000],
                WordClass.QUIET_NAN: [0x7FC00000, 0x7FC12345, 0x7FFFFFFF, 0xFFC00000],
                WordClass.SIGNALLING_NAN: [0x7F800001, 0x7FBFFFFF, 0xFF800001],
            },
        ),
        (
            formats.BINARY64,
            {
                WordClass.ZERO: [0, 1 << 63],
                WordClass.SUBNORMAL: [1, (1 << 52) - 1, (1 << 63) + 1],
                WordClass.NORMAL: [1 << 52, 0x3FF0000000000000, 0x7FEFFFFFFFFFFFFF, 0xFFEFFFFFFFFFFFFF],
                WordClass.INFINITY: [0x7FF0000000000000, 0xFFF0000000000000],
                WordClass.QUIET_NAN: [0x7FF8000000000000, 0xFFF8000000012345, 0x7FFFFFFFFFFFFFFF],
                WordClass.SIGNALLING_NAN: [0x7FF0000000000001, 0x7FF7FFFFFFFFFFFF, 0xFFF0000000000001],
            },
        ),
    ],
    ids=["binary32", "binary64"],
)
def test_b4_every_class_of_binary32_and_binary64_words_has_its_own_meaning(
    format: BinaryFormat, words: dict[WordClass, list[int]]
) -> None:
    for kind, members in words.items():
        for word in members:
            assert classify(format, word) is kind
            assert exact_word(format, meaning(format, word)) == word
    every = [word for members in words.values() for word in members]
    assert len({meaning(format, word) for word in every}) == len(every)


@pytest.mark.parametrize("name", [name for name in NAMED if NAMED[name].bits <= 16])
def test_b4_b10_every_word_is_the_one_word_of_its_meaning(name: str) -> None:
    format = NAMED[name]
    values = [meaning(format, word) for word in range(1 << format.bits)]
    assert len(set(values)) == len(values)
    assert [exact_word(format, value) for value in values] == [*range(1 << format.bits)]


@pytest.mark.parametrize("name", ORACLES)
def test_the_meaning_of_every_word_is_that_of_another_implementation(name: str) -> None:
    format = NAMED[name]
    words = np.arange(1 << format.bits, dtype=np.uint16 if format.bits > 8 else np.uint8)
    with np.errstate(invalid="ignore"):
        owed = words.view(ORACLES[name]).astype(np.float64).tolist()
    for word, value in enumerate(owed):
        match meaning(format, word):
            case Finite(sign) as number:
                assert number.fraction == Fraction(value)
                assert sign == int(np.signbit(value))
            case Infinity(sign):
                assert isinf(value)
                assert sign == int(value < 0)
            case NaN():
                assert isnan(value)


@FORMATS
def test_edges_of_a_format_mean_what_its_parameters_say(name: str) -> None:
    format = NAMED[name]
    bits = format.fraction_bits
    one = 1 << bits
    assert meaning(format, 1) == finite(0, 1, format.least_exponent - bits)
    assert meaning(format, one - 1) == finite(0, one - 1, format.least_exponent - bits)
    assert meaning(format, one) == finite(0, 1, format.least_exponent)
    assert meaning(format, format.bias << bits) == finite(0, 1)
    top = 2 * one - (2 if format.specials is Specials.FINITE_MAX_NAN else 1)
    assert meaning(format, format.largest) == finite(0, top, format.greatest_exponent - bits)


@FORMATS
def test_the_sign_alone_is_minus_zero_or_the_nan_of_a_format_without_it(name: str) -> None:
    format = NAMED[name]
    owed = finite(1, 0) if format.has_negative_zero else NaN(0, False, 0)
    assert meaning(format, format.sign_word) == owed
    assert meaning(format, 0) == finite(0, 0) != owed


@FORMATS
def test_a_word_too_wide_has_no_class_and_no_meaning(name: str) -> None:
    format = NAMED[name]
    ask: Callable[[BinaryFormat, int], object]
    for ask in (classify, meaning):
        for word in (-1, 1 << format.bits):
            with pytest.raises(DoesNotFit):
                ask(format, word)


def test_a_format_of_300_bits_with_an_exponent_beyond_memory_has_its_meanings() -> None:
    wide = BinaryFormat(60, 239, (1 << 59) - 1)
    assert meaning(wide, 1) == finite(0, 1, 2 - (1 << 59) - 239)
    assert exact_word(wide, meaning(wide, wide.largest)) == wide.largest
    assert meaning(wide, wide.largest + 1) == Infinity(0)


@pytest.mark.parametrize(("sign", "significand", "exponent"), [(0, 2, 0), (0, 0, 1), (2, 1, 0), (0, -1, 0)])
def test_a_number_that_is_not_reduced_is_refused(sign: int, significand: int, exponent: int) -> None:
    with pytest.raises(ValueError, match="no reduced binary number"):
        Finite(sign, significand, exponent)


def test_equal_numbers_are_equal_values_and_minus_zero_is_another() -> None:
    assert finite(0, 12, -2) == finite(0, 3) == finite(0, 6, -1)
    assert finite(1, 0, 5) != finite(0, 0)
    assert finite(1, 3, 2).fraction == -12
    assert finite(1, 3, -2).fraction == Fraction(-3, 4)
