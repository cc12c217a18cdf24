"""Every difference of two documents, tensors element by element."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from math import prod
from typing import NamedTuple

from bitproof.compare.tensors import count_differing, differing
from bitproof.compare.words import distance, parts, reading
from bitproof_spec.document import Block, Difference, Document, Leaf, differences


class Element(NamedTuple):
    """One element that differs: its place, both words (hex, most significant digit first), what they mean, how far
    they are apart."""

    place: tuple[int, ...]
    left: str
    right: str
    left_reading: str
    right_reading: str
    distance: str


class TensorChange(NamedTuple):
    """Two tensors of one scalar format and shape, `differing` of whose `elements` differ, the first of them listed."""

    where: str
    tag: str
    shape: tuple[int, ...]
    elements: int
    differing: int
    first: tuple[Element, ...]


class LeafChange(NamedTuple):
    """A member that differs, or a leaf that only one side has; `Leaf` values are at hand for readings.

    The words `null`, `true` and `false` are JSON's, text is in quotes. The side without the leaf is "absent", or, if it
    has members below that place, "an object".
    """

    where: str
    left: str
    right: str
    left_leaf: Leaf
    right_leaf: Leaf


Change = TensorChange | LeafChange


def compare(left: Document, right: Document, limit: int | None) -> Iterator[Change]:
    """Every difference, in the order of `differences`; of each tensor at most `limit` elements, None for all."""
    a, b = left.leaves(), right.leaves()
    for difference in differences(left, right):
        name = _leaf_name(difference, a, b)
        one, other = a.get(name), b.get(name)
        if isinstance(one, Block) and isinstance(other, Block) and (one.tag, one.shape) == (other.tag, other.shape):
            yield _tensor(name, one, other, limit)
        else:
            yield LeafChange(name, _said(difference.left, name, a), _said(difference.right, name, b), one, other)


def subscript(shape: tuple[int, ...], index: int) -> tuple[int, ...]:
    """The place in a tensor of a flat row-major index."""
    places = []
    for extent in reversed(shape):
        index, place = divmod(index, extent)
        places.append(place)
    return tuple(reversed(places))


def _said(text: str, name: str, leaves: Mapping[str, Leaf]) -> str:
    """The text of one side of a difference."""
    if name not in leaves:
        return "an object" if any(other.startswith(f"{name}/") for other in leaves) else text
    leaf = leaves[name]
    return "null" if leaf is None else str(leaf).lower() if isinstance(leaf, bool) else text


def _leaf_name(difference: Difference, *leaves: Mapping[str, Leaf]) -> str:
    """The leaf that a difference is about; of tensors `where` has the first element's index after the name."""
    if any(difference.where in side for side in leaves):
        return difference.where
    return difference.where.rpartition("[")[0]


def _tensor(name: str, left: Block, right: Block, limit: int | None) -> TensorChange:
    elements = prod(left.shape)
    width = len(left.data) // elements  # blocks that differ aren't empty
    indices = islice(differing(left.data, right.data, width), limit)
    first = tuple(_element(left, right, width, index) for index in indices)
    total = count_differing(left.data, right.data, width)
    return TensorChange(name, left.tag, left.shape, elements, total, first)


def _element(left: Block, right: Block, width: int, index: int) -> Element:
    tag, at = left.tag, slice(index * width, (index + 1) * width)
    a, b = bytes(left.data[at]), bytes(right.data[at])
    left_word, right_word = (" ".join(word[::-1].hex() for _, word in parts(tag, side)) for side in (a, b))
    place = subscript(left.shape, index)
    return Element(place, left_word, right_word, reading(tag, a), reading(tag, b), distance(tag, a, b))
