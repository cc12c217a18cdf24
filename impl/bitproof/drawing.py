"""Tables on a terminal or into a pipe, drawn with rich; imported only when something is drawn."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from rich import box
from rich.cells import cell_len
from rich.console import Console, JustifyMethod
from rich.table import Table as Drawn
from rich.text import Text

from bitproof.check.content import Table
from bitproof.text import coloured, printable

_PIPE = 1000  # columns of what isn't a terminal: nothing is folded, so that programs see whole cells
_FOLDED = 20  # columns in which folded text is still easy to read
_BESIDE = "   "  # what the grid puts between two cells


def draw(tables: Iterable[Table]) -> None:
    """Print tables with a blank line before each; where a terminal is too narrow, a row's cells below each other."""
    width = None if sys.stdout.isatty() else _PIPE
    screen = Console(file=sys.stdout, width=width, highlight=False, force_terminal=coloured(sys.stdout))
    with screen.capture() as captured:
        for table in tables:
            screen.print()
            screen.print(Text(table.title, "bold"))
            if _least_width(table) <= screen.width:
                screen.print(_grid(table))
            else:
                screen.print(Text("\n".join(_records(table))), soft_wrap=True)
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def _least_width(table: Table) -> int:
    """Columns of a terminal that the table needs when its last column, and only that, is folded."""
    names = [column.rstrip("#") for column in table.columns]
    columns = zip(names, *table.rows, strict=True)
    widths = [max(cell_len(printable(cell)) for cell in cells) for cells in columns]
    return sum(widths[:-1]) + min(widths[-1], _FOLDED) + len(_BESIDE) * len(widths)


def _grid(table: Table) -> Drawn:
    grid = Drawn(box=box.SIMPLE_HEAD, show_edge=False)
    for column in table.columns:
        number, last = column.endswith("#"), column == table.columns[-1]
        justify: JustifyMethod = "right" if number else "left"
        grid.add_column(Text(column.rstrip("#")), justify=justify, overflow="fold", no_wrap=not last)
    for row in table.rows:
        grid.add_row(*(Text(printable(cell)) for cell in row))
    return grid


def _records(table: Table) -> Iterator[str]:
    """The rows one after another, a line for each cell that isn't empty."""
    for row in table.rows:
        cells = [(name.rstrip("#"), printable(cell)) for name, cell in zip(table.columns, row, strict=True) if cell]
        yield " {} {}".format(*cells[0])
        yield from (f"   {name}: {cell}" for name, cell in cells[1:])
