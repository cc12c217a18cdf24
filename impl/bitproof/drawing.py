"""Tables on a terminal or into a pipe, drawn with rich; imported only when something is drawn."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from rich import box
from rich.console import Console, JustifyMethod
from rich.table import Table as Drawn
from rich.text import Text

from bitproof.check.registry import Table
from bitproof.text import printable

_PIPE = 1000  # columns of what isn't a terminal: nothing is folded, so that programs see whole cells


def draw(tables: Iterable[Table]) -> None:
    """Print tables with a blank line before each; cells are folded where a terminal is too narrow, never cut."""
    width = None if sys.stdout.isatty() else _PIPE
    screen = Console(file=sys.stdout, width=width, markup=False, highlight=False, emoji=False)
    with screen.capture() as captured:
        for table in tables:
            screen.print()
            screen.print(Text(table.title, "bold"))
            screen.print(_drawn(table))
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def _drawn(table: Table) -> Drawn:
    grid = Drawn(box=box.SIMPLE_HEAD, show_edge=False)
    for column in table.columns:
        number = column.endswith("#")
        justify: JustifyMethod = "right" if number else "left"
        grid.add_column(Text(column.rstrip("#")), justify=justify, overflow="fold", no_wrap=number)
    for row in table.rows:
        grid.add_row(*(Text(printable(cell)) for cell in row))
    return grid
