"""Which format a file has: by its content, else by its name's suffix, else by the magic that it nearly has.

The magics of other formats are near to ours too, so a file that is known to be something else stays that.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from bitproof.check.registry import FORMATS, Known
from bitproof_spec.format import View

LOOKED_AT = 4096  # bytes at either end of a file that decide its format
NO_FORMAT = "GEN-FMT-01"

_STRANGERS = (
    (b"version https://git-lfs", "a Git LFS pointer: the file itself was never fetched"),
    (b"PK\x03\x04", "a zip archive, as torch.save and Keras write"),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (b"\x1f\x8b", "gzip: unpack it first"),
    (b"\x28\xb5\x2f\xfd", "zstd: unpack it first"),
    (b"\x93NUMPY", "a numpy array"),
    (b"GGUF", "a GGUF file"),
    (b"\x80\x02", "a pickle"),
    (b"<!DOCTYPE", "an HTML page"),
    (b"<!doctype", "an HTML page"),
    (b"<html", "an HTML page"),
)


def ends(view: View) -> tuple[bytes, bytes]:
    """The first and last bytes of a file, as far as they decide its format."""
    head = view.look(NO_FORMAT, 0, LOOKED_AT)
    return head, view.look(NO_FORMAT, max(view.size - LOOKED_AT, 0), LOOKED_AT)


def recognise(name: str, head: bytes, tail: bytes, formats: Sequence[Known] = FORMATS) -> Known | None:
    """The format of a file that was named to be checked; None when it is none that is known."""
    found = _by_content(head, tail, formats) or _by_suffix(name, formats)
    return found or (None if looks_like(head) else _nearest(head, formats))


def belongs(name: str, head: bytes, tail: bytes, formats: Sequence[Known] = FORMATS) -> bool:
    """Whether a file met in a folder is one to check."""
    named = _by_suffix(name, formats)
    return _by_content(head, tail, formats) is not None or (named is not None and head.startswith(named.lead))


def left_over(path: str) -> bool:
    """Whether a file's name is one under which a killed save may have left it (PUB-TEMP-01)."""
    from bitproof_spec.publication import is_temporary  # here: only who walks a folder needs it

    return is_temporary(os.path.basename(os.fsencode(path)))


def looks_like(head: bytes) -> str:
    """What a file of no known format seems to be; "" when nothing is recognised."""
    if not head:
        return "an empty file"
    if head[8:10] == b'{"' and int.from_bytes(head[:8], "little") < 1 << 32:
        return "a safetensors file"
    return next((text for start, text in _STRANGERS if head.startswith(start)), "")


def _by_content(head: bytes, tail: bytes, formats: Sequence[Known]) -> Known | None:
    return next((known for known in formats if known.recognises(head, tail)), None)


def _by_suffix(name: str, formats: Sequence[Known]) -> Known | None:
    suffix = os.path.splitext(name)[1].lower()
    return next((known for known in formats if suffix in known.suffixes), None)


def _nearest(head: bytes, formats: Sequence[Known]) -> Known | None:
    """The format whose magic agrees in most bytes, at least half of those that are there; a start of a magic counts."""
    agreeing = {known.name: _agreement(head, known.magic) for known in formats}
    best = max(formats, key=lambda known: agreeing[known.name], default=None)
    return best if best is not None and agreeing[best.name] >= 0.5 else None


def _agreement(head: bytes, magic: bytes) -> float:
    if not head or not magic:
        return 0.0
    compared = min(len(head), len(magic))
    return sum(a == b for a, b in zip(head, magic, strict=False)) / compared
