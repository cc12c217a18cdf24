"""The parser of a command: its help is as wide as the terminal, and its errors say what to do."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, NoReturn

from bitproof.text import printable

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


class Parser(argparse.ArgumentParser):
    """A parser that takes no abbreviations, tells its own usage of what it doesn't know, and of help unwritten."""

    _given: Sequence[str] = ()

    def __init__(self, prog: str, description: str | None = None, epilog: str | None = None) -> None:
        super().__init__(prog, description=description, epilog=epilog, formatter_class=_Help, allow_abbrev=False)

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        """As argparse, which is silent where help can't be written; OSError then."""
        (file or sys.stdout).write(self.format_help())

    def parse_known_args(  # type: ignore[override]  # argparse's own has overloads for other namespaces
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """As argparse; an error where something is left, here and not in the parser of the command around."""
        self._given = args or ()
        known, left = super().parse_known_args(args, namespace)
        if left:
            self.error(f"unrecognized arguments: {' '.join(left)}")
        return known, left

    def error(self, message: str) -> NoReturn:
        """As argparse, and what to do where an argument that names a file was taken for an option."""
        options = takewhile(lambda each: each != "--", self._given)
        file = next((each for each in options if each[:1] == "-" != each and os.path.lexists(each)), "")
        hint = f"; for the file of that name, write ./{printable(file)}, or -- before it" if file else ""
        super().error(f"{message}{hint}")


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal, within reason; argparse makes one for every argument, so it has to be cheap."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=max(40, min(_columns(), 100)) - 2)


def _columns() -> int:
    """Columns of the terminal, or what COLUMNS says; 80 where neither is known."""
    try:
        return int(os.environ.get("COLUMNS", "")) or 80
    except ValueError:
        pass
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns if sys.__stdout__ else 80
    except (OSError, ValueError):
        return 80
