"""The law of specials for TorchLean: words pass its files, widening and mirrors as they are, or are refused by name.

The classes of words are those of the law of specials: both signs, every exponent, and the fractions at which something
could be lost. The widening of streams is shown for every binary32 word there is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path as FilePath
from tempfile import TemporaryDirectory
from typing import NamedTuple, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from bitproof import tensors
from bitproof.torchlean.checkpointable import FLOAT32_FILES
from bitproof.torchlean.params import Param, ParamList
from bitproof.torchlean.scalars import Float32
from bitproof.torchlean.widening import narrow_words, widen_words
from bitproof_spec.conversion import widen
from bitproof_spec.document import Block
from bitproof_spec.encoding import Configured
from bitproof_spec.format import OfBytes, encode
from bitproof_spec.formats import BINARY32, BINARY64, NAMED, BinaryFormat
from bitproof_spec.torchlean.encodings import FLOAT, FLOAT32, complex_state, configured_state
from bitproof_spec.torchlean.json_state import TLJSON, JsonState
from bitproof_spec.violations import Violations
from proofs.core import paths
from proofs.core.paths import Path, unchanged
from proofs.core.specials import class_words
from proofs.law import Law, Part, Result, part

CHUNK = 1 << 15  # what is computed on the way stays in the processor's cache
NATIVE = {FLOAT32.tag: BINARY32, FLOAT.tag: BINARY64}
Row: TypeAlias = "tuple[str, list[int]]"
Answer: TypeAlias = "bytes | list[int]"


def blocks(*tags: str) -> Iterator[Block]:
    """The classes of words of some formats, in rows."""
    for tag in tags:
        words = [*class_words(NAMED[tag])]
        for start in range(0, len(words), 4096):
            row = words[start : start + 4096]
            yield Block(tag, (len(row),), packed(row, NAMED[tag]))


def packed(row: list[int], format: BinaryFormat) -> bytes:
    """Words as little-endian bytes."""
    return b"".join(word.to_bytes(format.bits // 8, "little") for word in row)


def through_a_stream(block: Block) -> Block:
    """Into a module, saved as TLSF32B, loaded into another module, and out."""
    one = ParamList(Float32, [Param(tensors.tensor_of(block), True)])
    other = ParamList(Float32, [Param(torch.ones(block.shape), True)])
    with TemporaryDirectory() as folder:
        FLOAT32_FILES.write(False, FilePath(folder, "m"), one)
        FLOAT32_FILES.read(False, FilePath(folder, "m"), other)
    return tensors.block_of(other.tensors[0])


def through_json(block: Block) -> Block:
    """Through the text of a state in a configured format."""
    encoding = configured_state(NAMED[block.tag], Configured)
    found = _there_and_back(JsonState(encoding.tag, (Block(encoding.storage, block.shape, block.data),)))
    return Block(block.tag, found.shape, found.data)


def through_complex_json(block: Block) -> Block:
    """Through the text of a state of complex numbers, two neighbours being one number."""
    encoding = complex_state(configured_state(NAMED[block.tag], Configured))
    shape = (block.shape[0] // 2,)
    found = _there_and_back(JsonState(encoding.tag, (Block(encoding.storage, shape, block.data),)))
    return Block(block.tag, (2 * found.shape[0],), found.data)


def _there_and_back(document: JsonState) -> Block:
    verdict = TLJSON.judge(OfBytes(encode(TLJSON, document)))
    return Block("", (0,), b"") if isinstance(verdict, Violations) else verdict.blocks[0]


def through(name: str, path: Path, *tags: str) -> Part:
    """A part: the classes of words through one way into a file and out again."""
    twins = {"through another format": paths.widened_and_back, "zero added": paths.zero_added}
    return part(
        f"classes of words of {' and '.join(tags)}: {name}",
        "files",
        "exhausted",
        lambda way: unchanged(way, blocks(*tags)),
        path,
        twins,
    )


def passed_or_refused(answer: Callable[[Row], Answer]) -> Result:
    """Native words come back, but for NaNs other than the canonical one: these are refused, each by its index."""

    count = 0
    for tag, words in native_rows():
        others = [index for index, word in enumerate(words) if other_nan(NATIVE[tag], word)]
        if answer((tag, words)) != (others or packed(words, NATIVE[tag])):
            return Result("refuted", 1, f"{tag}: a word of {words[0]:x} to {words[-1]:x}")
        count += len(words)
    return Result("exhausted", count, "words, all of them")


def native_rows() -> Iterator[Row]:
    """Class words of both native floats, those that pass and those that don't in rows of their own, and one of both."""
    for tag, format in NATIVE.items():
        words = [*class_words(format)]
        for kind, size in ((True, 50), (False, 4000)):  # a judge lists a hundred findings
            these = [word for word in words if other_nan(format, word) is kind]
            yield from ((tag, these[start : start + size]) for start in range(0, len(these), size))
        yield tag, [word for word in words if format.split(word).exponent == (1 << format.exponent_bits) - 1][:50]


def other_nan(format: BinaryFormat, word: int) -> bool:
    """By its fields: exponent all ones, fraction not 0, and not the quiet NaN without sign and payload."""
    sign, exponent, fraction = format.split(word)
    canonical = (sign, fraction) == (0, 1 << format.fraction_bits - 1)
    return exponent == (1 << format.exponent_bits) - 1 and fraction != 0 and not canonical


