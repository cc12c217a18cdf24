"""The published answers of the generators, and generators that miss them by one fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, cast

from bitproof_spec import random as spec
from bitproof_spec.random import GOLDEN, MASK, SPLITMIX, Key, Words
from proofs.law import Result
from proofs.sampling import exhaust

ONES = (MASK, MASK, MASK, MASK)
PI = (0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89)


class Generators(NamedTuple):
    """What the published answers speak of."""

    mix: Callable[[int], int]
    philox_block: Callable[[Key, int], Words]


class Answer(NamedTuple):
    """A published answer: words, by SplitMix64 from a state that grows by one, or by Philox from key and counter."""

    key: Key | None
    counter: int
    words: tuple[int, ...]


def joined(lanes: Words) -> int:
    """A counter by its lanes, least significant first."""
    return sum(word << 64 * place for place, word in enumerate(lanes))


# SplitMix64: Steele, Lea and Flood's generator, seed 0, whose state grows by GOLDEN a draw. Philox: Random123.
ANSWERS = (
    Answer(None, 0, (0xE220A8397B1DCDAF,)),
    Answer(None, GOLDEN, (0x6E789E6AA1B965F4,)),
    Answer(None, 2 * GOLDEN & MASK, (0x06C45D188009454F,)),
    Answer((0, 0), 0, (0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B)),
    Answer(
        (MASK, MASK), joined(ONES), (0x87B092C3013FE90B, 0x438C3C67BE8D0224, 0x9CC7D7C69CD777B6, 0xA09CAEBF594F0BA0)
    ),
    Answer(
        (0x452821E638D01377, 0xBE5466CF34E90C6C),
        joined(PI),
        (0xA528F45403E61D95, 0x38C72DBD566E9788, 0xA5A1610E72FD18B5, 0x57BD43B5E52B7FE6),
    ),
)


def gives_published_answers(generators: Generators) -> Result:
    """Every published answer."""

    def holds(answer: Answer) -> bool:
        if answer.key is None:
            return (generators.mix(answer.counter),) == answer.words
        return generators.philox_block(answer.key, answer.counter) == answer.words

    return exhaust(holds, ANSWERS)


def mix_without_a_mask(word: int) -> int:
    """A twin that lets the state grow beyond 64 bits before it is shifted."""
    word = word + GOLDEN
    word = ((word ^ word >> 30) * SPLITMIX[0]) & MASK
    word = ((word ^ word >> 27) * SPLITMIX[1]) & MASK
    return word ^ word >> 31


def mix_by_an_even_number(word: int) -> int:
    """A twin whose first multiplier is even."""
    word = (word + GOLDEN) & MASK
    word = ((word ^ word >> 30) * (SPLITMIX[0] + 1)) & MASK
    return word ^ word >> 31


def nine_rounds(key: Key, counter: int) -> Words:
    """A twin of Philox with a round too few."""
    words = cast("Words", tuple(counter >> shift & MASK for shift in (0, 64, 128, 192)))
    for step in range(9):
        weyl = (key[0] + step * spec.PHILOX_WEYL[0]) & MASK, (key[1] + step * spec.PHILOX_WEYL[1]) & MASK
        words = spec.philox_round(words, weyl)
    return words


def most_significant_lane_first(key: Key, counter: int) -> Words:
    """A twin that takes the counter's lanes from the top."""
    return spec.philox_block(key, sum((counter >> 64 * place & MASK) << 64 * (3 - place) for place in range(4)))
