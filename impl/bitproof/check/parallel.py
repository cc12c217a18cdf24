"""Many files at a time, in processes; reports come in the order of the files.

Ctrl-C reaches every process of a terminal. Here it's this one's to answer: the others are started with it blocked, so
that none is struck while Python starts in it, and are ended when this one leaves early.
"""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context

from bitproof.check.judging import STDIN, Options, check
from bitproof.check.report import Report

_AHEAD = 8  # files a process that wait for their turn


def checked(found: Iterator[str | Report], options: Options, jobs: int) -> Iterator[Report]:
    """The reports on all targets. Standard input belongs to this process, so it is checked here."""
    with _pool(jobs) as pool:
        waiting: deque[Report | Future[Report]] = deque()
        for target in found:
            if isinstance(target, Report):
                waiting.append(target)
            elif target == STDIN:
                waiting.append(check(target, options))
            else:
                with _uninterrupted():  # a process is started here, where one is missing
                    waiting.append(pool.submit(check, target, options))
            if len(waiting) > _AHEAD * jobs:
                yield _done(waiting.popleft())
        while waiting:
            yield _done(waiting.popleft())


@contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Processes for as long as all goes well; whoever leaves early doesn't wait for what they were doing."""
    pool = ProcessPoolExecutor(jobs, get_context("spawn"))
    try:
        yield pool
    except BaseException:
        with _uninterrupted():
            for child in active_children():
                child.terminate()
            pool.shutdown(cancel_futures=True)
        raise
    pool.shutdown()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold back SIGINT from this thread, and for good from the processes that it starts meanwhile."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _done(report: Report | Future[Report]) -> Report:
    return report.result() if isinstance(report, Future) else report
