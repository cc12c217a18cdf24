"""`bitproof diff`: the differences of two files that conform, bit for bit."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from bitproof.check.judging import shown
from bitproof.check.registry import Tools
from bitproof.check.report import Exit
from bitproof.commands.documents import Opened, Unusable, conforming
from bitproof.commands.options import offset
from bitproof.compare.documents import Change, Element, LeafChange, TensorChange, compare
from bitproof.compare.words import distance, reading
from bitproof.text import Painter, count, printable

EXAMPLES = """\
examples:
  bitproof diff before.knn after.knn               the first elements that differ in each tensor
  bitproof diff --limit 0 before.knn after.knn     all of them
  bitproof diff --json before.knn after.knn        the same for programs

Words are in hex, most significant digit first. "ulp" counts the numbers from one to the other; both zeros count as
one number, and a NaN is no number. Exit status: 0 equal bit for bit, 1 different, 2 they could not be compared.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("left", metavar="A", help="a file, or - for standard input")
    parser.add_argument("right", metavar="B", help="another file of the same format")
    parser.add_argument(
        "--limit", type=offset, default=5, metavar="N", help="elements shown of a tensor; 0: all (default: 5)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: argparse.Namespace) -> Exit:
    """Compare the files and print how they differ."""
    try:
        with conforming(options.left, keep=True) as left, conforming(options.right, keep=True) as right:
            if left.known.name != right.known.name:
                kinds = f"{left.known.title} and {right.known.title}"
                print(f"bitproof diff: files of different formats have no common leaves: {kinds}", file=sys.stderr)
                return Exit.FAILED
            changes = list(compare(left.document, right.document, options.limit or None))
            names = (shown(options.left), shown(options.right))
            _json(names, changes, left) if options.json else _text(names, changes, left)
    except Unusable as unusable:
        unusable.tell()
        return Exit.FAILED
    return Exit.REFUSED if changes else Exit.OK


def _json(names: tuple[str, str], changes: Iterable[Change], opened: Opened) -> None:
    whole = {"left": names[0], "right": names[1], "differences": [_plain(change, opened.tools) for change in changes]}
    json.dump(whole, sys.stdout, indent=2)
    sys.stdout.write("\n")


def _plain(change: Change, tools: Tools[Any]) -> dict[str, object]:
    if isinstance(change, TensorChange):
        return {**change._asdict(), "first": [element._asdict() for element in change.first]}
    plain: dict[str, object] = {"where": change.where, "left": change.left, "right": change.right}
    if word := _words(change, tools):
        plain |= {"left_reading": word.left, "right_reading": word.right, "distance": word.distance}
    return plain


def _text(names: tuple[str, str], changes: list[Change], opened: Opened) -> None:
    paint = Painter(sys.stdout)
    left, right = (paint("strong", name) for name in names)
    if not changes:
        print(f"{left} and {right} hold the same {opened.known.title} document, bit for bit")
        return
    print(f"{left} and {right} differ in {count(len(changes), 'place')}")
    for change in changes:
        lines = _tensor(change) if isinstance(change, TensorChange) else _leaf(change, opened.tools)
        title, *rest = (printable(line) for line in lines)
        print("\n".join([paint("strong", title), *rest]))


def _tensor(change: TensorChange) -> Iterator[str]:
    total = count(change.elements, "element")
    verb = "differs" if change.differing == 1 else "differ"
    yield f"{change.where} {change.tag}{list(change.shape)}: {change.differing:,} of {total} {verb}"
    yield from (f"  {_element(element)}" for element in change.first)
    if len(change.first) < change.differing:
        yield f"  and {change.differing - len(change.first):,} more"


def _element(element: Element) -> str:
    left, right = _worded(element.left, element.left_reading), _worded(element.right, element.right_reading)
    return _changed(f"{list(element.place)}: {left} -> {right}", element.distance)


def _leaf(change: LeafChange, tools: Tools[Any]) -> Iterator[str]:
    yield change.where
    word = _words(change, tools) or Words("", "", "")
    yield _changed(f"  {_worded(change.left, word.left)} -> {_worded(change.right, word.right)}", word.distance)


class Words(NamedTuple):
    """What the words on both sides mean, and how far apart they are."""

    left: str
    right: str
    distance: str


def _words(change: LeafChange, tools: Tools[Any]) -> Words | None:
    """The words of a member that is written as one, on the sides that have it."""
    sides = [tools.word(change.where, leaf) for leaf in (change.left_leaf, change.right_leaf)]
    if sides == [None, None]:
        return None
    apart = distance(sides[0][0], sides[0][1], sides[1][1]) if sides[0] and sides[1] else ""
    left, right = (reading(*side) if side else "" for side in sides)
    return Words(left, right, apart)


def _changed(text: str, apart: str) -> str:
    return f"{text}, {apart}" if apart else text


def _worded(word: str, reading: str) -> str:
    return f"{word} ({reading})" if reading else word
