"""From one binary format to another by words: exactly where the target holds every value, else to the nearest.

An IEEE fraction grows or shrinks at its low end, so a NaN's payload moves with the bits of numbers: binary32 to
binary64 shifts it left by 29.
"""

from __future__ import annotations

from bitproof_spec.formats import BinaryFormat, Specials
from bitproof_spec.meaning import NaN, Value, meaning
from bitproof_spec.rounding import exact_word, word_of


def holds_all(target: BinaryFormat, source: BinaryFormat) -> bool:
    """Whether every value of `source`, -0, infinities and NaNs included, has a word of its own in `target`."""
    return (
        target.fraction_bits >= source.fraction_bits
        and target.least_exponent - target.fraction_bits <= source.least_exponent - source.fraction_bits
        and _largest(source, target.fraction_bits) <= _largest(target, target.fraction_bits)
        and target.has_infinity >= source.has_infinity
        and target.has_nan >= source.has_nan
        and target.has_negative_zero >= source.has_negative_zero
    )


def widen(source: BinaryFormat, target: BinaryFormat, word: int) -> int:
    """The word of the same value in a format that holds all values of `source`.

    A NaN keeps its sign and stays signalling or quiet. ValueError when `target` lacks a value of `source`, or for a
    word that doesn't fit.
    """
    if not holds_all(target, source):
        raise ValueError(f"{target.tag} doesn't hold every value of {source.tag}")
    return exact_word(target, _moved(source, target, meaning(source, word)))


def round_word(source: BinaryFormat, target: BinaryFormat, word: int) -> int:
    """The word of the nearest value, ties to even; an infinity overflows where there is none.

    A NaN becomes quiet and keeps its sign and the leading bits of its payload, as far as the target has them.
    ValueError for a NaN when the target has none, or for a word that doesn't fit.
    """
    value = _moved(source, target, meaning(source, word))
    return word_of(target, NaN(value.sign, False, value.payload) if isinstance(value, NaN) else value)


def _moved(source: BinaryFormat, target: BinaryFormat, value: Value) -> Value:
    """The value, a NaN's payload kept at the high end of the target's fraction (and dropped without payloads)."""
    if not isinstance(value, NaN):
        return value
    grown = target.fraction_bits - source.fraction_bits
    keeps = source.specials is target.specials is Specials.IEEE
    payload = (value.payload << max(grown, 0)) >> max(-grown, 0) if keeps else 0
    return NaN(value.sign, value.signalling, payload)


def _largest(format: BinaryFormat, fraction_bits: int) -> tuple[int, int]:
    """The largest number as exponent and a fraction of at least as many bits as the format's, in numeric order."""
    fraction = format.split(format.largest).fraction
    return format.greatest_exponent, fraction << fraction_bits - format.fraction_bits
