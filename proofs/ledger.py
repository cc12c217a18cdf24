"""The ledger: `python -m proofs.ledger [--quick] [--parts] [ID …]` runs the laws and prints a row for each.

Exit 1 when a law is missing, falls below its committed outcome, or a broken twin of it was not refuted.
"""

from __future__ import annotations

import argparse
import pkgutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module

import proofs
from proofs.committed import COMMITTED, MAY_BE_TESTED
from proofs.law import Law, Outcome
from proofs.rows import Row, discrepancies, failures, run

STYLES: Mapping[str, str] = {"refuted": "bold red", "unknown": "bold red", "tested": "yellow", "not run": "dim"}


class Printer:
    """Plain lines, each as soon as its law is done."""

    def line(self, text: str, _style: str) -> None:
        """Print one line."""
        print(text, flush=True)

    def busy(self, _text: str) -> AbstractContextManager[object]:
        """Say what is being done, where that can be taken back."""
        return nullcontext()


class Styled(Printer):
    """Styled lines and a spinner, on a terminal."""

    def __init__(self) -> None:
        from rich.console import Console

        self._console = Console(highlight=False, soft_wrap=True)

    def line(self, text: str, style: str) -> None:
        """Print one line in a style."""
        self._console.print(text, style=style, markup=False)

    def busy(self, text: str) -> AbstractContextManager[object]:
        """Show a spinner until it is done."""
        from rich.text import Text

        return self._console.status(Text(text))


def discover() -> tuple[Law, ...]:
    """Every law under `proofs`, in the order of the committed list, others after."""
    order = [*COMMITTED]
    return tuple(sorted(modules().values(), key=lambda law: order.index(law.id) if law.id in order else len(order)))


def modules() -> Mapping[str, Law]:
    """The `LAW` of each module under `proofs` that has one, by the module's name."""
    names = [module.name for module in pkgutil.walk_packages(proofs.__path__, "proofs.") if not module.ispkg]
    found = {name: getattr(import_module(name), "LAW", None) for name in names if name != __name__}
    return {name: law for name, law in found.items() if isinstance(law, Law)}


def keep(
    laws: Sequence[Law],
    committed: Mapping[str, Outcome],
    *,
    quick: bool = False,
    parts: bool = False,
    out: Printer,
) -> int:
    """Run the laws, print the ledger, and return the exit code: 0 when every law is all that is committed."""
    wrong = [*discrepancies(laws, committed)]
    rows: list[Row] = []
    for law in laws:
        with out.busy(f"{law.id}: {law.statement}"):
            row = run(law, quick=quick)
        rows.append(row)
        for text, style in lines(row, parts=parts):
            out.line(text, style)
        wrong += failures(row)
    for text in wrong:
        out.line(f"FAILED {text}", "bold red")
    out.line(last_line(rows, len(wrong)), "bold red" if wrong else "bold green")
    return 1 if wrong else 0


def lines(row: Row, *, parts: bool) -> Iterator[tuple[str, str]]:
    """A row as text and style: id, outcome, cases, time, tools, statement; then its parts where they are asked for."""
    outcome = row.outcome if row.parts else "not run"
    figures = f"{outcome:13} {row.cases:>13,} {row.seconds:7.1f} s" if row.parts else f"{outcome:37}"
    yield f"{row.law.id:16} {figures}  {row.tools}: {row.law.statement}", STYLES.get(outcome, "green")
    for ran in row.parts if parts else ():
        result, twins = ran.result, len(ran.part.twins)
        figures = f"{result.outcome:13} {result.cases:>13,} {ran.seconds:7.1f} s"
        refuted = f"{twins - len(ran.unrefuted)} of {twins} twins refuted"
        yield f"{'':16} {figures}  {ran.part.by}: {ran.part.name}; {refuted}", "dim"


def last_line(rows: Sequence[Row], wrong: int) -> str:
    """Totals: laws, parts, refuted twins, and the gaps, which are laws only tested that should be shown."""
    ran = [part for row in rows for part in row.parts]
    twins = sum(len(part.part.twins) - len(part.unrefuted) for part in ran)
    gaps = [row.law.id for row in rows if row.law.committed == "tested" and row.law.id not in MAY_BE_TESTED]
    named = f" ({', '.join(gaps)})" if gaps else ""
    return f"{len(rows)} laws, {len(ran)} parts, {twins} twins refuted; {len(gaps)} gaps{named}, {wrong} failures"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; ids name the laws to run, all of them when there are none."""
    parser = argparse.ArgumentParser("proofs.ledger", description="Run the laws and print a row for each.")
    parser.add_argument("ids", nargs="*", metavar="ID", help="laws to run; all when none is named")
    parser.add_argument("--quick", action="store_true", help="only the parts that take seconds")
    parser.add_argument("--parts", action="store_true", help="the parts of each law below it")
    given = parser.parse_args(arguments)
    ids = given.ids or [*COMMITTED]
    if unknown := [id for id in ids if id not in COMMITTED]:
        parser.error(f"no law {', '.join(unknown)}; there are {', '.join(COMMITTED)}")
    committed = {id: COMMITTED[id] for id in ids}
    laws = [law for law in discover() if law.id in ids or not given.ids]
    return keep(
        laws, committed, quick=given.quick, parts=given.parts, out=Styled() if sys.stdout.isatty() else Printer()
    )


if __name__ == "__main__":
    sys.exit(main())
