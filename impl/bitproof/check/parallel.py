"""Many files at a time, in processes; reports come in the order of the files."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context

from bitproof.check.judging import STDIN, Options, check
from bitproof.check.report import Report

_AHEAD = 8  # files a process that wait for their turn


def checked(found: Iterator[str | Report], options: Options, jobs: int) -> Iterator[Report]:
    """The reports on all targets. Standard input belongs to this process, so it is checked here."""
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        waiting: deque[Report | Future[Report]] = deque()
        for target in found:
            if isinstance(target, Report):
                waiting.append(target)
            else:
                waiting.append(check(target, options) if target == STDIN else pool.submit(check, target, options))
            if len(waiting) > _AHEAD * jobs:
                yield _done(waiting.popleft())
        while waiting:
            yield _done(waiting.popleft())


def _done(report: Report | Future[Report]) -> Report:
    return report.result() if isinstance(report, Future) else report