def answered(row: Row) -> Answer:
    """What the judge makes of a native state: its words, or the indices that it refuses; the writer must agree."""
    tag, words = row
    text = f'{{"format": "{tag}", "state": [{{"shape": [{len(words)}], "values": {words}}}]}}'
    verdict = TLJSON.judge(OfBytes(text.encode()))
    data = packed(words, NATIVE[tag])
    document = JsonState(tag, (Block("binary64" if tag == FLOAT.tag else "binary32", (len(words),), data),))
    if isinstance(verdict, Violations):
        try:
            encode(TLJSON, document)
        except ValueError:
            return [int(each.where.removeprefix("/state/0/values/")) for each in verdict if each.rule == "TLJ-NAN-01"]
        return b"written, and not read"
    return bytes(verdict.blocks[0].data) if TLJSON.judge(OfBytes(encode(TLJSON, document))) == verdict else b""


def canonicalised(row: Row) -> Answer:
    """A twin that makes every NaN the canonical one, as the real runtime does."""
    tag, words = row
    nan = {FLOAT.tag: 0x7FF8000000000000, FLOAT32.tag: 0x7FC00000}[tag]
    return packed([nan if other_nan(NATIVE[tag], word) else word for word in words], NATIVE[tag])


def infinities_refused(row: Row) -> Answer:
    """A twin that takes everything with an exponent of all ones for a NaN."""
    format = NATIVE[row[0]]
    top = (1 << format.exponent_bits) - 1
    return [i for i, word in enumerate(row[1]) if format.split(word).exponent == top] or packed(row[1], format)


class Widening(NamedTuple):
    """A stream's words on the way into a binary64 module, and back into a mirror."""

    wider: Callable[[NDArray[np.uint32]], NDArray[np.uint64]]
    narrower: Callable[[NDArray[np.uint64]], NDArray[np.uint32]]


def widened_as_specified(widening: Widening) -> Result:
    """Each class word, and back again."""
    words = np.array([*class_words(BINARY32)], np.uint32)
    wide = widening.wider(words)
    owed = np.array([widen(BINARY32, BINARY64, int(word)) for word in words], np.uint64)
    return _all_equal(len(words), words, wide == owed, widening.narrower(wide) == words)


def widened_everywhere(widening: Widening) -> Result:
    """Every word: what is no NaN as the processor converts it, a NaN with its payload shifted by 29; and back again."""
    for start in reversed(range(0, 1 << 32, CHUNK)):  # NaNs first, for the twins
        words = np.arange(start, start + CHUNK, dtype=np.uint64).astype(np.uint32)
        with np.errstate(invalid="ignore"):
            owed = words.view(np.float32).astype(np.float64).view(np.uint64)
        nan = (words & 0x7FFFFFFF) > 0x7F800000
        wide64 = words[nan].astype(np.uint64)
        owed[nan] = (wide64 >> 31 << 63) | np.uint64(0x7FF << 52) | (wide64 & 0x7FFFFF) << 29
        wide = widening.wider(words)
        found = _all_equal(1 << 32, words, wide == owed, widening.narrower(wide) == words)
        if found.outcome == "refuted":
            return found
    return Result("exhausted", 1 << 32, "words, all of them")


def _all_equal(count: int, words: NDArray[np.uint32], *holds: NDArray[np.bool_]) -> Result:
    wrong = np.flatnonzero(~np.logical_and.reduce(holds))
    if len(wrong):
        return Result("refuted", 1, f"{words[wrong[0]]:08x} changes")
    return Result("exhausted", count, "words, all of them")


def by_value(words: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """A twin: the processor's own conversion, which quiets signalling NaNs."""
    with np.errstate(invalid="ignore"):
        return words.view(np.float32).astype(np.float64).view(np.uint64)


def without_sign_of_zero(words: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """A twin: -0 becomes 0."""
    wide = widen_words(words)
    return np.where(wide == np.uint64(1 << 63), np.uint64(0), wide)


WIDENING = Widening(widen_words, narrow_words)
TWINS = {"by value": WIDENING._replace(wider=by_value), "-0 is 0": WIDENING._replace(wider=without_sign_of_zero)}

LAW = Law(
    id="specials-torchlean",
    statement="TorchLean: special words pass every file and widening as they are, or native JSON refuses them by index",
    committed="exhausted",
    parts=(
        through("a stream between two modules", through_a_stream, "binary32"),
        through("a JSON state", through_json, "binary32", "binary64"),
        through("a JSON state of complex numbers", through_complex_json, "binary32", "binary64"),
        part(
            "native words pass a JSON state or are refused by their index",
            "files",
            "exhausted",
            passed_or_refused,
            answered,
            {"canonicalised": canonicalised, "infinities refused": infinities_refused},
        ),
        part(
            "classes of binary32 words widened and narrowed",
            "numpy",
            "exhausted",
            widened_as_specified,
            WIDENING,
            TWINS,
        ),
        part(
            "every binary32 word widened and narrowed",
            "numpy",
            "exhausted",
            widened_everywhere,
            WIDENING,
            TWINS,
            slow=True,
        ),
    ),
)
