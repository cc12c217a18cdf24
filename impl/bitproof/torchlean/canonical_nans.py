"""What a native JSON state can't hold: NaN words other than the canonical one, named by tensor and index."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bitproof.paths import FilePathLike, escape_path
from bitproof.torchlean.errors import StateError
from bitproof_spec.document import Block
from bitproof_spec.findings import Findings
from bitproof_spec.torchlean.encodings import Words, encoding_of
from bitproof_spec.torchlean.json_state import JsonState


def owe_canonical(document: JsonState, path: FilePathLike) -> None:
    """StateError, before a file is touched, for every NaN word that the tag doesn't allow; at most 100 are listed."""
    encoding = encoding_of(document.tag)
    if encoding is None or encoding.parts.nan is None:
        return
    findings, parts = Findings(), encoding.parts
    for tensor, block in enumerate(document.blocks):
        for index, word in _other_nans(block, parts):
            where = f"/state/{tensor}/values/{_place(index, parts.levels)}"
            findings.add("TLJ-NAN-01", where, f"the NaN {word:#x}", f"{parts.nan:#x}")
    verdict = findings.verdict()
    if verdict is not None:
        raise StateError(verdict, escape_path(path))


def _other_nans(block: Block, parts: Words) -> Iterator[tuple[int, int]]:
    """Flat index and word of every NaN but the canonical one."""
    words = np.frombuffer(block.data, f"<u{parts.width}")
    magnitude = words & words.dtype.type(parts.format.sign_word - 1)
    for index in np.flatnonzero((magnitude > parts.format.largest + 1) & (words != parts.nan)):
        yield int(index), int(words[index])


def _place(index: int, levels: int) -> str:
    """Where a word stands in an array of values that are pairs of pairs, `levels` deep."""
    return "/".join([str(index >> levels), *(str(index >> level & 1) for level in reversed(range(levels)))])
