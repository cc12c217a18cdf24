"""Rounding binary32 to binary16 as z3 knows it, against a transcription of `bitproof_spec.rounding` to bit vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import z3

from proofs.law import Result
from proofs.solver import prove

# From the 24-bit significand (in 32 bits) and the number of bits to drop from it: the rounded significand.
Rounding: TypeAlias = Callable[[z3.BitVecRef, z3.BitVecRef], z3.BitVecRef]


def nearest_even(significand: z3.BitVecRef, dropped: z3.BitVecRef) -> z3.BitVecRef:
    """Units below, plus one where the rest is over half of a unit, or is half and the units are odd."""
    one = z3.BitVecVal(1, 32)
    units = z3.LShR(significand, dropped)
    rest, unit = significand - (units << dropped), one << dropped
    up = z3.Or(z3.UGT(2 * rest, unit), z3.And(2 * rest == unit, units & 1 == 1))
    return units + z3.If(up, one, z3.BitVecVal(0, 32))


def truncate(significand: z3.BitVecRef, dropped: z3.BitVecRef) -> z3.BitVecRef:
    """A twin that drops the rest."""
    return z3.LShR(significand, dropped)


def ties_up(significand: z3.BitVecRef, dropped: z3.BitVecRef) -> z3.BitVecRef:
    """A twin that rounds every half of a unit up."""
    return z3.LShR(significand + (z3.BitVecVal(1, 32) << (dropped - 1)), dropped)


def agrees_with_ieee(rounding: Rounding) -> Result:
    """For every binary32 word that is no NaN, the half of the transcription is the half of z3's fp.to_fp."""
    word = z3.BitVec("word", 32)
    value = z3.fpBVToFP(word, z3.Float32())
    owed = z3.fpToIEEEBV(z3.fpFPToFP(z3.RNE(), value, z3.Float16()))
    return prove({"binary32 to binary16": z3.Or(z3.fpIsNaN(value), owed == _half(word, rounding))}, seconds=120)


def _half(word: z3.BitVecRef, rounding: Rounding) -> z3.BitVecRef:
    """`_nearest` for these two formats: its binade, its shift, its order of cases."""
    exponent, fraction = z3.LShR(word, 23) & 0xFF, word & 0x7FFFFF
    significand = z3.If(exponent == 0, fraction, fraction | 0x800000)
    leading = z3.If(exponent == 0, z3.BitVecVal(1, 32), exponent) - 127
    binade = z3.If(leading > -14, leading, z3.BitVecVal(-14, 32))
    code = rounding(significand, 13 + binade - leading) + ((binade + 14) << 10)
    largest, infinity, zero = 0x7BFF, z3.BitVecVal(0x7C00, 32), z3.BitVecVal(0, 32)
    code = z3.If(leading > 15, infinity, z3.If(leading < -25, zero, z3.If(code <= largest, code, infinity)))
    return z3.Extract(15, 0, z3.LShR(word, 31) << 15 | code)
