"""Documents that are nothing but their leaves, of every kind, drawn so that near misses come up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from bitproof.strategies import blocks
from bitproof_spec.document import Leaf
from bitproof_spec.encoding import BINARY16, BINARY32


@dataclass(frozen=True)
class Leaves:
    """A document whose leaves are given."""

    named: Mapping[str, Leaf]

    def leaves(self) -> Mapping[str, Leaf]:
        return self.named


def leaves() -> SearchStrategy[Leaf]:
    """Leaves of every kind; half of them from a few values of which each has a neighbour of another kind."""
    few: SearchStrategy[Leaf] = st.sampled_from((None, False, 0, True, 1, "1", b"1", "", b"", "None"))
    tensors = blocks(BINARY16, st.sampled_from([(), (2,), (1, 2), (0,)])) | blocks(BINARY32, st.just((2,)))
    return few | st.integers() | st.text() | st.binary() | tensors


def documents() -> SearchStrategy[Leaves]:
    """Documents of up to five leaves under a few names, in any order."""
    return st.dictionaries(st.sampled_from("abcdef"), leaves(), max_size=5).map(Leaves)
