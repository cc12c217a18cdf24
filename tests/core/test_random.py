"""Random words against their published answers, numpy's generator, and exact rationals."""

from __future__ import annotations

import struct
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from bitproof.klyn import streams
from bitproof_spec.random import (
    COUNTERS,
    MASK,
    blocks,
    keeps,
    mask,
    mix,
    permutation,
    philox_block,
    philox_words,
    split_draw,
    split_key,
    threshold,
)

exactly = settings(derandomize=True, deadline=None, database=None, max_examples=150)
lanes = st.integers(0, MASK)
keys = st.tuples(lanes, lanes)
counters = st.integers(0, COUNTERS - 1) | st.sampled_from([0, MASK, MASK + 1, (1 << 128) - 1, COUNTERS - 1])
edges = [0, 1, 0x000FFFFFFFFFFFFF, 0x0010000000000000, 0x3CA0000000000000, 0x3FB999999999999A, 0x3FE0000000000000]
rates = st.sampled_from([*edges, 0x3FEFFFFFFFFFFFFE, 0x3FEFFFFFFFFFFFFF]) | st.integers(0, 0x3FEFFFFFFFFFFFFF)


@pytest.mark.parametrize(
    ("seed", "counter", "key", "draws"),
    [
        (0, 0, 0xE220A8397B1DCDAF, (1293516399, 2939677055, 1326138252, 994118778)),
        (7, 3, 0x088712BE8A582FCA, (1828415695, 2439229428, 1120922248, 543580652)),
    ],
)
def test_splitmix64_gives_its_published_draws(seed: int, counter: int, key: int, draws: tuple[int, ...]) -> None:
    assert split_key(seed, counter) == key
    assert tuple(split_draw(key, index) for index in range(4)) == draws


def test_splitmix64_wraps_at_64_bits() -> None:
    assert split_key(MASK, 1) == mix(0) == 0xE220A8397B1DCDAF
    assert split_draw(MASK, 1) == mix(0) & 0xFFFFFFFF


@pytest.mark.parametrize(
    ("key", "counter", "words"),
    [
        ((0, 0), 0, "16554d9eca36314c db20fe9d672d0fdc d7e772cee186176b 7e68b68aec7ba23b"),
        ((MASK, MASK), COUNTERS - 1, "87b092c3013fe90b 438c3c67be8d0224 9cc7d7c69cd777b6 a09caebf594f0ba0"),
        (
            (0x452821E638D01377, 0xBE5466CF34E90C6C),
            0x082EFA98EC4E6C89_A4093822299F31D0_13198A2E03707344_243F6A8885A308D3,
            "a528f45403e61d95 38c72dbd566e9788 a5a1610e72fd18b5 57bd43b5e52b7fe6",
        ),
    ],
)
def test_philox4x64_10_gives_its_published_blocks(key: tuple[int, int], counter: int, words: str) -> None:
    assert " ".join(f"{word:016x}" for word in philox_block(key, counter)) == words


@exactly
@given(keys, counters, st.integers(0, 13))
def test_philox_words_are_numpys_when_its_counter_starts_one_before(key: tuple[int, int], counter: int, n: int) -> None:
    before = (counter - 1) % COUNTERS
    state = np.array([before >> shift & MASK for shift in (0, 64, 128, 192)], np.uint64)
    generator = np.random.Philox(key=np.array(key, np.uint64), counter=state)
    assert philox_words(key, counter, n) == tuple(generator.random_raw(n).tolist())


def fraction(word: int) -> Fraction:
    """The exact value of a finite binary64 word."""
    return Fraction(struct.unpack("<d", struct.pack("<Q", word))[0])


@exactly
@given(rates, st.integers(0, MASK), st.integers(-3, 3))
def test_a_word_is_kept_exactly_when_its_53_bit_fraction_is_not_below_the_rate(rate: int, word: int, near: int) -> None:
    close = min(max((threshold(rate) + near) << 11, 0), MASK)
    for candidate in (word, close, close | 0x7FF):
        assert keeps(candidate, rate) == (Fraction(candidate >> 11, 1 << 53) >= fraction(rate))


@pytest.mark.parametrize("rate", [1 << 63, 0x3FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000, -1, 1 << 64])
def test_a_word_that_is_no_rate_is_a_value_error(rate: int) -> None:
    with pytest.raises(ValueError, match="no binary64 word of a rate"):
        threshold(rate)


@exactly
@given(keys, counters, st.integers(0, 20), rates)
def test_element_i_of_a_mask_goes_by_word_i_of_whole_blocks(key: tuple[int, int], at: int, n: int, rate: int) -> None:
    words = [word for block in range(blocks(n)) for word in philox_block(key, (at + block) % COUNTERS)]
    assert len(words) == 4 * blocks(n)
    assert mask(key, at, n, rate) == tuple(keeps(word, rate) for word in words[:n])


@pytest.mark.parametrize(("n", "taken"), [(0, 0), (1, 1), (4, 1), (5, 2), (8, 2), (9, 3)])
def test_a_mask_takes_whole_blocks(n: int, taken: int) -> None:
    assert blocks(n) == taken


def test_a_mask_at_rate_0_keeps_all_and_half_of_them_at_one_half() -> None:
    assert all(mask((3, 1), 5, 1000, 0))
    kept = sum(mask((3, 1), 5, 1000, 0x3FE0000000000000))
    assert 400 < kept < 600


@exactly
@given(keys, counters, st.integers(0, 50))
def test_a_permutation_holds_each_index_once_and_is_a_function_of_key_and_counter(
    key: tuple[int, int], at: int, n: int
) -> None:
    order = permutation(key, at, n)
    assert sorted(order) == list(range(n))
    assert order == permutation(key, at, n)


def test_a_permutation_is_fisher_and_yatess_on_numpys_words() -> None:
    generator = np.random.Philox(key=np.array([7, 1 << 32], np.uint64), counter=np.array([MASK, MASK, 4, 0], np.uint64))
    order = list(range(10))
    for place, word in zip(range(9, 0, -1), generator.random_raw(9).tolist(), strict=True):
        other = word % (place + 1)
        order[place], order[other] = order[other], order[place]
    assert permutation((7, 1 << 32), 5 << 128, 10) == tuple(order)


@exactly
@given(keys, st.integers(0, 5), st.integers(0, 40))
def test_klyns_shuffling_is_the_specifications_permutation(key: tuple[int, int], epoch: int, n: int) -> None:
    assert tuple(streams.permutation(key[0], epoch, n).tolist()) == permutation((key[0], 1 << 32), epoch << 128, n)


@exactly
@given(keys, counters, st.integers(0, 30), rates)
def test_klyns_masks_are_the_specifications(key: tuple[int, int], at: int, n: int, rate: int) -> None:
    stream = streams.Stream(key, at)
    kept = stream.keep(struct.unpack("<d", struct.pack("<Q", rate))[0], torch.empty(n))
    assert tuple(kept.tolist()) == mask(key, at, n, rate)
    assert stream.counter == (at + blocks(n)) % COUNTERS


def test_every_order_of_four_comes_up_about_equally_often() -> None:
    orders = Counter(permutation((9, 0), block, 4) for block in range(2400))
    assert len(orders) == 24
    assert all(60 < times < 140 for times in orders.values())


def test_streams_of_different_stages_and_counters_differ() -> None:
    blocks_seen = {philox_block((seed, stage), counter) for seed, stage, counter in product(range(5), repeat=3)}
    assert len(blocks_seen) == 125
