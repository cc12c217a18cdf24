"""Tasks on threads of which one error ends all: hashing, reading and writing let other threads run meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


class Crew:
    """Threads that work on one thing and stop together; one `map` at a time."""

    def __init__(self) -> None:
        self._failure: BaseException | None = None

    def map(self, task: Callable[[T], R], items: Sequence[T], threads: int) -> list[R]:
        """The results of the task for all items, in order, on at most that many threads.

        Raises the error of a task, or the interruption of this thread, when every thread has stopped.
        """
        from concurrent.futures import ThreadPoolExecutor  # here: it takes longer to import than most checks last

        def watched(item: T) -> R:
            try:
                self.go_on()
                return task(item)
            except BaseException as error:
                self._failure = error
                raise

        try:
            with ThreadPoolExecutor(min(threads, len(items))) as pool:
                try:
                    return list(pool.map(watched, items))
                except BaseException as error:  # a task's, or an interruption of this thread
                    self._failure = error
                    raise
        finally:
            self._failure = None

    def go_on(self) -> None:
        """For tasks to call between two steps: raises the error that ended the work, if one did."""
        if self._failure is not None:
            raise self._failure
