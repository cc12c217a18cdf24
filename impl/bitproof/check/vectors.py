"""Conformance vectors as text, as JSON and as folders that describe themselves."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from fnmatch import fnmatchcase
from hashlib import sha256

from bitproof.check.registry import FORMATS
from bitproof.files import publish_bytes
from bitproof.identity import spec_digest
from bitproof_spec.vectors import Vector

FILE, EXPECTATION, EXPLANATION = "file", "expect.json", "README.md"
_TITLE = "# Conformance vectors, exported by bitproof"
_README = f"""\
{_TITLE}

Each folder `format/area/case/` holds one case: `file`, the bytes to read, and `expect.json`, what a reader owes to do
with them. `bitproof vectors show ID` prints a case, `bitproof explain RULE` says what a rule means.

| member of expect.json | meaning |
|---|---|
| `id` | the name of the case, `format/area/case`; never reused |
| `since` | the version of the suite that has the case first |
| `spec_sha256` | the digest of the specification that the case was made from |
| `clauses` | the rules that it is about; an invalid file breaks that one and no other |
| `result` | `valid`: to be read; `invalid`: to be refused; `acceptable`, which no case is so far: either |
| `failure` | the kind of refusal: `malformed`, `invalid`, `over budget`; empty where the file is to be read |
| `effect` | what goes wrong in a reader that gets the case wrong |
| `twin` | the nearest case that is to be read; empty where there is none |
| `request` | what the reader is given beside the file: `max_bytes`, the most bytes that its tensors may take together |
| `findings` | the rules that `bitproof check` reports, and where; of a valid file advice. Others owe none of it |
| `content` | the document that the file holds, as tagged strings by JSON pointer or name of a tensor |
| `size`, `sha256` | of `file` |

A tagged string is a kind, a colon and a value, so that no reader's number type can lose a bit: `bool:true`, `int:-3`,
`str:abc`, `bytes:00ff`, `null:`, and `binary32[2,3]:` with the hex of a tensor's bytes in row-major order, each word
with its least significant byte first. `binary_E_F_B_S` is a format of E exponent and F fraction bits with bias B, whose
words with the largest exponent are as S says; `complex(T)` is two words of T. A member of a KNN file that is a real
number is a `str:` of its binary64 word, 16 hex digits, most significant first.

To judge a reader, give it every `file` with its `request`:

- `valid`: it must read the file, and what it read, written as tagged strings, must equal `content`;
- `invalid`: it must refuse the file with an error of its own. A crash, an endless run or a document is a fault. Where
  it tells kinds of refusal apart, the kind must be `failure`.
"""


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
    """Write `format/area/case/` with `file` and `expect.json` for each matching vector, and one README.md that says
    what they mean; how many vectors there were.

    Equal specifications give equal files, so exporting twice changes nothing. OSError when the system refuses, and,
    before anything is written, when the folder has a README.md of somebody else's.
    """
    digest, count = spec_digest(), 0
    explanation = os.path.join(folder, EXPLANATION)
    _owe_ours(explanation)
    for vector in matching(pattern):
        case = os.path.join(folder, *vector.id.split("/"))
        os.makedirs(case, exist_ok=True)
        text = json.dumps(expectation(vector, digest), indent=2) + "\n"
        publish_bytes(os.path.join(case, FILE), [vector.file], durable=False)
        publish_bytes(os.path.join(case, EXPECTATION), [text.encode("ascii")], durable=False)
        count += 1
    if count:
        publish_bytes(explanation, [_README.encode("ascii")], durable=False)
    return count


def _owe_ours(explanation: str) -> None:
    """FileExistsError when there is such a file and no export has written it."""
    try:
        with open(explanation, "rb") as file:
            ours = file.read(len(_TITLE)) == _TITLE.encode("ascii")
    except FileNotFoundError:
        return
    if not ours:
        raise FileExistsError(errno.EEXIST, "is there and from no export; name another folder", explanation)
