"""The law of words: their bytes are little-endian digits, there and back, and nothing else is taken.

CrossHair confirms on the code that bytes are base-256 digits, low first, and a word their sum; z3 proves by induction
on the number of bytes that digits and sum are inverse, so at every width.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import z3

from proofs.core import words_contracts as contract
from proofs.crosshair_runner import contracts
from proofs.law import Law, Result, part
from proofs.solver import prove


class Digits(NamedTuple):
    """One step of writing a word and of reading it: its lowest digit, the word above, and the two put together."""

    lowest: Callable[[z3.ArithRef], z3.ArithRef]
    above: Callable[[z3.ArithRef], z3.ArithRef]
    put: Callable[[z3.ArithRef, z3.ArithRef], z3.ArithRef]


BASE_256 = Digits(lambda word: word % 256, lambda word: word / 256, lambda low, above: low + 256 * above)


def inverse_at_every_width(step: Digits) -> Result:
    """The induction's base (no bytes, the word 0) and step from n bytes, of which there are `count` words, to n + 1.

    The hypothesis: n bytes write and read each word below `count`. So one more byte must leave a word below `count`,
    be a byte itself, and go together with the word above to the word it came from; and the other way round.
    """
    word, low, above, count = z3.Ints("word low above count")
    is_word = z3.And(count > 0, word >= 0, word < 256 * count)
    is_pair = z3.And(count > 0, low >= 0, low < 256, above >= 0, above < count)
    written = z3.And(step.lowest(word) >= 0, step.lowest(word) < 256, step.above(word) >= 0, step.above(word) < count)
    put = step.put(low, above)
    return prove(
        {
            "the base: of no bytes 0 is the only word": z3.Implies(z3.And(word >= 0, word < 1), word == 0),
            "a digit is a byte and the word above has one byte less": z3.Implies(is_word, written),
            "written and read": z3.Implies(is_word, step.put(step.lowest(word), step.above(word)) == word),
            "what is read has one byte more": z3.Implies(is_pair, z3.And(put >= 0, put < 256 * count)),
            "read and written": z3.Implies(is_pair, z3.And(step.lowest(put) == low, step.above(put) == above)),
        }
    )


LAW = Law(
    id="words",
    statement="to_bytes and from_bytes are inverse, little-endian, and refuse what doesn't fit; so are split and join",
    committed="confirmed",
    parts=(
        contracts(
            "bytes are the digits of the word, 12 to 300 bits",
            (contract.digits_of_12, contract.digits_of_64, contract.digits_of_300),
            {"big-endian": contract.digits_of_12_big_endian},
        ),
        contracts(
            "a word is the sum of its digits",
            (contract.sum_of_32, contract.sum_of_64),
            {"the last byte lost": contract.sum_of_32_without_the_last},
        ),
        part(
            "digits and sum are inverse at every width",
            "z3, induction",
            "proved",
            inverse_at_every_width,
            BASE_256,
            {
                "base 255 on reading": BASE_256._replace(put=lambda low, above: low + 255 * above),
                "seven bits on writing": BASE_256._replace(lowest=lambda word: word % 128),
            },
        ),
        contracts(
            "inverse both ways on the code",
            (contract.there_and_back_32, contract.back_and_there_32),
            {"quiets NaNs": contract.there_and_back_32_quieting},
        ),
        contracts(
            "what doesn't fit is refused, pad bits and sizes too",
            (contract.refuses_word, contract.refuses_pad_bits, contract.refuses_size, contract.refuses_fields),
            {
                "negative words wrap": contract.refuses_word_but_for_the_sign,
                "pad bits are masked": contract.refuses_pad_bits_when_all_set,
            },
        ),
        contracts(
            "fields there and back",
            (contract.fields_of_32, contract.fields_of_300, contract.word_of_fields),
            {"cut one bit off": contract.word_of_fields_shifted},
        ),
    ),
)
