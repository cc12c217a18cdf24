"""Conformance vectors as text, as JSON and as folders that describe themselves."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from fnmatch import fnmatchcase
from hashlib import sha256

from bitproof.check.registry import FORMATS
from bitproof.files import publish_bytes
from bitproof.identity import spec_digest
from bitproof_spec.vectors import Vector

FILE, EXPECTATION = "file", "expect.json"


def every() -> Iterator[Vector]:
    """All vectors of all formats, always in the same order; made one by one, since some are large."""
    for known in FORMATS:
        yield from known.load().vectors()


def matching(pattern: str) -> Iterator[Vector]:
    """The vectors whose id matches a glob pattern; "" matches all."""
    return (vector for vector in every() if not pattern or fnmatchcase(vector.id, pattern))


def expectation(vector: Vector, digest: str) -> dict[str, object]:
    """What `expect.json` says: everything of the vector but its bytes, of which it gives size and SHA-256."""
    return {
        "id": vector.id,
        "since": vector.since,
        "spec_sha256": digest,
        "clauses": list(vector.clauses),
        "result": vector.result,
        "failure": vector.failure,
        "effect": vector.effect,
        "twin": vector.twin,
        "request": dict(vector.request),
        "findings": [{"rule": rule, "where": where} for rule, where in vector.findings],
        "content": dict(vector.content),
        "size": len(vector.file),
        "sha256": sha256(vector.file).hexdigest(),
    }


def export(folder: str, pattern: str) -> int:
    """Write `format/area/case/` with `file` and `expect.json` for each matching vector; how many there were.

    Equal specifications give equal files, so exporting twice changes nothing. OSError when the system refuses.
    """
    digest, count = spec_digest(), 0
    for vector in matching(pattern):
        case = os.path.join(folder, *vector.id.split("/"))
        os.makedirs(case, exist_ok=True)
        text = json.dumps(expectation(vector, digest), indent=2) + "\n"
        publish_bytes(os.path.join(case, FILE), [vector.file], durable=False)
        publish_bytes(os.path.join(case, EXPECTATION), [text.encode("ascii")], durable=False)
        count += 1
    return count
