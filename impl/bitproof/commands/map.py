"""`bitproof map`: every byte range of a file and the clause that governs it, or what one byte belongs to."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from math import prod

from bitproof.check.content import Region
from bitproof.check.report import Exit
from bitproof.commands.documents import Opened, Unusable, conforming
from bitproof.commands.options import offset
from bitproof.compare.documents import subscript
from bitproof.compare.words import reading
from bitproof.text import count, printable

EXAMPLES = """\
examples:
  bitproof map model.knn          all regions: bytes, size, clause, content
  bitproof map model.knn 0x1a8    what the byte at that offset belongs to
  bitproof map model.knn 424      the same, in decimal

Ranges are half-open. `bitproof explain CLAUSE` says what a clause demands. Exit status: 0 shown, 1 the file does not
conform (standard error says why), 2 it could not be looked at, or the offset is beyond its end.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", help="a file, or - for standard input")
    parser.add_argument("offset", nargs="?", type=offset, metavar="OFFSET", help="a byte, decimal or with 0x")


def run(options: argparse.Namespace) -> Exit:
    """Show the regions of the file, or the one at an offset."""
    try:
        with conforming(options.file, keep=False) as opened:
            regions = opened.tools.regions(opened.document, opened.view)
            if options.offset is None:
                for region in regions:
                    print(_line(region, opened.view.size))
                return Exit.OK
            return _at(opened, options.offset)
    except Unusable as unusable:
        return unusable.tell()


def _line(region: Region, size: int) -> str:
    width = max(len(f"{size:x}"), 3)
    rule = f"{region.clause:<11}"
    shape = f" {region.tag}{list(region.shape)}" if region.tag else ""
    span = f"{region.start:#0{width + 2}x}..{region.end:#0{width + 2}x}"
    return f"{span} {region.end - region.start:>{len(f'{size:,}')},}  {rule} {printable(region.what)}{shape}"


def _at(opened: Opened, at: int) -> Exit:
    """The region that holds a byte, and what stands there."""
    if at >= opened.view.size:
        print(f"bitproof map: byte {at:#x} is not in a file of {count(opened.view.size, 'byte')}", file=sys.stderr)
        return Exit.FAILED
    region = next(each for each in opened.tools.regions(opened.document, opened.view) if each.start <= at < each.end)
    print(_line(region, opened.view.size))
    for name, text in _details(opened, region, at):
        print(f"  {name + ':':<10}{printable(text)}")
    return Exit.OK


def _details(opened: Opened, region: Region, at: int) -> Iterator[tuple[str, str]]:
    byte = opened.view.look(region.clause, at, 1)
    yield "offset", f"{at:#x} ({at:,}), byte {at - region.start:,} of {region.end - region.start:,} here"
    yield (
        "value",
        f"{byte.hex()}" + (f" ({byte.decode('ascii')!r})" if byte.isascii() and byte.decode().isprintable() else ""),
    )
    if region.tag:
        width = (region.end - region.start) // prod(region.shape)
        index, within = divmod(at - region.start, width)
        word = opened.view.look(region.clause, at - within, width)
        yield "element", f"{list(subscript(region.shape, index))}, byte {within} of {width}, least significant first"
        yield "word", f"{word[::-1].hex()} = {reading(region.tag, word)}"
    elif detail := opened.tools.detail(opened.view, region, at):
        yield "here", detail
    yield "rule", _meaning(opened, region.clause)


def _meaning(opened: Opened, clause: str) -> str:
    return opened.tools.rules[clause].meaning if clause in opened.tools.rules else clause
