"""The law of differences: the list is empty exactly when two documents agree, and holds each difference once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import NamedTuple, TypeAlias

from bitproof_spec.document import Block, Difference, Document, Leaf, differences, first_difference
from proofs.crosshair_runner import contracts
from proofs.law import Law, Result, part
from proofs.sampling import exhaust

Compare: TypeAlias = Callable[[Document, Document], Sequence[Difference]]


class Leaves(NamedTuple):
    """A document by its leaves."""

    named: tuple[tuple[str, Leaf], ...]

    def leaves(self) -> Mapping[str, Leaf]:
        """The leaves by name."""
        return dict(self.named)


# One leaf of each kind, and next to each the leaves that a careless comparison takes for the same.
LEAVES: tuple[Leaf, ...] = (
    None, False, True, 0, 1, -1, 1 << 64, "", "1", b"", b"1",
    Block("binary16", (1,), b"\x00\x80"),
    Block("binary16", (1,), b"\x00\x00"),
    Block("bfloat16", (1,), b"\x00\x80"),
    Block("binary16", (), b"\x00\x80"),
    Block("binary16", (1,), b"\x00\x80\x00"),
    Block("binary16", (2,), b"\x01\x7c\x01\x7e"),
    Block("binary16", (2,), b"\x01\x7c\x01\x7c"),
    Block("binary16", (0, 3), b""),
)  # fmt: skip
FEW = (None, True, 1, LEAVES[11], LEAVES[13])
NAMES = ("a", "b")


def documents(names: Sequence[str], leaves: Sequence[Leaf]) -> Iterator[Leaves]:
    """Every document of some of the names, in every order, over those leaves."""
    for count in range(len(names) + 1):
        for order in permutations(names, count):
            for chosen in product(leaves, repeat=count):
                yield Leaves(tuple(zip(order, chosen, strict=True)))


def pairs() -> Iterator[tuple[Leaves, Leaves]]:
    """Every two documents of at most one name over all leaves, and of at most two names over a few."""
    yield from product(documents(NAMES[:1], LEAVES), repeat=2)
    yield from product(documents(NAMES, FEW), repeat=2)


def bits(leaf: Leaf) -> tuple[str, object]:
    """A leaf so that equality is equality of kind and bits, stated without the code that is judged."""
    if isinstance(leaf, Block):
        return "Block", (leaf.tag, leaf.shape, bytes(leaf.data))
    return type(leaf).__name__, leaf


def lists_each_once(compare: Compare) -> Result:
    """The names listed are those whose leaves differ in kind or bits or that one side lacks, and none comes twice."""

    def holds(pair: tuple[Leaves, Leaves]) -> bool:
        left, right = (document.leaves() for document in pair)
        names = {*left, *right}
        owed = {name for name in names if side(left, name) != side(right, name)}
        found = compare(*pair)
        said = [(one.where.partition("[")[0], one.left == "absent", one.right == "absent") for one in found]
        return sorted(said) == sorted((name, name not in left, name not in right) for name in owed)

    return exhaust(holds, pairs())


def side(leaves: Mapping[str, Leaf], name: str) -> tuple[str, object]:
    """What a document holds under a name, by kind and bits."""
    return bits(leaves[name]) if name in leaves else ("absent", None)


def by_value(left: Document, right: Document) -> Sequence[Difference]:
    """A twin to which True is 1."""
    a, b = left.leaves(), right.leaves()
    return [one for one in differences(left, right) if one.where not in a or a[one.where] != b.get(one.where, "absent")]


def by_place(left: Document, right: Document) -> Sequence[Difference]:
    """A twin that compares leaves by their place."""
    zipped = zip(left.leaves().items(), right.leaves().items(), strict=False)
    return [Difference(name, repr(a), repr(b)) for (name, a), (_, b) in zipped if bits(a) != bits(b)]


def of_the_left(left: Document, right: Document) -> Sequence[Difference]:
    """A twin that doesn't see what only the right side has."""
    return [one for one in differences(left, right) if one.left != "absent"]


def from_both_sides(left: Document, right: Document) -> Sequence[Difference]:
    """A twin that lists a difference from either side."""
    return [*differences(left, right), *(Difference(*one) for one in differences(left, right))]


def first(a: bytes, b: bytes) -> int | None:
    """Where two runs of bytes part: None exactly when they are equal, else the first byte that one has and not both.

    pre: len(a) <= 4 and len(b) <= 4
    post: (__return__ is None) == (a == b)
    post: __return__ is None or a[:__return__] == b[:__return__]
    post: __return__ is None or a[__return__ : __return__ + 1] != b[__return__ : __return__ + 1]
    """
    return first_difference(a, b)


def first_by_halving_wrongly(a: bytes, b: bytes) -> int | None:
    """A twin whose search steps over a byte.

    pre: len(a) <= 4 and len(b) <= 4
    post: (__return__ is None) == (a == b)
    post: __return__ is None or a[:__return__] == b[:__return__]
    post: __return__ is None or a[__return__ : __return__ + 1] != b[__return__ : __return__ + 1]
    """
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if a[low:middle] == b[low:middle] else (low, middle - 1)
    return None if a == b else low


LAW = Law(
    id="differences",
    statement="the list of differences is empty exactly when two documents agree, and holds each difference once",
    committed="exhausted",
    parts=(
        part(
            "every two documents of one name over 19 leaves, of two over 5",
            "running all",
            "exhausted",
            lists_each_once,
            differences,
            {
                "True is 1": by_value,
                "by place": by_place,
                "the left side's only": of_the_left,
                "each twice": from_both_sides,
            },
        ),
        contracts("the first byte that differs, up to 4 bytes", (first,), {"steps over one": first_by_halving_wrongly}),
    ),
)
