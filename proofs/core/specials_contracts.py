"""Contracts on classification and on the conversion of NaNs, for CrossHair, and the same on broken twins."""

from __future__ import annotations

from bitproof_spec.conversion import round_word, widen
from bitproof_spec.formats import BINARY16, BINARY32, BINARY64
from bitproof_spec.meaning import WordClass, classify


def widened_nan(sign: int, fraction: int) -> int:
    """binary32 to binary64: the sign kept, the fraction shifted left by 29, so signalling stays signalling.

    pre: 0 <= sign < 2 and 0 < fraction < 2**23
    post: __return__ == sign * 2**63 + 2047 * 2**52 + fraction * 2**29
    """
    return widen(BINARY32, BINARY64, sign * 2**31 + 255 * 2**23 + fraction)


def widened_nan_quiet(sign: int, fraction: int) -> int:
    """A twin that quiets, as the processor's conversion does.

    pre: 0 <= sign < 2 and 0 < fraction < 2**23
    post: __return__ == sign * 2**63 + 2047 * 2**52 + fraction * 2**29
    """
    return round_word(BINARY32, BINARY64, sign * 2**31 + 255 * 2**23 + fraction)


def narrowed_nan(sign: int, fraction: int) -> int:
    """binary32 to binary16: quiet, the sign and the leading payload bits kept, never an infinity.

    pre: 0 <= sign < 2 and 0 < fraction < 2**23
    post: __return__ == sign * 2**15 + 31 * 2**10 + 2**9 + fraction // 2**13 % 2**9
    """
    return round_word(BINARY32, BINARY16, sign * 2**31 + 255 * 2**23 + fraction)


def narrowed_nan_cut(sign: int, fraction: int) -> int:
    """A twin that cuts the fraction, so that some NaNs become infinities.

    pre: 0 <= sign < 2 and 0 < fraction < 2**23
    post: __return__ == sign * 2**15 + 31 * 2**10 + 2**9 + fraction // 2**13 % 2**9
    """
    return sign * 2**15 + 31 * 2**10 + fraction // 2**13


def classified(sign: int, exponent: int, fraction: int) -> WordClass:
    """The class of a binary64 word, by its fields.

    pre: 0 <= sign < 2 and 0 <= exponent < 2**11 and 0 <= fraction < 2**52
    post: (__return__ is WordClass.ZERO) == (exponent == 0 and fraction == 0)
    post: (__return__ is WordClass.SUBNORMAL) == (exponent == 0 and fraction > 0)
    post: (__return__ is WordClass.NORMAL) == (0 < exponent < 2047)
    post: (__return__ is WordClass.INFINITY) == (exponent == 2047 and fraction == 0)
    post: (__return__ is WordClass.SIGNALLING_NAN) == (exponent == 2047 and 0 < fraction < 2**51)
    post: (__return__ is WordClass.QUIET_NAN) == (exponent == 2047 and fraction >= 2**51)
    """
    return classify(BINARY64, (sign * 2**11 + exponent) * 2**52 + fraction)


def classified_without_signalling(sign: int, exponent: int, fraction: int) -> WordClass:
    """A twin for which every NaN is quiet.

    pre: 0 <= sign < 2 and 0 <= exponent < 2**11 and 0 <= fraction < 2**52
    post: (__return__ is WordClass.ZERO) == (exponent == 0 and fraction == 0)
    post: (__return__ is WordClass.SUBNORMAL) == (exponent == 0 and fraction > 0)
    post: (__return__ is WordClass.NORMAL) == (0 < exponent < 2047)
    post: (__return__ is WordClass.INFINITY) == (exponent == 2047 and fraction == 0)
    post: (__return__ is WordClass.SIGNALLING_NAN) == (exponent == 2047 and 0 < fraction < 2**51)
    post: (__return__ is WordClass.QUIET_NAN) == (exponent == 2047 and fraction >= 2**51)
    """
    found = classify(BINARY64, (sign * 2**11 + exponent) * 2**52 + fraction)
    return WordClass.QUIET_NAN if found is WordClass.SIGNALLING_NAN else found
