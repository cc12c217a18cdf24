"""What a native JSON state can't hold: NaN words other than the canonical one, named by tensor and index."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bitproof.paths import FilePathLike, escape_path
from bitproof.torchlean.errors import StateError
from bitproof_spec.document import Block
from bitproof_spec.findings import Findings
from bitproof_spec.torchlean.encodings import FLOAT, FLOAT32
from bitproof_spec.torchlean.json_state import JsonState

_INFINITY = {FLOAT.tag: 0x7FF0000000000000, FLOAT32.tag: 0x7F800000}
_NAN = {FLOAT.tag: FLOAT.nan, FLOAT32.tag: FLOAT32.nan}


def owe_canonical(document: JsonState, path: FilePathLike) -> None:
    """StateError, before a file is touched, for every NaN word that the tag doesn't allow; at most 100 are listed."""
    infinity, nan = _INFINITY.get(document.tag), _NAN.get(document.tag)
    if infinity is None or nan is None:
        return
    findings = Findings()
    for tensor, block in enumerate(document.blocks):
        for index, word in _other_nans(block, infinity, nan):
            findings.add("TLJ-NAN-01", f"/state/{tensor}/values/{index}", f"the NaN {word:#x}", f"{nan:#x}")
    verdict = findings.verdict()
    if verdict is not None:
        raise StateError(verdict, escape_path(path))


def _other_nans(block: Block, infinity: int, nan: int) -> Iterator[tuple[int, int]]:
    """Flat index and word of every NaN but the canonical one."""
    width = 8 if infinity > 1 << 32 else 4
    words = np.frombuffer(block.data, f"<u{width}")
    magnitude = words & words.dtype.type((1 << 8 * width - 1) - 1)
    for index in np.flatnonzero((magnitude > infinity) & (words != nan)):
        yield int(index), int(words[index])
