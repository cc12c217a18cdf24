"""Making vectors of one format: ids, effects and kinds of failure from its rules, contents from its documents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from bitproof_spec.document import Block, Document
from bitproof_spec.format import Format, encode
from bitproof_spec.rules import Rulebook
from bitproof_spec.vectors import Failure, Vector, content

D = TypeVar("D", bound=Document)

SINCE = "1.0"
MALFORMED = ("header", "framing", "text")  # phases that find nothing to speak of


class Maker(Generic[D]):
    """Makes the vectors of one format."""

    def __init__(self, format: Format[D], rules: Rulebook) -> None:
        self._format = format
        self._rules = rules

    def valid(
        self, case: str, clauses: str, document: D, effect: str, file: bytes | None = None, **request: int
    ) -> Vector:
        """A file that every reader owes to accept as `document`; `case` is `area/name`, `clauses` ids with spaces."""
        whole = encode(self._format, document) if file is None else file
        id = f"{self._format.name}/{case}"
        return Vector(id, tuple(clauses.split()), "valid", "", effect, "", whole, (), content(document), request, SINCE)

    def invalid(self, case: str, clause: str, file: bytes, where: str, twin: str, **request: int) -> Vector:
        """A file that breaks one clause at one place; the rule's reason is the effect of getting it wrong."""
        rule, name = self._rules[clause], self._format.name
        failure: Failure = "malformed" if rule.phase in MALFORMED else "invalid"
        return Vector(
            f"{name}/{case}",
            (clause,),
            "invalid",
            "over budget" if "max_bytes" in request else failure,
            rule.why,
            f"{name}/{twin}",
            file,
            ((clause, where),),
            {},
            request,
            SINCE,
        )


def block32(shape: tuple[int, ...], words: Sequence[int]) -> Block:
    """A binary32 block of words."""
    return Block("binary32", shape, b"".join(word.to_bytes(4, "little") for word in words))
