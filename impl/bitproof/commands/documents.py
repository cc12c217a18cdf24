"""Files that have to conform before a command can work on what is in them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

from bitproof.check.judging import judge, opened, reason, reported, shown
from bitproof.check.progress import progress_bar
from bitproof.check.registry import Known, Tools
from bitproof.check.report import Exit, Report, Selection
from bitproof.check.writers import TextWriter
from bitproof.reading import FileView
from bitproof_spec.document import Document
from bitproof_spec.violations import Violation

UNBOUNDED = 1 << 64  # what a person looks into is as large as it is


class Opened(NamedTuple):
    """A conforming file that is open: its format, tools, document and view."""

    known: Known
    tools: Tools[Any]
    document: Document
    view: FileView


class Unusable(Exception):
    """A file that a command can't work on, and the report that says why."""

    def __init__(self, report: Report) -> None:
        super().__init__(report.path)
        self.report = report

    def tell(self) -> Exit:
        """Print the report on standard error; how the command ends."""
        writer = TextWriter(sys.stderr, quiet=True)
        writer.add(self.report)
        return writer.end()


@contextmanager
def conforming(path: str, *, keep: bool, max_bytes: int | None = UNBOUNDED) -> Iterator[Opened]:
    """The document of a file that conforms, with its tensors' bytes where `keep` says so.

    Unusable when it doesn't conform or can't be looked at.
    """
    with ExitStack() as stack:
        try:
            progress = stack.enter_context(progress_bar(path, shown(path)))
            view = stack.enter_context(opened(path, keep=keep, progress=progress))
            judged = judge(path, view, max_bytes)
        except OSError as error:
            raise Unusable(Report(path, trouble=reason(error))) from error
        if isinstance(judged, Violation):
            raise Unusable(reported(path, view.size, None, [judged], Selection()))
        if judged.document is None:
            raise Unusable(reported(path, view.size, judged, judged.violations, Selection()))
        yield Opened(judged.known, judged.tools, judged.document, view)
