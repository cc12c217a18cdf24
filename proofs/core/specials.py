"""The law of specials: words that values can't carry come out of every path as they went in.

Classes of words are exhausted as fields: both signs, every exponent, and the fractions at which something could be lost
(none, all bits, each single bit, all but one). Conversions between formats are checked on every word of 16 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import product
from typing import NamedTuple, TypeAlias

import numpy as np

from bitproof_spec.conversion import round_word, widen
from bitproof_spec.document import Block
from bitproof_spec.formats import BFLOAT16, BINARY16, BINARY32, BINARY64, NAMED, BinaryFormat
from bitproof_spec.meaning import NaN, meaning
from bitproof_spec.rounding import exact_word
from proofs.core import paths
from proofs.core import specials_contracts as contract
from proofs.core.paths import Path, unchanged
from proofs.crosshair_runner import contracts
from proofs.law import Law, Part, Result, part
from proofs.sampling import exhaust

Conversion: TypeAlias = Callable[[BinaryFormat, BinaryFormat, int], int]
WordOf: TypeAlias = Callable[[BinaryFormat, int], int]

PATHS: Mapping[str, Path] = {
    "numpy, copied": paths.numpy_copy,
    "numpy, in place": paths.numpy_in_place,
    "numpy, reordered": paths.numpy_reordered,
    "torch, copied": paths.torch_copy,
    "torch, in place": paths.torch_in_place,
    "torch, over a live strided tensor": paths.torch_put_strided,
}


class Conversions(NamedTuple):
    """A conversion to a wider format, and one to a narrower that has to undo it."""

    wider: Conversion
    narrower: Conversion


def class_words(format: BinaryFormat) -> Iterator[int]:
    """Words of both signs and every exponent with telling fractions."""
    bits, ones = format.fraction_bits, (1 << format.fraction_bits) - 1
    fractions = {0, ones, *(1 << place for place in range(bits)), *(ones - (1 << place) for place in range(bits))}
    exponents = range(1 << format.exponent_bits)
    for sign, exponent, fraction in product((0, 1), exponents, sorted(fractions)):
        yield ((sign << format.exponent_bits) + exponent << bits) + fraction


def class_blocks() -> Iterator[Block]:
    """The classes of binary32 and binary64 as rows, and as rows of complex numbers with themselves, reversed."""
    for tag in ("binary32", "binary64"):
        dtype = f"<u{NAMED[tag].bits // 8}"
        words = np.array([*class_words(NAMED[tag])], np.uint64).astype(dtype)
        yield Block(tag, (len(words),), words.tobytes())
        yield Block(f"complex({tag})", (len(words),), np.stack([words, words[::-1]], axis=1).tobytes())


def through(name: str, path: Path) -> Part:
    """A part: the classes of words through one path of impl."""
    return part(
        f"classes of binary32 and binary64 words, real and complex: {name}",
        name.split(",")[0],
        "exhausted",
        lambda way: unchanged(way, class_blocks()),
        path,
        {"through another format": paths.widened_and_back, "zero added": paths.zero_added},
    )


def same_word(word_of: WordOf) -> Result:
    """Every word of every named format of at most 16 bits is the one word of what it means."""
    narrow = [format for format in NAMED.values() if format.bits <= 16]
    words = ((format, word) for format in narrow for word in range(1 << format.bits))
    return exhaust(lambda given: word_of(*given) == given[1], words)


def word_of_meaning(format: BinaryFormat, word: int) -> int:
    """There and back by meaning."""
    return exact_word(format, meaning(format, word))


def word_of_quiet(format: BinaryFormat, word: int) -> int:
    """A twin that forgets that a NaN signals, and its payload with it."""
    value = meaning(format, word)
    return exact_word(format, NaN(value.sign, False, 0) if isinstance(value, NaN) else value)


def word_of_number(format: BinaryFormat, word: int) -> int:
    """A twin that takes every zero for +0."""
    return word_of_meaning(format, word) % format.sign_word if word == format.sign_word else word


def widening_keeps(conversions: Conversions) -> Result:
    """Every 16-bit word keeps its meaning in a wider format, payloads grown, and rounds back to itself, NaNs quiet."""
    pairs = ((BINARY16, BINARY32), (BFLOAT16, BINARY64))
    words = ((*pair, word) for pair in pairs for word in reversed(range(1 << 16)))
    return exhaust(partial(_kept, conversions), words)


def _kept(conversions: Conversions, given: tuple[BinaryFormat, BinaryFormat, int]) -> bool:
    source, target, word = given
    wide = conversions.wider(source, target, word)
    before, after = meaning(source, word), meaning(target, wide)
    back = conversions.narrower(target, source, wide)
    if not isinstance(before, NaN):
        return after == before and back == word
    grown = before.payload << target.fraction_bits - source.fraction_bits
    quiet_bit = 1 << source.fraction_bits - 1
    return after == NaN(before.sign, before.signalling, grown) and back == word | quiet_bit


LAW = Law(
    id="specials",
    statement="-0, subnormals, infinities, quiet and signalling NaN payloads are fixed points of every path in and out",
    committed="exhausted",
    parts=(
        part(
            "a word is the one word of what it means, every word of the named formats up to 16 bits",
            "the spec",
            "exhausted",
            same_word,
            word_of_meaning,
            {"NaNs are all alike": word_of_quiet, "zeros are all alike": word_of_number},
            slow=True,
        ),
        part(
            "binary16 and bfloat16 widened, every word, and back",
            "the spec",
            "exhausted",
            widening_keeps,
            Conversions(widen, round_word),
            {
                "quiets": Conversions(round_word, round_word),
                "drops the sign of zero": Conversions(
                    lambda *given: widen(*given) % given[1].sign_word if given[2] == 0x8000 else widen(*given),
                    round_word,
                ),
            },
            slow=True,
        ),
        contracts(
            "every binary32 NaN widened: payload shifted by 29, signalling kept",
            (contract.widened_nan,),
            {"quiets": contract.widened_nan_quiet},
        ),
        contracts(
            "every binary32 NaN to binary16: quiet, never an infinity",
            (contract.narrowed_nan,),
            {"cut": contract.narrowed_nan_cut},
        ),
        contracts(
            "the class of every binary64 word",
            (contract.classified,),
            {"no NaN signals": contract.classified_without_signalling},
        ),
        *(through(name, path) for name, path in PATHS.items()),
    ),
)
