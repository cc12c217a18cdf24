"""`bitproof vectors`: the conformance vectors, listed, shown and exported."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from glob import escape

from bitproof.check.judging import reason
from bitproof.check.report import Exit
from bitproof.check.vectors import expectation, export, matching
from bitproof.paths import escape_path
from bitproof.text import Painter, count, hexdump
from bitproof_spec.vectors import Vector

EXAMPLES = """\
examples:
  bitproof vectors list                                     a line for each vector
  bitproof vectors list 'knn/header/*'                      those of one area
  bitproof vectors show knn/header/cut-to-63                what it is, what is owed, and why
  bitproof vectors show --raw knn/header/cut-to-63 | bitproof check -
  bitproof vectors export suite/                            a folder for each: file and expect.json

The README.md of an export says what each member of expect.json means and how to judge a reader by the vectors.
Exit status: 0 done, 2 no vector matched, or a file could not be written.
"""
_SHOWN = 128  # bytes of a hex dump


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, prog=parser.prog)
    listing = actions.add_parser("list", help="print a line for each vector")
    listing.add_argument("pattern", nargs="?", default="", metavar="GLOB", help="only ids that match")
    showing = actions.add_parser("show", help="print one vector")
    showing.add_argument("id", metavar="ID", help="the id of a vector")
    output = showing.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print what expect.json says")
    output.add_argument("--raw", action="store_true", help="print the file's bytes")
    exporting = actions.add_parser("export", help="write a folder for each vector")
    exporting.add_argument("folder", metavar="DIR", help="where to; existing vectors are replaced")
    exporting.add_argument("pattern", nargs="?", default="", metavar="GLOB", help="only ids that match")


def run(options: argparse.Namespace) -> Exit:
    """List, show or export."""
    if options.action == "show" and options.raw and sys.stdout.isatty():
        print("bitproof vectors: bytes are nothing for a terminal: redirect them, or pipe them on", file=sys.stderr)
        return Exit.FAILED
    if options.action == "export":
        return _export(options)
    found = list(matching(options.pattern)) if options.action == "list" else _named(options.id)
    if not found:
        return _nothing(options)
    if options.action == "list":
        print("\n".join(_line(vector) for vector in found))
    else:
        _show(found[0], options)
    return Exit.OK


def _export(options: argparse.Namespace) -> Exit:
    try:
        number = export(options.folder, options.pattern)
    except OSError as error:
        print(f"bitproof vectors: {escape_path(error.filename or options.folder)}: {reason(error)}", file=sys.stderr)
        return Exit.FAILED
    if not number:
        return _nothing(options)
    print(f"{count(number, 'vector')} in {escape_path(options.folder)}")
    return Exit.OK


def _nothing(options: argparse.Namespace) -> Exit:
    asked = options.id if options.action == "show" else options.pattern
    print(f"bitproof vectors: no vector {asked!r}; `bitproof vectors list` names them all", file=sys.stderr)
    return Exit.FAILED


def _named(id: str) -> list[Vector]:
    """The vector of exactly that id, if there is one."""
    return [vector for vector in matching(escape(id)) if vector.id == id]


def _line(vector: Vector) -> str:
    return f"{vector.result:<10} {len(vector.file):>10,}  {vector.id:<44} {' '.join(vector.clauses)}"


def _show(vector: Vector, options: argparse.Namespace) -> None:
    if options.raw:
        sys.stdout.buffer.write(vector.file)
    elif options.json:
        from bitproof.identity import spec_digest

        json.dump(expectation(vector, spec_digest()), sys.stdout, indent=2)
        sys.stdout.write("\n")
    else:
        print("\n".join(_described(vector)))


def _described(vector: Vector) -> Iterator[str]:
    kind = f"to be refused as {vector.failure}" if vector.failure else vector.result
    yield f"{Painter(sys.stdout)('strong', vector.id)}: {kind}, {count(len(vector.file), 'byte')}, suite {vector.since}"
    yield f"  clauses: {' '.join(vector.clauses)}"
    yield f"  effect:  {vector.effect}"
    if vector.twin:
        yield f"  twin:    {vector.twin}"
    for name, value in vector.request.items():
        yield f"  given:   {name} = {value:,}"
    for rule, where in vector.findings:
        yield f"  owed:    {rule} at {where}"
    yield ""
    start = _fault(vector)
    yield from hexdump(vector.file[start : start + _SHOWN], start, len(vector.file))


def _fault(vector: Vector) -> int:
    """Where a hex dump shows most: the line before the first finding that is a range of bytes."""
    ranges = (where for _, where in vector.findings if where.startswith("0x"))
    return max(int(next(ranges, "0x0").partition("..")[0], 16) // 16 * 16 - 16, 0)
