"""A view that passes everything on: twins of formats change what comes through."""

from __future__ import annotations

from collections.abc import Sequence

from bitproof_spec.format import Payload, View


class Filtered:
    """The same file as another view shows it."""

    def __init__(self, view: View) -> None:
        self.view = view

    @property
    def size(self) -> int:
        return self.view.size

    def look(self, clause: str, start: int, length: int, /) -> bytes:
        return self.view.look(clause, start, length)

    def blocks(self, clause: str, ranges: Sequence[tuple[int, int]], /, *, digest: bool) -> Sequence[Payload]:
        return self.view.blocks(clause, ranges, digest=digest)
