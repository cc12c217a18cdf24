"""Conformance vectors: one file, what a reader owes to do with it, and why."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Literal, NamedTuple, TypeAlias

from bitproof_spec.canonical_json import canonical
from bitproof_spec.document import Block, Document, Leaf
from bitproof_spec.strict_json import JsonValue

Outcome: TypeAlias = Literal["valid", "invalid", "acceptable"]
Failure: TypeAlias = Literal["", "malformed", "invalid", "over budget"]


class Vector(NamedTuple):
    """One case of a suite.

    `id` is `format/area/case`, stable and never reused; `clauses` are the rules it is about: the one that an invalid
    file breaks, and it breaks no other. `findings` are the (rule id, place) pairs that a judge reports, advice for
    valid ones. `failure` is the kind of refusal; `effect` says what goes wrong in a reader that gets it wrong.
    `twin` is the id of the nearest valid case. `content` is the document of a valid file as tagged strings. `request`
    holds what the reader is to be given beside the file (`max_bytes`). `since` is the version of the suite.
    """

    id: str
    clauses: tuple[str, ...]
    result: Outcome
    failure: Failure
    effect: str
    twin: str
    file: bytes
    findings: tuple[tuple[str, str], ...]
    content: Mapping[str, str]
    request: Mapping[str, int]
    since: str


def content(document: Document) -> dict[str, str]:
    """A document as tagged strings by leaf, so that no reader's number type can lose a bit."""
    return {where: tagged(leaf) for where, leaf in document.leaves().items()}


def tagged(leaf: Leaf) -> str:
    """A leaf with its kind: `bool:true`, `int:-3`, `str:abc`, `bytes:00ff`, `null:`, `binary32[2,3]:<hex of bytes>`."""
    match leaf:
        case None:
            return "null:"
        case bool():
            return f"bool:{str(leaf).lower()}"
        case int():
            return f"int:{leaf}"
        case str():
            return f"str:{leaf}"
        case Block(tag, shape, data):
            return f"{tag}[{','.join(map(str, shape))}]:{data.hex()}"
        case _:
            return f"bytes:{leaf.hex()}"


def fingerprint(vector: Vector) -> str:
    """The SHA-256, in hex, of everything that freezes a vector: its file and all that is owed, but not its prose."""
    owed: JsonValue = {
        "id": vector.id,
        "clauses": vector.clauses,
        "result": vector.result,
        "failure": vector.failure,
        "twin": vector.twin,
        "file": sha256(vector.file).hexdigest(),
        "findings": vector.findings,
        "content": dict(vector.content),
        "request": {name: str(value) for name, value in vector.request.items()},
        "since": vector.since,
    }
    return sha256(canonical(owed)).hexdigest()
