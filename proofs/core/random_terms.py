"""The generators run on words of any value: what they give is compared and undone as terms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias, cast

import z3

from bitproof_spec import random as spec
from bitproof_spec.random import COUNTERS, MASK, Key, Words
from proofs.core.symbolic_words import Word, lane, low_half, same_terms
from proofs.law import Result
from proofs.solver import prove

Round: TypeAlias = Callable[[Words, Key], Words]
Mask: TypeAlias = Callable[[Key, int, int, int], "tuple[bool, ...]"]


def round_is_bijective(round: Round) -> Result:
    """For every key a round can be undone: blocks of different counters differ, so a stream doesn't repeat early."""
    lanes, key = tuple(map(lane, "abcd")), (lane("k0"), lane("k1"))
    out = cast("tuple[Word, ...]", round(cast("Words", lanes), cast("Key", key)))
    halves, (a, b, c, d), (k0, k1) = [low_half(word) for word in out], map(low_half, lanes), map(low_half, key)
    first, third = (halves[3 - 2 * i] * pow(spec.PHILOX_MULTIPLIERS[i], -1, 1 << 64) for i in (0, 1))
    tops = [low_half(Word(z3.ZeroExt(192, word)) * spec.PHILOX_MULTIPLIERS[i] >> 64) for i, word in enumerate((a, c))]
    return prove(
        {
            "the first lane": first == a,
            "the third lane": third == c,
            "the second lane, given the third": halves[0] ^ tops[1] ^ k0 == b,
            "the fourth lane, given the first": halves[2] ^ tops[0] ^ k1 == d,
            "lanes of 64 bits": z3.And(*(z3.ULE(word.term, z3.BitVecVal(MASK, 256)) for word in out)),
        }
    )


def round_without_the_key(words: Words, key: Key) -> Words:
    """A twin that combines the first lane with the wrong word of the key."""
    return spec.philox_round(words, (key[1], key[1]))


def round_that_loses_a_lane(words: Words, key: Key) -> Words:
    """A twin in which the second lane never counts."""
    return spec.philox_round((words[0], 0, words[2], words[3]), key)


def decided_by_key_and_counter(mask: Mask) -> Result:
    """Two runs for any key and counter, with another mask drawn between them, give the same terms."""
    any_counter = z3.BitVec("counter", 256)
    key = cast("Key", (lane("k0"), lane("k1")))
    counter = cast("int", Word(any_counter))
    count, rate = 10, 0x3FB999999999999A
    first = [cast("z3.ExprRef", kept) for kept in mask(key, counter, count, rate)]
    mask((1, 2), 3, 4, rate)
    again = [cast("z3.ExprRef", kept) for kept in mask(key, counter, count, rate)]
    if len(first) != count or not same_terms(first, again):
        return Result("refuted", 1, "two masks of one key and counter differ")
    unlike = [
        f"element {i}" for i in range(4, count) if not same_terms(first[i : i + 1], shifted(first, any_counter, i))
    ]
    if unlike:
        return Result("refuted", 1, f"{unlike[0]} is not its lane of its own block")
    return Result("proved", count, "elements, equal terms, so for every key and counter")


def shifted(first: list[z3.ExprRef], counter: z3.ExprRef, index: int) -> list[z3.ExprRef]:
    """What element `index` must be: that of its lane in the first block, the counter moved to its own block."""
    moved = counter + z3.BitVecVal(index // 4, 256)
    return [z3.substitute(first[index % 4], (counter, moved))]


class Forgetful:
    """A twin with a counter of its own, which goes on from mask to mask."""

    def __init__(self) -> None:
        self.drawn = 0

    def __call__(self, key: Key, counter: int, count: int, rate: int) -> tuple[bool, ...]:
        """The mask of the next blocks."""
        self.drawn += 1
        return spec.mask(key, counter + self.drawn, count, rate)


def lane_zero_only(key: Key, counter: int, count: int, rate: int) -> tuple[bool, ...]:
    """A twin that takes a block an element."""
    return tuple(spec.mask(key, (counter + place) % COUNTERS, 1, rate)[0] for place in range(count))


MASK_TWINS: Mapping[str, Mask] = {"a counter of its own": Forgetful(), "a block an element": lane_zero_only}
