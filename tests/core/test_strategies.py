"""What the exported strategies draw: valid by default, and the values at which things go wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from bitproof.properties import for_all
from bitproof.strategies import (
    blocks,
    flips,
    mutations,
    shapes,
    special_words,
    storage_words,
    words,
    words16,
    words32,
    words64,
)
from bitproof.suite import CI
from bitproof_spec.composite import COMPLEX64
from bitproof_spec.encoding import BINARY16, BINARY32, BINARY64, Configured, Storage, configured
from bitproof_spec.formats import NAMED, BinaryFormat
from bitproof_spec.integers import BOOL, INT8
from bitproof_spec.meaning import WordClass, classify

FILE, OTHER = bytes(range(100, 180)), bytes(range(20, 100))
X = TypeVar("X")
STORAGES: Sequence[Storage] = (
    BINARY16,
    BINARY32,
    BINARY64,
    COMPLEX64,
    INT8,
    BOOL,
    configured(NAMED["tf32"], Configured),
)


def test_the_special_words_of_binary32_are_the_edges_of_every_class_with_both_signs() -> None:
    positive = [word for word in special_words(NAMED["binary32"]) if word < 1 << 31]
    assert [f"{word:08x}" for word in sorted(positive)] == [
        "00000000",
        "00000001",
        "007fffff",
        "00800000",
        "3f800000",
        "7f7fffff",
        "7f800000",
        "7f800001",
        "7fbfffff",
        "7fc00000",
        "7fc00001",
        "7fffffff",
    ]
    assert set(special_words(NAMED["binary32"])) == {sign | word for word in positive for sign in (0, 1 << 31)}


@pytest.mark.parametrize("format", NAMED.values(), ids=NAMED)
def test_the_special_words_of_a_format_reach_every_class_it_has(format: BinaryFormat) -> None:
    found = special_words(format)
    assert len(set(found)) == len(found)
    assert all(0 <= word < 1 << format.bits for word in found)
    owed = set(WordClass)
    if format.bits <= 16:
        owed = {classify(format, word) for word in range(1 << format.bits)}
    assert {classify(format, word) for word in found} == owed


def drawn(strategy: st.SearchStrategy[X], examples: int = 300) -> list[X]:
    """What a run of that many examples draws, the same each time."""
    found: list[X] = []
    for_all(settings(CI, max_examples=examples, phases=[Phase.generate]), strategy, found.append)
    return found


@pytest.mark.parametrize(("strategy", "bits"), [(words16(), 16), (words32(), 32), (words64(), 64)])
def test_special_words_of_both_signs_and_ordinary_ones_come_up(strategy: st.SearchStrategy[int], bits: int) -> None:
    special = set(special_words(NAMED[f"binary{bits}"]))
    found = set(drawn(strategy))
    assert len(found & special) >= 20
    assert len(found - special) >= 20
    assert all(0 <= word < 1 << bits for word in found)


@given(words(NAMED["e4m3fn"]))
@CI
def test_words_fit_their_format(word: int) -> None:
    assert 0 <= word < 256


@pytest.mark.parametrize("storage", STORAGES, ids=lambda storage: storage.tag)
@given(data=st.data())
@CI
def test_tensors_hold_accepted_words_of_their_shape(storage: Storage, data: st.DataObject) -> None:
    block = data.draw(blocks(storage))
    width = storage.width
    count = len(block.data) // width
    product = 1
    for extent in block.shape:
        product *= extent
    assert (block.tag, count * width, count) == (storage.tag, len(block.data), product)
    assert all(storage.accepts(bytes(block.data[i * width : (i + 1) * width])) for i in range(count))


@pytest.mark.parametrize("storage", STORAGES, ids=lambda storage: storage.tag)
@given(data=st.data())
@CI
def test_storage_words_are_accepted(storage: Storage, data: st.DataObject) -> None:
    assert storage.accepts(data.draw(storage_words(storage)))


def test_signalling_nans_negative_zero_and_both_booleans_come_up_in_tensors() -> None:
    found = b"".join(bytes(block.data) for block in drawn(blocks(BINARY32, (3,))))
    elements = {found[at : at + 4].hex() for at in range(0, len(found), 4)}
    assert elements >= {"0100807f", "ffffbfff", "00000080", "0100c07f"}
    assert {bytes(block.data) for block in drawn(blocks(BOOL, (1,)))} == {b"\x00", b"\x01"}


def test_rank_zero_and_empty_extents_come_up_among_shapes() -> None:
    found = set(drawn(shapes()))
    assert found >= {(), (0,), (1,)}
    assert any(len(shape) == 3 and 0 in shape for shape in found)
    assert all(len(shape) <= 3 and max(shape, default=0) <= 4 for shape in found)


def test_shapes_of_tensors_can_come_from_a_strategy() -> None:
    found = drawn(blocks(BINARY16, st.sampled_from([(0, 3), (2,)])))
    assert {block.shape for block in found} == {(0, 3), (2,)}


@dataclass(frozen=True)
class Nothing:
    """A storage that accepts no word."""

    tag: str = "nothing"
    width: int = 2

    def accepts(self, word: bytes, /) -> bool:
        return False


def test_a_storage_that_accepts_none_of_its_special_words_has_no_tensors() -> None:
    with pytest.raises(ValueError, match="nothing accepts none"):
        blocks(Nothing(), (1,))


@given(st.binary(max_size=80).flatmap(lambda file: st.tuples(st.just(file), mutations(file, others=(OTHER,)))))
@CI
def test_a_damaged_file_is_another_file(pair: tuple[bytes, bytes]) -> None:
    file, damaged = pair
    assert file != damaged


DAMAGE: Mapping[str, Callable[[bytes], bool]] = {
    "cut": lambda file: FILE.startswith(file),
    "extended": lambda file: file.startswith(FILE),
    "one bit": lambda file: len(file) == len(FILE) and distance(file) == 1,
    "a count of all ones": lambda file: len(file) == len(FILE) and b"\xff" * 8 in file,
    "zeros": lambda file: len(file) == len(FILE) and bytes(8) in file,
    "removed": lambda file: len(file) < len(FILE) and file.endswith(FILE[-8:]),
    "repeated": lambda file: any(FILE[:at] + FILE[at - 4 :] == file for at in range(4, len(FILE))),
    "spliced": lambda file: any(FILE[:at] + OTHER[at:] == file for at in range(1, len(FILE))),
}


def distance(file: bytes) -> int:
    """The number of bits that differ from `FILE`."""
    return sum((a ^ b).bit_count() for a, b in zip(file, FILE, strict=True))


@pytest.fixture(scope="module")
def damaged() -> list[bytes]:
    """Many damaged files."""
    return drawn(mutations(FILE, others=(OTHER,)), 600)


@pytest.mark.parametrize("kind", DAMAGE)
def test_every_kind_of_damage_comes_up(kind: str, damaged: list[bytes]) -> None:
    assert any(map(DAMAGE[kind], damaged))


def test_flips_change_one_bit_in_each_byte_of_the_header_and_in_places_over_the_rest() -> None:
    file = bytes(1000)
    flipped = list(flips(file, near=64, spread=50))
    places = [next(at for at, byte in enumerate(one) if byte) for one in flipped]
    assert places[:64] == list(range(64))
    assert places[64:] == list(range(64, 1000, 18))
    assert all(sum(byte.bit_count() for byte in one) == 1 for one in flipped)
    assert [len(list(flips(bytes(size)))) for size in (0, 1, 64, 65, 200)] == [0, 1, 64, 65, 132]
