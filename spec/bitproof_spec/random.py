"""Counter-based random words: every draw is a function of a key and a counter, so a stream resumes from two numbers.

SplitMix64 serves TorchLean, Philox4x64-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3") Klyn. Words
are unsigned 64-bit integers throughout.
"""

from __future__ import annotations

from typing import TypeAlias

Key: TypeAlias = "tuple[int, int]"
Words: TypeAlias = "tuple[int, int, int, int]"

MASK = (1 << 64) - 1
COUNTERS = 1 << 256
GOLDEN = 0x9E3779B97F4A7C15  # 2^64 divided by the golden ratio, odd
SPLITMIX = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
PHILOX_MULTIPLIERS = (0xD2E7470EE14C6C93, 0xCA5A826395121157)
PHILOX_WEYL = (GOLDEN, 0xBB67AE8584CAA73B)
PHILOX_ROUNDS = 10
BINARY64_ONE = 0x3FF0000000000000


def mix(word: int) -> int:
    """SplitMix64's output for a state; a bijection of 64-bit words."""
    word = (word + GOLDEN) & MASK
    word = ((word ^ word >> 30) * SPLITMIX[0]) & MASK
    word = ((word ^ word >> 27) * SPLITMIX[1]) & MASK
    return word ^ word >> 31


def split_key(seed: int, counter: int) -> int:
    """The key of the random operation that a seed and a counter name."""
    return mix((seed + counter) & MASK)


def split_draw(key: int, index: int) -> int:
    """Draw `index` (row-major) of an operation: 32 bits."""
    return mix((key + index) & MASK) & 0xFFFFFFFF


def philox_block(key: Key, counter: int) -> Words:
    """The four words of one block; `counter` is a 256-bit number whose least significant word is the first lane."""
    words = (counter & MASK, counter >> 64 & MASK, counter >> 128 & MASK, counter >> 192 & MASK)
    for _ in range(PHILOX_ROUNDS):
        words = philox_round(words, key)
        key = (key[0] + PHILOX_WEYL[0]) & MASK, (key[1] + PHILOX_WEYL[1]) & MASK
    return words


def philox_round(words: Words, key: Key) -> Words:
    """One round: for each key a bijection of the four lanes."""
    low, high = PHILOX_MULTIPLIERS[0] * words[0], PHILOX_MULTIPLIERS[1] * words[2]
    return high >> 64 ^ words[1] ^ key[0], high & MASK, low >> 64 ^ words[3] ^ key[1], low & MASK


def philox_words(key: Key, counter: int, count: int) -> tuple[int, ...]:
    """The first `count` words of the blocks from `counter` on; counters wrap at 2^256."""
    words = [word for block in range(blocks(count)) for word in philox_block(key, (counter + block) % COUNTERS)]
    return tuple(words[:count])


def blocks(count: int) -> int:
    """Whole Philox blocks that `count` words take; a mask of that many elements advances its counter by so many."""
    return ceiling(count, 4)


def threshold(rate: int) -> int:
    """The least 53-bit integer t with t * 2^-53 >= rate, for the binary64 word of a rate in [0, 1), exactly.

    ValueError for any other word, -0 included.
    """
    if not 0 <= rate < BINARY64_ONE:
        raise ValueError(f"{rate:#x} is no binary64 word of a rate in [0, 1)")
    exponent, fraction = divmod(rate, 1 << 52)
    significand = fraction + (1 << 52 if exponent else 0)
    return ceiling(significand, 1 << 1022 - max(exponent, 1))


def ceiling(numerator: int, denominator: int) -> int:
    """The least integer that is at least numerator / denominator, for a denominator of at least 1."""
    return -(-numerator // denominator)


def keeps(word: int, rate: int) -> bool:
    """Whether a word keeps its element at a dropout rate (a binary64 word): (word >> 11) * 2^-53 >= rate."""
    return word >> 11 >= threshold(rate)


def mask(key: Key, counter: int, count: int, rate: int) -> tuple[bool, ...]:
    """The dropout mask of `count` elements, row-major, true where kept: element i goes by word i."""
    least = threshold(rate)
    return tuple(word >> 11 >= least for word in philox_words(key, counter, count))


def bounded(word: int, bound: int) -> int:
    """A word reduced to 0 <= i < bound: its remainder.

    One word an index, never another draw, so the words used depend on sizes only. Each index is the remainder of
    ⌊2^64 / bound⌋ words or of one more: its share is off 1 / bound by less than 2^-64.
    """
    return word % bound


def permutation(key: Key, counter: int, count: int) -> tuple[int, ...]:
    """Fisher and Yates's shuffle of 0 … count-1: from the last place down, place i is swapped with bounded(word, i+1).

    Word 0 serves the last place; count - 1 words are used.
    """
    order = list(range(count))
    words = philox_words(key, counter, max(count - 1, 0))
    for place, word in zip(range(count - 1, 0, -1), words, strict=True):
        other = bounded(word, place + 1)
        order[place], order[other] = order[other], order[place]
    return tuple(order)
