"""A progress bar on a terminal for files that take long; nothing anywhere else."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from bitproof.reading import Progress

LONG = 1 << 28  # bytes; hashing fewer takes less time than reading a bar


@contextmanager
def progress_bar(path: str, name: str) -> Iterator[Progress | None]:
    """What to tell of bytes done, while a bar is drawn on standard error; None when there is nobody to see one."""
    size = _size(path)
    if size < LONG or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # here: only who looks at a bar waits for its import
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn(binary_units=True))
    with Bar(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(name, total=size)
        yield lambda count: bar.advance(task, count)


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0
