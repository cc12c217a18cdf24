"""Hypothesis strategies for bits, tensors and files: plural names, valid by default, bits first, no float anywhere.

Half of all words are ones that get lost where a value passes through a float or an int that is too small: zeros of
both signs, edges of the subnormals, infinities, quiet and signalling NaNs with payloads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import TypeAlias

from bitproof.hypothesis_extra import SearchStrategy, st
from bitproof_spec import formats
from bitproof_spec.composite import ComplexOf
from bitproof_spec.document import Block
from bitproof_spec.encoding import Binary, Storage
from bitproof_spec.formats import BinaryFormat

Shape: TypeAlias = "tuple[int, ...]"


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
    """The little-endian words that a storage accepts; special ones half the time."""
    return blocks(storage, ()).map(lambda block: bytes(block.data))


def shapes(*, max_rank: int = 3, max_extent: int = 4) -> SearchStrategy[Shape]:
    """Shapes of tensors; rank 0 and extents of 0 included."""
    return st.lists(st.integers(0, max_extent), max_size=max_rank).map(tuple)


def blocks(storage: Storage, shape: SearchStrategy[Shape] | Shape | None = None) -> SearchStrategy[Block]:
    """Tensors of one storage: of the given shape, of a shape from the given strategy, or of any small shape.

    Every word that the storage accepts can come up, special ones half the time. ValueError for a storage that accepts
    none of its special words, not even 0.
    """
    if not isinstance(shape, tuple):
        return (shapes() if shape is None else shape).flatmap(lambda drawn: blocks(storage, drawn))
    known, count = shape, prod(shape)
    special = _special(storage)
    raw = st.binary(min_size=count * (1 + storage.width), max_size=count * (1 + storage.width))
    return raw.map(lambda drawn: Block(storage.tag, known, b"".join(_chosen(storage, special, drawn, count))))


def _special(storage: Storage) -> tuple[bytes, ...]:
    """The special words that a storage accepts: of its format, of its two parts, or of the format of its width."""
    if isinstance(storage, ComplexOf):
        part = _special(storage.part)
        return tuple(re + im for re, im in zip(part, (*part[1:], part[0]), strict=True))
    format = storage.format if isinstance(storage, Binary) else _BY_WIDTH.get(storage.width)
    bits = 8 * storage.width
    candidates = (*(special_words(format) if format else ()), 0, 1, 1 << bits - 1, (1 << bits) - 1)
    words = dict.fromkeys(word.to_bytes(storage.width, "little") for word in candidates)
    special = tuple(filter(storage.accepts, words))
    if not special:
        raise ValueError(f"{storage.tag} accepts none of its special words")
    return special


_BY_WIDTH = {format.bits // 8: format for format in (formats.BINARY16, formats.BINARY32, formats.BINARY64)}


def _chosen(storage: Storage, special: tuple[bytes, ...], drawn: bytes, count: int) -> Iterator[bytes]:
    """One word for each of the first `count` bytes: a special one below 128, else the next bytes as they are."""
    for index in range(count):
        start = count + index * storage.width
        word = drawn[start : start + storage.width]
        yield special[drawn[index] % len(special)] if drawn[index] < 128 or not storage.accepts(word) else word


def mutations(file: bytes, *, others: Sequence[bytes] = ()) -> SearchStrategy[bytes]:
    """Files that differ from `file` in one or two places, as damage or an attacker would make them.

    A bit changed, bytes overwritten (by extreme counts, zeros, anything), a run removed or repeated, bytes put in, the
    end cut off, something put after it; with `others`, files that begin like `file` and go on like one of them.
    """
    once = st.one_of(_edits(file), *(_splices(file, other) for other in others))
    return (once | once.flatmap(_edits)).filter(lambda damaged: damaged != file)


def flips(file: bytes, *, near: int = 64, spread: int = 64) -> Iterator[bytes]:
    """The file with one bit changed: in each of its first `near` bytes, then at about `spread` places over the rest.

    No strategy but a sweep, the same each time: a header's every byte is worth a try.
    """
    rest = range(near, len(file), max((len(file) - near) // spread, 1))
    for count, at in enumerate((*range(min(near, len(file))), *rest)):
        yield _flipped(file, at, count % 8)


def _edits(file: bytes) -> SearchStrategy[bytes]:
    """Files with one edit, half of the time near the beginning, where formats have their headers."""
    last = max(len(file) - 1, 0)
    places = st.integers(0, last) | st.integers(0, min(last, 63))
    return st.tuples(_KINDS, places, _RUNS, _DATA).map(lambda edit: _EDITS[edit[0]](file, *edit[1:]))


def _flipped(file: bytes, at: int, bit: int) -> bytes:
    return file[:at] + bytes(byte ^ 1 << bit for byte in file[at : at + 1]) + file[at + 1 :]


_EDITS: Mapping[str, Callable[[bytes, int, int, bytes], bytes]] = {
    "bit": lambda file, at, _, new: _flipped(file, at, new[0] % 8),
    "overwritten": lambda file, at, _, new: file[:at] + new + file[at + len(new) :],
    "removed": lambda file, at, run, _: file[:at] + file[at + run :],
    "repeated": lambda file, at, run, _: file[: at + run] + file[at:],
    "inserted": lambda file, at, _, new: file[:at] + new + file[at:],
    "cut": lambda file, at, _run, _new: file[:at],
    "extended": lambda file, _at, _run, new: file + new,
}
_KINDS = st.sampled_from(tuple(_EDITS))
_RUNS = st.sampled_from((1, 2, 4, 8, 64))
_COUNTS = (0, 1, 2**31, 2**32 - 1, 2**53, 2**63, 2**64 - 1)
"""Numbers that overflow something when a file's eight bytes are taken for a count."""
_DATA = (
    st.sampled_from([count.to_bytes(8, "little") for count in _COUNTS])
    | _RUNS.map(bytes)
    | st.binary(min_size=1, max_size=16)
)


def _splices(file: bytes, other: bytes) -> SearchStrategy[bytes]:
    return st.integers(0, min(len(file), len(other))).map(lambda at: file[:at] + other[at:])
