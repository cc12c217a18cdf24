"""The law of encodings: there and back is the identity, for every word and every scalar.

Up to 16 bits every word is tried, at 32 every word through the arrays and tensors of impl; at 64 bits and at any width
CrossHair confirms that bytes are the digits of the scalar, and the law of words that digits and sum are inverse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import NamedTuple, TypeVar

import numpy as np

from bitproof_spec.document import Block
from bitproof_spec.encoding import BFLOAT16, BINARY16, Binary, Configured, Encoding, Storage, configured
from bitproof_spec.formats import BINARY16 as FORMAT_16
from bitproof_spec.formats import BinaryFormat
from bitproof_spec.integers import BOOL, INT8, INT16, UINT8
from bitproof_spec.laws import LawBroken, law_encoding
from proofs.core import encoding_contracts as contract
from proofs.core import paths
from proofs.core.paths import Path, unchanged
from proofs.crosshair_runner import contracts
from proofs.law import Law, Part, Result, part

S = TypeVar("S")

ROW = 1 << 18
ROWS = (1 << 32) // ROW


class Owed(NamedTuple):
    """An encoding, its law, and how many words of its size it has to take."""

    storage: Storage
    law: Callable[[bytes], None]
    words: int


def owed(encoding: Encoding[S], words: int) -> Owed:
    """The law of an encoding, its scalar forgotten."""
    return Owed(encoding, partial(law_encoding, encoding), words)


def every_word(encodings: Sequence[Owed]) -> Result:
    """Every string of a word's size: taken and the same again, or refused; and the owed number is taken."""
    for storage, law, words in encodings:
        taken = 0
        for number in range(1 << 8 * storage.width):
            word = number.to_bytes(storage.width, "little")
            taken += storage.accepts(word)
            try:
                law(word)
            except LawBroken as broken:
                return Result("refuted", 1, str(broken))
        if taken != words:
            return Result("refuted", 1, f"{storage.tag} takes {taken} words, owed {words}")
    return Result("exhausted", sum(encoding.words for encoding in encodings), "words, all of them")


def narrow() -> Iterator[Owed]:
    """Formats of 4 to 12 bits."""
    for exponent_bits, fraction_bits in product((2, 3, 4, 5), (1, 2, 5, 6)):
        format = BinaryFormat(exponent_bits, fraction_bits, 1)
        yield owed(configured(format, Configured), 1 << format.bits)


def quieted(word: int) -> Configured:
    """A twin's scalar: binary16 with its NaNs quiet."""
    return Configured(word | 0x200 if word % 0x8000 > 0x7C00 else word)


@dataclass(frozen=True)
class PadBlind(Binary[Configured]):
    """A twin that takes a word whatever its pad bits."""

    def accepts(self, word: bytes, /) -> bool:
        """Every word of the right size."""
        return len(word) == self.width

    def decode(self, word: bytes, /) -> Configured:
        """The word without its pad bits."""
        return self.make(int.from_bytes(word, "little") % (1 << self.format.bits))


def all_words_16() -> Iterator[Block]:
    """All words of binary16 as one row."""
    yield Block("binary16", (1 << 16,), np.arange(1 << 16, dtype="<u2").tobytes())


def all_words_32() -> Iterator[Block]:
    """All words of binary32 in rows that a cache holds; first those with the NaNs, where most paths fail."""
    nans = [row for row in range(ROWS) if row * ROW % (1 << 31) >= 0x7F800000]
    for row in (*nans, *sorted(set(range(ROWS)).difference(nans))):
        yield Block("binary32", (ROW,), np.arange(row * ROW, (row + 1) * ROW, dtype="<u4").tobytes())


def through(tool: str, bits: int, blocks: Callable[[], Iterator[Block]], name: str, path: Path) -> Part:
    """A part: every word of a width through one path of impl; at 32 bits it is slow."""
    return part(
        f"every word of binary{bits}, {name}",
        tool,
        "exhausted",
        lambda way: unchanged(way, blocks()),
        path,
        {"through float64": paths.widened_and_back, "zero added": paths.zero_added},
        slow=bits > 16,
    )


SIXTEEN = (owed(BINARY16, 1 << 16), owed(BFLOAT16, 1 << 16))
INTEGERS = (owed(INT8, 1 << 8), owed(INT16, 1 << 16), owed(UINT8, 1 << 8), owed(BOOL, 2))

LAW = Law(
    id="encoding",
    statement="decode(encode(x)) = x and encode(decode(w)) = w for every scalar and every word, others are refused",
    committed="exhausted",
    parts=(
        part(
            "every word of binary16 and bfloat16, every byte of integers and booleans",
            "the spec",
            "exhausted",
            every_word,
            (*SIXTEEN, *INTEGERS),
            {"quiets NaNs": (owed(Binary("twin", FORMAT_16, quieted), 1 << 16),)},
        ),
        part(
            "every word of configured formats of 4 to 12 bits, pad bits refused",
            "the spec",
            "exhausted",
            every_word,
            tuple(narrow()),
            {
                "pad bits ignored": (owed(PadBlind("twin", BinaryFormat(3, 1, 3), Configured), 1 << 5),),
            },
        ),
        contracts(
            "64 and 300 bits: bytes are the digits of the scalar",
            (contract.encoded_64, contract.encoded_300),
            {"halves swapped": contract.encoded_64_in_halves},
        ),
        contracts(
            "64 and 300 bits: the scalar is the sum of the digits",
            (contract.decoded_64, contract.decoded_300),
            {"quiets NaNs": contract.decoded_64_quieting},
        ),
        contracts(
            "19 bits in 3 bytes: the same word again, others refused",
            (contract.there_and_back_19, contract.accepted_19),
            {"size alone": contract.accepted_19_by_size},
        ),
        contracts(
            "signed integers of 32 and 64 bits",
            (
                contract.integer_there_and_back,
                contract.integer_encoded,
                contract.integer_decoded,
                contract.integer_refused,
            ),
            {
                "the sign forgotten": contract.integer_there_and_back_unsigned,
                "unsigned taken": contract.integer_refused_unless_it_wraps,
            },
        ),
        through("numpy", 16, all_words_16, "copied", paths.numpy_copy),
        through("numpy", 16, all_words_16, "in place", paths.numpy_in_place),
        through("numpy", 16, all_words_16, "reordered", paths.numpy_reordered),
        through("torch", 16, all_words_16, "copied", paths.torch_copy),
        through("torch", 16, all_words_16, "in place", paths.torch_in_place),
        through("torch", 16, all_words_16, "over a live strided tensor", paths.torch_put_strided),
        through("numpy", 32, all_words_32, "copied", paths.numpy_copy),
        through("torch", 32, all_words_32, "copied", paths.torch_copy),
    ),
)
