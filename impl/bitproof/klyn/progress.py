"""How `fit` tells where it is: a bar on a terminal, a line an epoch, or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Report(Protocol):
    """What a pass over data tells."""

    def advance(self, samples: int) -> None:
        """So many more samples are done."""
        ...

    def epoch(self, epoch: int, loss: float, skipped: int) -> None:
        """An epoch is over: its index, its mean loss, and how many updates were skipped in it."""
        ...


class Silent:
    """`verbose=0`."""

    def advance(self, samples: int) -> None:
        """Nothing."""

    def epoch(self, epoch: int, loss: float, skipped: int) -> None:
        """Nothing."""


@contextmanager
def reporting(verbose: int, epochs: int, samples: int) -> Iterator[Report]:
    """The report of a training of some epochs over some samples; ValueError unless `verbose` is 0 or 1."""
    if verbose not in (0, 1):
        raise ValueError(f"verbose is 0 or 1, not {verbose!r}")
    if not verbose:
        yield Silent()
        return
    from rich.console import Console  # here: only what draws needs it
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(highlight=False)
    columns = (TextColumn("epoch {task.fields[shown]}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=samples, shown=f"1/{epochs}")

        class Shown:
            """On the bar; lines go above it."""

            def advance(self, samples: int) -> None:
                progress.advance(task, samples)

            def epoch(self, epoch: int, loss: float, skipped: int) -> None:
                rest = f"  {skipped} updates skipped" if skipped else ""
                console.print(f"epoch {epoch + 1}/{epochs}  loss {loss:.6g}{rest}")
                if epoch + 1 < epochs:
                    progress.reset(task, shown=f"{epoch + 2}/{epochs}")

        yield Shown()
