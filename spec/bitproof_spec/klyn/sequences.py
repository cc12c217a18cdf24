"""Comparing a list of names with the one that is owed: missing, extra, duplicate and misplaced, without cascade."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple


class Comparison(NamedTuple):
    """How a list of names differs from the one owed, by indices into the two lists, each in ascending order.

    `missing` indexes the owed list, the others the found one; `places` gives for each found name the index of the
    owed one that it stands for, None for extras and duplicates.
    """

    missing: tuple[int, ...]
    extra: tuple[int, ...]
    duplicate: tuple[int, ...]
    misplaced: tuple[int, ...]
    places: tuple[int | None, ...]


def compare(owed: Sequence[str], found: Sequence[str]) -> Comparison:
    """What to report. The k-th occurrence of a name stands for its k-th occurrence in the owed list.

    A found name beyond those owed is a duplicate when the name is owed at all, else an extra; of those that stand
    for an owed one, all outside one longest run in order are misplaced.
    """
    owed_at = {key: index for index, key in enumerate(_numbered(owed))}
    names = frozenset(owed)
    places = tuple(owed_at.get(key) for key in _numbered(found))
    present = frozenset(place for place in places if place is not None)
    astray = [index for index, place in enumerate(places) if place is None]
    run = longest_run(places)
    return Comparison(
        missing=tuple(index for index in range(len(owed)) if index not in present),
        extra=tuple(index for index in astray if found[index] not in names),
        duplicate=tuple(index for index in astray if found[index] in names),
        misplaced=tuple(index for index, place in enumerate(places) if place is not None and index not in run),
        places=places,
    )


def longest_run(places: Sequence[int | None]) -> frozenset[int]:
    """The indices of one longest ascending run of different places, None left out.

    Where there are several: the one whose last place is lowest, then the one whose last but one is, and so on.
    """
    lowest: list[int] = []  # lowest[k] is the lowest last place of a run of k + 1 so far
    holders: list[int] = []  # the index at which that place stands
    before: dict[int, int | None] = {}  # each index's predecessor in its run
    for index, place in enumerate(places):
        if place is None:
            continue
        length = bisect_left(lowest, place)
        before[index] = holders[length - 1] if length else None
        lowest[length : length + 1] = [place]
        holders[length : length + 1] = [index]
    run: set[int] = set()
    at = holders[-1] if holders else None
    while at is not None:
        run.add(at)
        at = before[at]
    return frozenset(run)


def _numbered(names: Sequence[str]) -> list[tuple[str, int]]:
    """Each name with the number of its earlier occurrences."""
    seen: Counter[str] = Counter()
    result = []
    for name in names:
        result.append((name, seen[name]))
        seen[name] += 1
    return result
