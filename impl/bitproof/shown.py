"""The state that a trainer shows, as a document: copies of the bits of arrays, tensors, numbers and text."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

import numpy as np

from bitproof import buffers
from bitproof_spec.document import Block, Leaf

Shown: TypeAlias = Mapping[str, object]


class State(NamedTuple):
    """A copied state: leaves by name, in the order shown."""

    held: Mapping[str, Leaf]

    def leaves(self) -> Mapping[str, Leaf]:
        """The leaves by name."""
        return self.held


def state_of(shown: Shown) -> State:
    """A copy of what a trainer shows; mappings and sequences in it are walked, their parts named by path.

    Floats are compared as binary64 words. TypeError, naming the place, for what has no bits to compare.
    """
    found: dict[str, Leaf] = {}
    _walk("", shown, found)
    return State(found)


def _walk(where: str, value: object, found: dict[str, Leaf]) -> None:
    if isinstance(value, Mapping):
        for key, item in value.items():
            _walk(f"{where}/{key}" if where else str(key), item, found)
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            _walk(f"{where}/{index}", item, found)
    else:
        found[where] = _leaf(where, value)


def _leaf(where: str, value: object) -> Leaf:
    if value is None or isinstance(value, bool | int | str | bytes):
        return value
    if isinstance(value, float):
        return Block("binary64", (), struct.pack("<d", value))
    if isinstance(value, bytearray | memoryview):
        return bytes(value)
    if isinstance(value, np.ndarray | np.generic):
        return buffers.block_of(np.asarray(value))
    if type(value).__module__.partition(".")[0] == "torch":
        import torch  # here: a trainer without torch doesn't need it

        from bitproof.tensors import block_of

        if isinstance(value, torch.Tensor):
            return block_of(value)
    raise TypeError(f"{where}: the bits of a {type(value).__name__} can't be compared; show what it holds")
