"""Documents and the one list of their differences."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitproof.strategies import blocks, words32
from bitproof.suite import CI
from bitproof_spec.document import Block, Data, Difference, Leaf, brief, differences, first_difference, same, words
from bitproof_spec.encoding import BINARY16, BINARY32, Storage
from tests.core.leaves import Leaves, documents, leaves

many = settings(CI, max_examples=300)


def reference(left: Leaf, right: Leaf) -> bool:
    """Equality bit for bit, said without the code under test: kind, then every part with its kind."""
    if isinstance(left, Block) and isinstance(right, Block):
        return (left.tag, left.shape, bytes(left.data)) == (right.tag, right.shape, bytes(right.data))
    return type(left) is type(right) and repr(left) == repr(right)


@many
@given(documents(), documents())
def test_each_difference_is_listed_once_in_the_order_of_left_then_right(left: Leaves, right: Leaves) -> None:
    a, b = left.named, right.named
    changed = [name for name in a if name in b and not reference(a[name], b[name])]
    owed = [*changed, *(name for name in a if name not in b), *(name for name in b if name not in a)]
    assert [difference.where.partition("[")[0] for difference in differences(left, right)] == owed


@many
@given(documents())
def test_the_list_is_empty_exactly_when_all_leaves_agree(document: Leaves) -> None:
    assert differences(document, Leaves(dict(reversed(list(document.named.items()))))) == ()
    for name in document.named:
        rest = Leaves({other: leaf for other, leaf in document.named.items() if other != name})
        assert [difference.where for difference in differences(document, rest)] == [name]
        assert differences(rest, document) == (Difference(name, "absent", brief(document.named[name])),)


@many
@given(leaves(), leaves())
def test_both_sides_of_a_difference_are_short_and_show_that_they_differ(left: Leaf, right: Leaf) -> None:
    for difference in differences(Leaves({"a": left}), Leaves({"a": right})):
        assert difference.left != difference.right
        assert max(len(difference.left), len(difference.right)) <= 60


@pytest.mark.parametrize("length", [61, 200, 10_000])
@pytest.mark.parametrize("kind", [str, bytes, int])
def test_long_leaves_that_differ_in_their_middle_are_shown_where_they_part(kind: type, length: int) -> None:
    def leaf(digit: str) -> Leaf:
        text = "1" * (length // 2) + digit + "1" * (length // 2)
        return int(text, 16) if kind is int else text if kind is str else text.encode()

    (difference,) = differences(Leaves({"a": leaf("2")}), Leaves({"a": leaf("3")}))
    assert difference.left != difference.right
    assert difference.left.replace("2", "3") == difference.right
    assert max(len(difference.left), len(difference.right)) <= 60


@pytest.mark.parametrize(
    ("left", "right"),
    [(True, 1), (0, False), ("1", 1), (b"1", "1"), (None, "None"), (b"", ""), (None, False)],
)
def test_leaves_of_different_kinds_are_never_the_same(left: Leaf, right: Leaf) -> None:
    assert not same(left, right)
    assert not same(right, left)
    assert len(differences(Leaves({"a": left}), Leaves({"a": right}))) == 1


@pytest.mark.parametrize("storage", [BINARY16, BINARY32])
@many
@given(data=st.data())
def test_two_tensors_differ_at_their_first_differing_element_and_both_words_are_shown(
    storage: Storage, data: st.DataObject
) -> None:
    shape = data.draw(st.sampled_from([(), (7,), (3, 5), (2, 1, 3)]))
    left, right = data.draw(blocks(storage, shape)), data.draw(blocks(storage, shape))
    width = storage.width
    elements = [(left.data[i : i + width], right.data[i : i + width]) for i in range(0, len(left.data), width)]
    owed = next(((i, bytes(a), bytes(b)) for i, (a, b) in enumerate(elements) if a != b), None)
    found = differences(Leaves({"w": left}), Leaves({"w": right}))
    if owed is None:
        assert found == ()
    else:
        index, a, b = owed
        assert found == (Difference(f"w[{index}]", a[::-1].hex(), b[::-1].hex()),)


@pytest.mark.parametrize(
    ("left", "right", "owed"),
    [
        (Block("binary16", (2,), b"\0\0\0\0"), Block("bfloat16", (2,), b"\0\0\0\0"), ("binary16[2]", "bfloat16[2]")),
        (Block("binary16", (2,), b"\0\0\0\0"), Block("binary16", (2, 1), b"\0\0\0\0"), ("16[2] ", "16[2, 1] ")),
        (Block("binary16", (2,), b"\0\0\0\0"), Block("binary16", (2,), b"\0\0"), ("4 bytes", "2 bytes")),
        (Block("binary16", (0,), b""), Block("binary16", (0,), b"\0"), ("0 bytes", "1 bytes")),
    ],
)
def test_tensors_of_another_tag_shape_or_size_differ_as_wholes(
    left: Block, right: Block, owed: tuple[str, str]
) -> None:
    (difference,) = differences(Leaves({"w": left}), Leaves({"w": right}))
    assert difference.where == "w"
    assert owed[0] in difference.left
    assert owed[1] in difference.right


def test_negative_zero_and_signalling_nans_differ_from_zero_and_quiet_ones() -> None:
    left = Block("binary32", (2,), bytes.fromhex("00000080 0100807f"))
    right = Block("binary32", (2,), bytes.fromhex("00000000 0100c07f"))
    assert differences(Leaves({"w": left}), Leaves({"w": right})) == (Difference("w[0]", "80000000", "00000000"),)
    assert words(left, 1) == "7f800001"


def test_a_block_in_borrowed_memory_equals_the_same_block_in_bytes() -> None:
    block = Block("binary16", (2,), b"\x01\x7c\x00\x80")
    assert block == Block("binary16", (2,), memoryview(bytearray(block.data)))


@many
@given(st.binary(max_size=40), st.binary(max_size=40), st.booleans(), st.booleans())
def test_the_first_differing_byte_is_found_in_bytes_and_in_borrowed_memory(
    a: bytes, b: bytes, borrowed: bool, alike: bool
) -> None:
    b = a[: len(a) // 2] + b if alike else b
    owed = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    left: Data = memoryview(a) if borrowed else a
    assert first_difference(left, b) == (None if a == b else owed)


@many
@given(st.integers(0, 100), words32())
def test_one_changed_word_in_a_large_tensor_is_named_by_its_index(index: int, word: int) -> None:
    left = bytearray(404)
    right = bytearray(left)
    right[4 * index : 4 * index + 4] = word.to_bytes(4, "little")
    found = differences(
        Leaves({"w": Block("binary32", (101,), bytes(left))}), Leaves({"w": Block("binary32", (101,), bytes(right))})
    )
    assert found == ((Difference(f"w[{index}]", "00000000", f"{word:08x}"),) if word else ())
