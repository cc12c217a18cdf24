"""Hypothesis strategies for bits, tensors and files: plural names, valid by default, bits first, no float anywhere.

Half of all words are ones that get lost where a value passes through a float or an int that is too small: zeros of
both signs, edges of the subnormals, infinities, quiet and signalling NaNs with payloads.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TypeAlias

from bitproof.extras import missing
from bitproof_spec import formats
from bitproof_spec.document import Block
from bitproof_spec.encoding import Storage
from bitproof_spec.formats import BinaryFormat

try:
    from hypothesis import strategies as st
    from hypothesis.strategies import SearchStrategy
except ModuleNotFoundError as error:
    if error.name != "hypothesis":
        raise
    raise missing("hypothesis", "suite") from None

Shape: TypeAlias = "tuple[int, ...]"

_EXTREMES = (0, 1, 2**31, 2**32 - 1, 2**53, 2**63, 2**64 - 1)
"""Numbers that overflow something when a file's eight bytes are taken for a count."""


def special_words(format: BinaryFormat) -> tuple[int, ...]:
    """The words of a format at which something changes, of both signs and each once.

    0, least and largest subnormal, least normal, 1, the largest finite number, and at the exponent of all ones what an
    IEEE format has there: infinity, signalling NaNs (least and largest payload), quiet NaNs (no payload, 1, all ones).
    """
    fractions = 1 << format.fraction_bits
    quiet, top = fractions // 2, ((1 << format.exponent_bits) - 1) * fractions
    nans = (top + 1, top + quiet - 1, top + quiet, top + min(quiet + 1, fractions - 1), top + fractions - 1)
    magnitudes = (0, 1, fractions - 1, fractions, format.bias * fractions, format.largest, top, *nans)
    return tuple(dict.fromkeys(sign + word for word in magnitudes for sign in (0, format.sign_word)))


def words(format: BinaryFormat) -> SearchStrategy[int]:
    """The words of a binary format; every word can come up, special ones half the time."""
    return st.sampled_from(special_words(format)) | st.integers(0, (1 << format.bits) - 1)


def words16() -> SearchStrategy[int]:
    """The words of binary16."""
    return words(formats.BINARY16)


def words32() -> SearchStrategy[int]:
    """The words of binary32."""
    return words(formats.BINARY32)


def words64() -> SearchStrategy[int]:
    """The words of binary64."""
    return words(formats.BINARY64)


def storage_words(storage: Storage) -> SearchStrategy[bytes]:
    """The little-endian words that a storage accepts; special ones half the time where the tag names a known format."""
    known = formats.NAMED.get(storage.tag)
    ints = words(known) if known else st.integers(0, (1 << 8 * storage.width) - 1)
    return ints.map(lambda word: word.to_bytes(storage.width, "little")).filter(storage.accepts)


def shapes(*, max_rank: int = 3, max_extent: int = 4) -> SearchStrategy[Shape]:
    """Shapes of tensors; rank 0 and extents of 0 included."""
    return st.lists(st.integers(0, max_extent), max_size=max_rank).map(tuple)


def blocks(storage: Storage, shape: SearchStrategy[Shape] | Shape | None = None) -> SearchStrategy[Block]:
    """Tensors of one storage: of the given shape, of a shape from the given strategy, or of any small shape."""
    if isinstance(shape, tuple):
        count, known = prod(shape), shape
        data = st.lists(storage_words(storage), min_size=count, max_size=count).map(b"".join)
        return data.map(lambda payload: Block(storage.tag, known, payload))
    return (shapes() if shape is None else shape).flatmap(lambda drawn: blocks(storage, drawn))


def mutations(file: bytes, *, others: Sequence[bytes] = ()) -> SearchStrategy[bytes]:
    """Files that differ from `file` in one or two places, as damage or an attacker would make them.

    A bit changed, bytes overwritten (by extreme counts, zeros, anything), a run removed or repeated, bytes put in, the
    end cut off, something put after it; with `others`, files that begin like `file` and go on like one of them.
    """
    once = st.one_of(_edits(file), *(_splices(file, other) for other in others))
    return (once | once.flatmap(_edits)).filter(lambda damaged: damaged != file)


def _edits(file: bytes) -> SearchStrategy[bytes]:
    """Files with one edit, at any place."""
    places = st.integers(0, max(len(file) - 1, 0))
    runs = st.sampled_from((1, 2, 4, 8, 64))
    counts = st.sampled_from(_EXTREMES).map(lambda count: count.to_bytes(8, "little"))
    data = counts | runs.map(bytes) | st.binary(min_size=1, max_size=16)
    return st.one_of(
        st.builds(lambda at, bit: _flipped(file, at, bit), places, st.integers(0, 7)),
        st.builds(lambda at, new: file[:at] + new + file[at + len(new) :], places, data),
        st.builds(lambda at, run: file[:at] + file[at + run :], places, runs),
        st.builds(lambda at, run: file[: at + run] + file[at:], places, runs),
        st.builds(lambda at, new: file[:at] + new + file[at:], places, data),
        places.map(lambda at: file[:at]),
        data.map(lambda new: file + new),
    )


def _flipped(file: bytes, at: int, bit: int) -> bytes:
    return file[:at] + bytes(byte ^ 1 << bit for byte in file[at : at + 1]) + file[at + 1 :]


def _splices(file: bytes, other: bytes) -> SearchStrategy[bytes]:
    return st.integers(0, min(len(file), len(other))).map(lambda at: file[:at] + other[at:])
