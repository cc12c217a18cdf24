"""Timing things in turns, and what a measured ratio owes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import NamedTuple

from bitproof.reading import processors

# Whether other processes take processors from our threads, whose time then says little; asked before we add ourselves.
BUSY = os.getloadavg()[0] > processors() / 2


class Measured(NamedTuple):
    """A ratio that was measured, the most that it may be (None: only told), and what was divided by what."""

    name: str
    ratio: float
    bound: float | None
    detail: str

    @property
    def kept(self) -> bool:
        """Whether the bound is kept."""
        return self.bound is None or self.ratio <= self.bound


Bench = Callable[[], Iterator[Measured]]


def cpu() -> float:
    """Seconds of processor time of this process and of those that it has waited for: busy neighbours don't count."""
    used = [getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def best(
    tasks: Mapping[str, Callable[[], object]], rounds: int, clock: Callable[[], float] = time.perf_counter
) -> dict[str, float]:
    """Seconds of the fastest of `rounds` runs of each task; they take turns, so that a busy machine is so for all.

    Each turn begins with a run that isn't timed: memory that the system hands out for the first time is slow to touch,
    and whose turn comes after a large one's would pay for it.
    """
    fastest = dict.fromkeys(tasks, float("inf"))
    for _ in range(rounds):
        for name, task in tasks.items():
            task()
            start = clock()
            task()
            fastest[name] = min(fastest[name], clock() - start)
    return fastest


def when_idle(bound: float) -> float | None:
    """A bound on the time of threads; none where the machine is busy: then the ratio is told and not judged."""
    return None if BUSY else bound


def milliseconds(**seconds: float) -> str:
    """Times by name, for a detail."""
    return ", ".join(f"{name.replace('_', ' ')} {1000 * value:.1f} ms" for name, value in seconds.items())
