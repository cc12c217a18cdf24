"""Every binary32 word through the conversions that impl computes with, against the bounds of exact rationals."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from proofs.core.rounding_critical import INFINITY_16, INFINITY_32, SIGN_16, SIGN_32, bounds, critical_words
from proofs.law import Result

Words: TypeAlias = NDArray[np.uint32]
Halves: TypeAlias = NDArray[np.uint16]
Convert: TypeAlias = Callable[[Words], Halves]

CHUNK = 1 << 18
CHANGING = 0x33000000  # 2^-25: words below it round to 0; what a twin does wrong shows first from here on


def by_torch(words: Words) -> Halves:
    """Torch's own conversion, which the half-precision runtime uses."""
    halves = torch.from_numpy(words.view(np.float32)).to(torch.float16)
    return np.asarray(halves.view(torch.int16).numpy().view(np.uint16))


def by_numpy(words: Words) -> Halves:
    """NumPy's conversion; it warns of overflow, which is owed here."""
    with np.errstate(all="ignore"):
        return words.view(np.float32).astype(np.float16).view(np.uint16)


def truncating(words: Words) -> Halves:
    """A twin that rounds towards zero: it clears the bits that don't fit before it converts."""
    return by_torch(words & np.uint32(0xFFFFE000))


def through_bfloat16(words: Words) -> Halves:
    """A twin that rounds twice."""
    narrow = torch.from_numpy(words.view(np.float32)).to(torch.bfloat16).to(torch.float16)
    return np.asarray(narrow.view(torch.int16).numpy().view(np.uint16))


def at_critical_words(convert: Convert) -> Result:
    """All critical words as one array and in runs of 7, since kernels treat the odd ends of an array by themselves."""
    words = critical_words()
    given = np.array([word for word, _ in words], np.uint32)
    owed = np.array([half for _, half in words], np.uint16)
    runs = [convert(given[start : start + 7]) for start in range(0, len(given), 7)]
    return (
        _compare(given, owed, convert(given))
        or _compare(given, owed, np.concatenate(runs))
        or Result("exhausted", len(given), "words at which rounding changes, and their neighbours")
    )


def at_every_word(convert: Convert) -> Result:
    """All 2^32 words: numbers and infinities as owed, a NaN to some NaN of its sign."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # a chunk fits a cache; handing parts of it to other threads takes longer
    try:
        return _sweep(convert)
    finally:
        torch.set_num_threads(threads)


def _sweep(convert: Convert) -> Result:
    for first in (*range(CHANGING, SIGN_32, CHUNK), *range(0, CHANGING, CHUNK)):
        owed = _owed(first)
        numbers = len(owed)
        for sign in (0, 1):
            words = np.arange(first, first + CHUNK, dtype=np.uint32) + np.uint32(sign * SIGN_32)
            halves = convert(words)
            wrong = _compare(words[:numbers], owed + np.uint16(sign * SIGN_16), halves[:numbers])
            if wrong or not _nans(halves[numbers:], sign):
                return wrong or Result("refuted", 1, f"a NaN from 0x{words[numbers]:08x} on is none of its sign")
    return Result("exhausted", 2 * SIGN_32, "binary32 words, all of them")


@cache
def _edges() -> NDArray[np.int64]:
    """For each half from 0 to infinity the least positive word that rounds to it, and the first NaN."""
    return np.array([0, *bounds(), INFINITY_32 + 1], np.int64)


def _owed(first: int) -> Halves:
    """The halves of a chunk of positive words, as far as they are numbers: each half from its bound to the next."""
    edges = np.clip(_edges(), first, first + CHUNK)
    begin, end = int(edges.searchsorted(first, "right")), int(edges.searchsorted(first + CHUNK, "left"))
    lengths = np.diff(edges[begin - 1 : end + 1])
    return np.repeat(np.arange(begin - 1, begin - 1 + len(lengths), dtype=np.uint16), lengths.astype(np.int64))


def _nans(halves: Halves, sign: int) -> bool:
    return bool(((halves - np.uint16(sign * SIGN_16) > INFINITY_16) & (halves >> 15 == sign)).all())


def _compare(words: Words, owed: Halves, found: Halves) -> Result | None:
    """The first word whose half isn't the owed one."""
    if np.array_equal(owed, found):
        return None
    at = int((owed != found).argmax())
    return Result("refuted", 1, f"0x{words[at]:08x} gives 0x{found[at]:04x}, owed 0x{owed[at]:04x}")
