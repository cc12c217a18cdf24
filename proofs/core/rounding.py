"""The law of rounding: to nearest, ties to even, in every format; master to half for every binary32 word."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import NamedTuple, TypeAlias

from bitproof_spec.conversion import round_word
from bitproof_spec.formats import BINARY16, BINARY32, TF32, BinaryFormat, Specials, default_bias
from bitproof_spec.rounding import nearest_even
from proofs.core import rounding_contracts as contract
from proofs.core import rounding_z3
from proofs.core.nearest import critical, word_of_code
from proofs.core.rounding_critical import critical_words
from proofs.core.rounding_sweep import (
    at_critical_words,
    at_every_word,
    by_numpy,
    by_torch,
    through_bfloat16,
    truncating,
)
from proofs.crosshair_runner import contracts
from proofs.law import Law, Result, part
from proofs.sampling import exhaust

ToHalf: TypeAlias = Callable[[int], int]
ToWord: TypeAlias = Callable[[BinaryFormat, Fraction, int], int]


class Owed(NamedTuple):
    """An exact number under a sign, and the word that it must round to."""

    format: BinaryFormat
    value: Fraction
    sign: int
    word: int


def small_formats() -> Iterator[BinaryFormat]:
    """All specials; 2 to 4 exponent and 1 to 3 fraction bits; the least, the default and the greatest bias."""
    for exponent_bits, fraction_bits, specials in product((2, 3, 4), (1, 2, 3), Specials):
        usual = default_bias(exponent_bits, specials)
        top = BinaryFormat(exponent_bits, fraction_bits, usual, specials).top_exponent
        for bias in sorted({1, usual, top}):
            yield BinaryFormat(exponent_bits, fraction_bits, bias, specials)


def all_owed() -> Iterator[Owed]:
    """Every critical value of every small format, with either sign."""
    for format in small_formats():
        for code, sign in product(range(format.largest + 1), (0, 1)):
            for value, rounded in critical(format, code):
                yield Owed(format, value, sign, word_of_code(format, rounded, sign))


def rounds_in_every_format(rounding: ToWord) -> Result:
    """Every critical value of every small format."""
    return exhaust(lambda owed: rounding(owed.format, owed.value, owed.sign) == owed.word, all_owed())


def spec_rounding(format: BinaryFormat, value: Fraction, sign: int) -> int:
    """The spec's rounding of a magnitude under a sign."""
    return nearest_even(format, -value if sign else value, sign)


def saturating(format: BinaryFormat, value: Fraction, sign: int) -> int:
    """A twin that never overflows."""
    word = spec_rounding(format, value, sign)
    return word if word % format.sign_word <= format.largest else sign * format.sign_word + format.largest


def signing_zero(format: BinaryFormat, value: Fraction, sign: int) -> int:
    """A twin that takes -0 for granted."""
    return spec_rounding(format, value, sign) or sign * format.sign_word


def rounds_to_half(to_half: ToHalf) -> Result:
    """Every midpoint between two halves, its neighbours among binary32 words, and every half itself."""
    return exhaust(lambda owed: to_half(owed.word) == owed.half, critical_words())


def spec_half(word: int) -> int:
    """The spec's conversion."""
    return round_word(BINARY32, BINARY16, word)


def half_through_tf32(word: int) -> int:
    """A twin that rounds twice: right for normal halves, wrong for subnormal ones."""
    return round_word(TF32, BINARY16, round_word(BINARY32, TF32, word))


def half_truncated(word: int) -> int:
    """A twin that drops the bits that don't fit."""
    return round_word(BINARY32, BINARY16, word - word % 2**13)


def half_flushed(word: int) -> int:
    """A twin without subnormal halves."""
    half = spec_half(word)
    return half if half % BINARY16.sign_word >= 2**10 else half - half % 2**10


LAW = Law(
    id="rounding",
    statement="rounding is to nearest, ties to even, in every format; master to half for every binary32 word",
    committed="exhausted",
    parts=(
        contracts("the quotient, for all numbers", (contract.quotient,), {"ties up": contract.quotient_ties_up}),
        part(
            "small formats, all specials: bounds, neighbours, overflow",
            "exact rationals",
            "exhausted",
            rounds_in_every_format,
            spec_rounding,
            {"saturates": saturating, "negative zero everywhere": signing_zero},
        ),
        part(
            "binary32 to binary16: every midpoint, its neighbours, every half",
            "exact rationals",
            "exhausted",
            rounds_to_half,
            spec_half,
            {"through tf32": half_through_tf32, "truncates": half_truncated, "flushes subnormals": half_flushed},
        ),
        part(
            "the algorithm against z3's IEEE conversion, every binary32 word",
            "z3 bit vectors and FP",
            "proved",
            rounding_z3.agrees_with_ieee,
            rounding_z3.nearest_even,
            {"truncates": rounding_z3.truncate, "ties up": rounding_z3.ties_up},
        ),
        part(
            "the same words through numpy",
            "numpy",
            "exhausted",
            at_critical_words,
            by_numpy,
            {"truncates": truncating},
        ),
        part(
            "the same words through torch",
            "torch",
            "exhausted",
            at_critical_words,
            by_torch,
            {"truncates": truncating, "through bfloat16": through_bfloat16},
        ),
        part(
            "every binary32 word through torch",
            "torch",
            "exhausted",
            at_every_word,
            by_torch,
            {"truncates": truncating, "through bfloat16": through_bfloat16},
            slow=True,
        ),
    ),
)
