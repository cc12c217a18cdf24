"""One call at a time on a model: overlapping ones are refused, never made to wait."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class OneAtATime:
    """A model's lock. It isn't re-entrant: a callback that runs inside `fit` can't save either."""

    __slots__ = ("_lock", "_running")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running = ""

    @contextmanager
    def holding(self, call: str) -> Iterator[None]:
        """Hold the lock for a call; RuntimeError that names both calls when another one is running."""
        if not self._lock.acquire(blocking=False):
            raise RuntimeError(f"{call} can't run while {self._running} is running on the same model")
        self._running = call
        try:
            yield
        finally:
            self._running = ""
            self._lock.release()
