"""Judging one file: open it, recognise its format, let the format's judge speak, and put words to its findings."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from bitproof.check.recognise import NO_FORMAT, ends, looks_like, recognise
from bitproof.check.registry import FORMATS, Known, Tools
from bitproof.check.report import Report, Selection
from bitproof.paths import escape_path
from bitproof.reading import FileView, Progress
from bitproof.views import SPOOL_LIMIT, open_descriptor, open_view
from bitproof_spec.document import Document
from bitproof_spec.violations import Violation, Violations

STDIN = "-"
_SPOOLED = 64  # bytes of a file for each byte of its tensors: JSON with every bit spelled out, and room to spare
_SPOOLED_BESIDE = 1 << 26  # bytes of everything else in a file, with room to spare


class Options(NamedTuple):
    """How to judge: the bound on tensor bytes (None: the format's own), and what to report."""

    max_bytes: int | None = None
    selection: Selection = Selection()


class Judged(NamedTuple):
    """A file that was looked at: its format, its tools, and its document or what is wrong with it."""

    known: Known
    tools: Tools[Any]
    document: Document | None
    violations: tuple[Violation, ...]


def check(path: str, options: Options, progress: Progress | None = None) -> Report:
    """The report on the file at `path`, or on standard input for "-". The system's errors end up in the report."""
    try:
        with opened(path, keep=False, progress=progress, max_bytes=options.max_bytes) as view:
            return _report(path, view, options)
    except OSError as error:
        return Report(path, trouble=reason(error))


def judge(path: str, view: FileView, max_bytes: int | None) -> Judged | Violation:
    """The judgement of the file's format on it; the violation of GEN-FMT-01 when it has none that is known."""
    head, tail = ends(view)
    known = recognise(path, head, tail)
    if known is None:
        names = ", ".join(each.title for each in FORMATS)
        return Violation(NO_FORMAT, f"0x0..{len(head[:8]):#x}", _found(head), f"one of: {names}")
    tools = known.load()
    verdict = tools.format(max_bytes).judge(view)
    if isinstance(verdict, Violations):
        return Judged(known, tools, None, verdict.all)
    return Judged(known, tools, verdict, tuple(tools.advice(view)))


@contextmanager
def opened(
    path: str, *, keep: bool, progress: Progress | None = None, max_bytes: int | None = None
) -> Iterator[FileView]:
    """A view of the file at `path`, or of standard input for "-"; OSError when it can't be had.

    What has to be read to its end before it can be judged, a pipe say, is read as far as a file whose tensors take
    `max_bytes` can be long, at most `SPOOL_LIMIT`.
    """
    limit = SPOOL_LIMIT if max_bytes is None else min(SPOOL_LIMIT, _SPOOLED_BESIDE + _SPOOLED * max_bytes)
    if path != STDIN:
        with open_view(path, keep=keep, progress=progress, spool_limit=limit) as view:
            yield view
    elif sys.stdin is None:  # closed from the start; its number may be another file's by now
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    else:
        with open_descriptor(0, "standard input", keep=keep, progress=progress, spool_limit=limit) as view:
            yield view


def shown(path: str, encoding: str = "utf-8") -> str:
    """The name of what is checked, printable; standard input by its name, an empty one in quotes."""
    return "standard input" if path == STDIN else escape_path(path, encoding) or "''"


def reason(error: OSError) -> str:
    """Why the system refused, without the path that stands beside it anyway."""
    return error.strerror or os.strerror(error.errno) if error.errno else str(error)


def _report(path: str, view: FileView, options: Options) -> Report:
    judged = judge(path, view, options.max_bytes)
    if isinstance(judged, Violation):
        return reported(path, view.size, None, [judged], options.selection)
    return reported(path, view.size, judged, judged.violations, options.selection)


def reported(
    path: str, size: int, judged: Judged | None, violations: Sequence[Violation], selection: Selection
) -> Report:
    """The report on a file of that many bytes, with the violations that are selected put into words."""
    name, title = (judged.known.name, judged.known.title) if judged else ("", "")
    if not violations:
        return Report(path, name, title, size)
    from bitproof.check.wording import findings  # here: a file that conforms needs no words

    said = findings(violations, judged.tools if judged else None)
    kept = tuple(finding for finding in said if selection.takes(finding.rule))
    hidden = sum(finding.severity == "error" for finding in said) - sum(each.severity == "error" for each in kept)
    return Report(path, name, title, size, kept, hidden)


def _found(head: bytes) -> str:
    return looks_like(head) or f"bytes {head[:8].hex(' ')}"
