"""Manifests of about a given size that cost a careless reader more time or memory than their size."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256

from bitproof_spec.klyn.constants import HEADER_SIZE
from bitproof_spec.klyn.header import of_manifest, pack

HEAD = b'{"format":"knn","precision":"binary32","training":null,'
MODEL = b'"model":{"type":"Sequential","stages":[{"type":"Input","name":"input_0","shape":[1]}]}'


def _filled(before: bytes, item: bytes, after: bytes, size: int) -> bytes:
    """`item` again and again, with commas, between the two ends."""
    count = max((size - len(before) - len(after)) // (len(item) + 1), 1)
    return before + b",".join([item] * count) + after


def huge_rank(size: int) -> bytes:
    """A tensor of millions of dimensions."""
    return _filled(
        HEAD + MODEL + b',"tensors":[{"id":"a","dtype":"binary32","shape":[', b"9007199254740991", b"]}]}", size
    )


def empty_arrays(size: int) -> bytes:
    """Millions of empty arrays."""
    return _filled(HEAD + MODEL + b',"tensors":[', b"[]", b"]}", size)


def one_string(size: int) -> bytes:
    """One string of escapes, which are three times as long as what they stand for."""
    start = HEAD + MODEL + b',"tensors":"'
    return start + rb"\u00e9" * ((size - len(start) - 2) // 6) + b'"}'


def late_duplicate(size: int) -> bytes:
    """A member's name again at the very end, after members by the hundred thousand."""
    names = [b'"%07x":0' % number for number in range((size - 200) // 12)]
    return b"{" + b",".join(names) + b',"0000000":0}'


def huge_integers(size: int) -> bytes:
    """One integer of millions of digits."""
    start = HEAD + MODEL + b',"tensors":'
    return start + b"9" * (size - len(start) - 1) + b"}"


def deep(size: int) -> bytes:
    """Arrays in arrays in arrays."""
    return b"[" * (size // 2) + b"]" * (size // 2)


def findings(size: int) -> bytes:
    """Tensors by the hundred thousand, each of which breaks a rule."""
    return _filled(HEAD + MODEL + b',"tensors":[', b"0", b"]}", size)


def unknown_stages(size: int) -> bytes:
    """As many stages as there may be, with names as long as fit."""
    one = b'{"type":"Dense","name":"' + b"a" * max(size // 4096 - 40, 1) + b'"}'
    return _filled(HEAD + b'"tensors":[],"model":{"type":"Sequential","stages":[', one, b"]}}", size)


NASTY: Mapping[str, Callable[[int], bytes]] = {
    "huge rank": huge_rank,
    "empty arrays": empty_arrays,
    "one string": one_string,
    "late duplicate": late_duplicate,
    "huge integers": huge_integers,
    "deep nesting": deep,
    "findings": findings,
    "unknown stages": unknown_stages,
}


def file_of(manifest: bytes) -> bytes:
    """A file with that manifest and nothing after it, its header true."""
    header = of_manifest(len(manifest), HEADER_SIZE + len(manifest), sha256(manifest).digest())
    return pack(header) + manifest
