"""What a difference says: which elements, which words, what they mean and how far apart they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitproof.check.knn import KNN_TOOLS
from bitproof.compare.documents import LeafChange, TensorChange, compare, subscript
from bitproof.compare.tensors import CHUNK, count_differing, differing
from bitproof.compare.words import decimal, distance, format_of, reading, ulps
from bitproof.strategies import words
from bitproof_spec.document import Block
from bitproof_spec.format import OfBytes, encode
from bitproof_spec.formats import BINARY16, BINARY32, BINARY64, E3M2, E4M3FN, E5M2, BinaryFormat
from bitproof_spec.klyn.container import KNN
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.vectors.models import EMPTY_LAST, HALF_ADAM, IMAGE, NONE, PLAIN, SGD
from bitproof_spec.meaning import Finite, meaning

MODELS = {"plain": PLAIN, "sgd": SGD, "half": HALF_ADAM, "image": IMAGE, "empty": EMPTY_LAST, "none": NONE}
FLOATS = {2: ("<u2", "<f2"), 4: ("<u4", "<f4"), 8: ("<u8", "<f8")}
quick = settings(derandomize=True, deadline=None, database=None, max_examples=60)


@quick
@given(width=st.sampled_from([1, 2, 3, 4, 8, 16, 20]), count=st.integers(1, 300), data=st.data())
def test_differing_words_are_counted_and_found_as_one_by_one(width: int, count: int, data: st.DataObject) -> None:
    left = data.draw(st.binary(min_size=width * count, max_size=width * count))
    places = data.draw(st.sets(st.integers(0, count - 1), max_size=9))
    right = bytearray(left)
    for place in places:
        right[place * width + data.draw(st.integers(0, width - 1))] ^= 1 << data.draw(st.integers(0, 7))
    assert list(differing(left, bytes(right), width)) == sorted(places)
    assert count_differing(memoryview(left), bytes(right), width) == len(places)


@pytest.mark.parametrize("width", [1, 3, 8])
def test_differences_are_found_on_both_sides_of_every_chunk(width: int) -> None:
    chunk = CHUNK - CHUNK % width
    places = [0, chunk // width - 1, chunk // width, 2 * chunk // width, 3 * chunk // width - 1]
    left = bytes(3 * chunk)
    right = bytearray(left)
    for place in places:
        right[place * width + width - 1] = 0x80
    assert list(differing(left, bytes(right), width)) == places
    assert count_differing(left, bytes(right), width) == len(places)


@quick
@given(data=st.data(), format=st.sampled_from([BINARY16, BINARY32, BINARY64]))
def test_a_number_is_written_with_the_fewest_digits_that_give_its_word_back(
    data: st.DataObject, format: BinaryFormat
) -> None:
    word = data.draw(words(format).filter(lambda word: isinstance(meaning(format, word), Finite)))
    unsigned, floating = FLOATS[format.bits // 8]
    text = decimal(format, word)
    assert np.array(float(text)).astype(floating).view(unsigned) == word
    shortest = np.format_float_scientific(np.array([word], unsigned).view(floating)[0], unique=True)
    digits = [each.partition("e")[0].strip("-").replace(".", "").strip("0") for each in (text, shortest)]
    assert digits[0] == digits[1] or len(digits[0]) <= len(digits[1])


@pytest.mark.parametrize(
    ("tag", "word", "said"),
    [
        ("binary32", "3dcccccd", "0.1"),
        ("binary32", "00000001", "1e-45, subnormal"),
        ("binary32", "80000000", "-0.0"),
        ("binary32", "7f7fffff", "3.4028235e38"),
        ("binary32", "ff800000", "-inf"),
        ("binary32", "7f800001", "signalling NaN, payload 0x1"),
        ("binary32", "ffc12345", "-quiet NaN, payload 0x12345"),
        ("binary64", "43e0000000000000", "9.223372036854776e18"),
        ("binary16", "7e55", "quiet NaN, payload 0x55"),
        ("bfloat16", "3f80", "1.0"),
        ("binary_8_7_127_ieee", "3f81", "1.01"),
        ("e4m3fn", "7f", "quiet NaN, payload 0x0"),
        ("complex(binary32)", "00000000bf800000", "-1.0, 0.0"),
        ("int8", "ff", "-1"),
        ("uint8", "ff", "255"),
        ("bool", "01", "true"),
        ("nothing known", "00", ""),
        ("binary256", "00" * 32, ""),
    ],
)
def test_words_are_read_for_people(tag: str, word: str, said: str) -> None:
    assert reading(tag, bytes.fromhex(word)[::-1]) == said


@pytest.mark.parametrize(
    ("tag", "left", "right", "said"),
    [
        ("binary32", "3f800000", "3f800001", "1 ulp"),
        ("binary32", "80000000", "00000000", "0 ulp"),
        ("binary32", "80000001", "00000002", "3 ulp"),
        ("binary32", "7f7fffff", "7f800000", "1 ulp"),
        ("binary32", "7f800001", "00000000", ""),
        ("binary64", "bff0000000000000", "3ff0000000000000", "9,214,364,837,600,034,816 ulp"),
        ("complex(binary16)", "00003c00", "7e003c01", "1 ulp"),
        ("int16", "8000", "7fff", "by 65535"),
        ("bool", "00", "01", ""),
    ],
)
def test_words_are_apart_by_units_in_the_last_place(tag: str, left: str, right: str, said: str) -> None:
    one, other = (bytes.fromhex(word)[::-1] for word in (left, right))
    assert distance(tag, one, other) == distance(tag, other, one) == said


@quick
@given(data=st.data(), format=st.sampled_from([E5M2, E4M3FN, E3M2]))
def test_ulps_count_the_numbers_between(data: st.DataObject, format: BinaryFormat) -> None:
    left, right = data.draw(words(format)), data.draw(words(format))
    steps = ulps(format, left, right)
    values = [meaning(format, word) for word in (left, right)]
    if steps is not None and all(isinstance(value, Finite) for value in values):
        low, high = sorted(value.fraction for value in values if isinstance(value, Finite))
        every = (meaning(format, word) for word in range(1 << format.bits))
        between = {each.fraction for each in every if isinstance(each, Finite) and low < each.fraction <= high}
        assert steps == len(between)


def test_formats_are_found_by_their_own_tags() -> None:
    for format in (BINARY16, E4M3FN, BinaryFormat(6, 9, 20)):
        assert format_of(format.tag) == format
    assert format_of("int8") is None


def test_a_document_equals_itself_and_differs_where_it_was_changed() -> None:
    for document in MODELS.values():
        assert list(compare(document, document, None)) == []
    (id, block), *rest = HALF_ADAM.tensors
    data = bytearray(block.data)
    data[3] ^= 0x80
    data[8] ^= 1
    other = replace(HALF_ADAM, tensors=((id, replace(block, data=bytes(data))), *rest))
    (change,) = compare(HALF_ADAM, other, 1)
    assert isinstance(change, TensorChange)
    assert (change.where, change.elements, change.differing, len(change.first)) == (id, 6, 2, 1)
    assert change.first[0].place == (0, 1)
    assert int(change.first[0].left, 16) ^ int(change.first[0].right, 16) == 0x8000


def test_a_tensor_of_another_shape_or_kind_is_one_difference() -> None:
    (id, block), *rest = PLAIN.tensors
    for other in (Block(block.tag, (2, 3), block.data), Block("binary64", (3, 1), block.data)):
        (change,) = compare(PLAIN, replace(PLAIN, tensors=((id, other), *rest)), None)
        assert isinstance(change, LeafChange)
        assert change.where == id


def test_training_state_that_one_side_lacks_is_named_member_by_member() -> None:
    inference = replace(HALF_ADAM, training=None, tensors=HALF_ADAM.tensors[:2])
    changes = {change.where: change for change in compare(HALF_ADAM, inference, None)}
    rate = changes["/training/optimizer/learning_rate"]
    assert isinstance(rate, LeafChange)
    assert (rate.left, rate.right) == ("'3f60624dd2f1a9fc'", "absent")
    assert "dense_1/bias/master" in changes


def test_members_are_named_in_the_words_of_json() -> None:
    bare: Checkpoint = replace(HALF_ADAM, training=None)
    for one, other, said in ((bare, HALF_ADAM, ("null", "an object")), (HALF_ADAM, bare, ("an object", "null"))):
        change = next(each for each in compare(one, other, None) if each.where == "/training")
        assert isinstance(change, LeafChange)
        assert (change.left, change.right) == said
    changes = {each.where: each for each in compare(PLAIN, IMAGE, None) if isinstance(each, LeafChange)}
    sides = {side for each in changes.values() for side in (each.left, each.right)}
    assert "true" in sides
    assert sides & {"None", "True", "False"} == set()


def test_a_flat_index_has_one_place() -> None:
    assert [subscript((2, 3, 2), index) for index in (0, 1, 2, 11)] == [(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 2, 1)]
    assert subscript((), 0) == ()


@pytest.mark.parametrize("name", MODELS)
def test_the_map_of_a_canonical_file_is_the_segments_of_its_document(name: str) -> None:
    document: Checkpoint = MODELS[name]
    file = encode(KNN, document)
    here, owed = 0, []
    for segment in KNN.segments(document):
        owed.append((here, here + len(segment.data), segment.clause))
        here += len(segment.data)
    found = list(KNN_TOOLS.regions(document, OfBytes(file)))
    assert [(each.start, each.end, each.clause) for each in found] == owed
    assert here == len(file)
    assert [each.what for each in found if each.tag] == [id for id, _ in document.tensors]
