"""`bitproof inspect`: what is in a file that conforms."""

from __future__ import annotations

import argparse
import json
import sys

from bitproof.check.judging import shown
from bitproof.check.report import Exit
from bitproof.commands.documents import Opened, Unusable, conforming
from bitproof.text import Painter, count, printable

EXAMPLES = """\
examples:
  bitproof inspect model.knn            tables to read
  bitproof inspect --json model.knn     the same for programs

Every byte is verified first: what is shown is what the file holds. Exit status: 0 shown, 1 the file does not
conform (standard error says why), 2 it could not be looked at.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", help="a file, or - for standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: argparse.Namespace) -> Exit:
    """Show what is in the file."""
    try:
        with conforming(options.file, keep=False) as opened:
            _json(options.file, opened) if options.json else _text(options.file, opened)
    except Unusable as unusable:
        return unusable.tell()
    return Exit.OK


def _json(path: str, opened: Opened) -> None:
    overview = opened.tools.overview(opened.document, opened.view)
    whole = {"path": shown(path), "format": opened.known.name, "size": opened.view.size, **overview.plain}
    json.dump(whole, sys.stdout, indent=2)
    sys.stdout.write("\n")


def _text(path: str, opened: Opened) -> None:
    from bitproof.drawing import draw

    overview, paint = opened.tools.overview(opened.document, opened.view), Painter(sys.stdout)
    print(
        f"{paint('strong', shown(path, sys.stdout.encoding))}: {opened.known.title}, {count(opened.view.size, 'byte')}"
    )
    for name, value in overview.facts:
        print(f"  {name + ':':<14}{printable(value)}")
    draw(overview.tables)
