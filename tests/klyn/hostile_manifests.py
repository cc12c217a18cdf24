"""Manifests made to cost a reader time or memory, each of any size, under headers that fit them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bitproof_spec.klyn.vectors.building import text, with_text
from bitproof_spec.klyn.vectors.models import NONE, SGD

BASE, TRAINED = text(NONE), text(SGD)
ROW = b'{"id":"%d","dtype":"","shape":[],"offset":0,"length":9,"sha256":"' + b"0" * 64 + b'"}'
GENERATOR = b'{"stage":"drop-a","counter":"' + b"0" * 64 + b'"}'


def _instead(old: bytes, new: bytes, whole: bytes = BASE) -> bytes:
    """A manifest with something else in one place."""
    assert whole.count(old) == 1
    return whole.replace(old, new)


def _list(member: bytes, item: Callable[[int], bytes]) -> Callable[[int], bytes]:
    return lambda n: _instead(b'"%s":[]' % member, b'"%s":[%s]' % (member, b",".join(map(item, range(n)))))


def _named(body: Callable[[int], bytes]) -> Callable[[int], bytes]:
    return lambda n: _instead(b'"flatten_1"', b'"' + body(n) + b'"')


def _last(body: Callable[[int], bytes]) -> Callable[[int], bytes]:
    return lambda n: _instead(b'"training":null}', b'"training":' + body(n))


def _members(n: int) -> bytes:
    return b"".join(b',"%016d":0' % index for index in range(n))


# Each: the manifest of some size, by the number of its repeated parts.
KINDS: Mapping[str, Callable[[int], bytes]] = {
    "rank": lambda n: _instead(b"[2,2,1]", b"[" + b"2," * n + b"1]"),
    "empty-arrays": _list(b"tensors", lambda _: b"[]"),
    "empty-objects": _list(b"tensors", lambda _: b"{}"),
    "extra-rows": _list(b"tensors", lambda index: ROW % index),
    "one-string": _named(lambda n: b"f" * n),
    "escapes": _named(lambda n: b"\\u00e9" * n),
    "surrogates": _named(lambda n: b"\\ud83d\\udcbe" * n + b"\\ud83d"),
    "utf-8": _named(lambda n: b"\xc3\xa9" * n + b"\xff"),
    "digits": _last(lambda n: b"9" * n),
    "deep-arrays": _last(lambda n: b"[" * n),
    "deep-objects": _last(lambda n: b'{"":' * n),
    "duplicate-at-the-end": _last(lambda n: b"null" + _members(n) + b',"0000000000000000":0}'),
    "unknown-members": _last(lambda n: b"null" + _members(n) + b"}"),
    "spaces": lambda n: BASE + b" " * n,
    "generators": lambda n: _instead(b'"random":[', b'"random":[' + (GENERATOR + b",") * n, TRAINED),
}


def hostile(kind: str, parts: int) -> bytes:
    """The file of a hostile manifest with that many repeated parts."""
    return with_text(SGD if kind == "generators" else NONE, KINDS[kind](parts))


def filling(kind: str, size: int) -> int:
    """The number of parts with which a manifest has about `size` bytes, and no more."""
    part = (len(KINDS[kind](2000)) - len(KINDS[kind](1000))) / 1000
    parts = int((size - len(KINDS[kind](0))) / part)
    while len(KINDS[kind](parts)) > size:
        parts -= parts // 100
    return parts
