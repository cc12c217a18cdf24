"""The file that a save fills: sequential, positioned and batched writes, each of them continued until it is whole.

Writes at positions may come from several threads. A write that failed is never forgotten: the save that let it pass
is refused at its end, and so is one whose threads still write when it says that it is done.
"""

from __future__ import annotations

import errno
import os
import sys
import threading
from collections.abc import Iterable
from typing import TypeAlias

Octets: TypeAlias = bytes | bytearray | memoryview

# No system takes more than 2^31 - 1 bytes in one call, and some refuse more instead of writing short.
LARGEST_WRITE = 1 << 30
# Chunks below this are gathered into one call; a copy in cache costs less than a call.
BATCH = 1 << 20


class OutputFile:
    """A file being written; `name` is what its errors name. Clauses PUB-WRITE-01 to PUB-WRITE-03."""

    def __init__(self, descriptor: int, name: str | bytes) -> None:
        self._descriptor = descriptor
        self._name = name
        self._position = 0
        self._size = 0
        self._idle = threading.Condition()
        self._writing = 0
        self._over = False
        self._failure: BaseException | None = None

    @property
    def size(self) -> int:
        """Bytes that the file has when all writes so far are whole: the end of the furthest one."""
        with self._idle:
            return self._size

    def write(self, data: Octets) -> None:
        """Append after the last sequential write, from 0. OSError when the system refuses."""
        view = _octets(data)
        self._put(self._position, view)
        self._position += len(view)

    def writev(self, chunks: Iterable[Octets]) -> None:
        """Append the chunks in order, small ones gathered into few calls. OSError when the system refuses."""
        batch = bytearray()
        for chunk in chunks:
            view = _octets(chunk)
            if len(batch) + len(view) > BATCH:
                self.write(batch)
                batch = bytearray()
            if len(view) >= BATCH:
                self.write(view)
            else:
                batch += view
            del chunk, view  # nothing that was written is held while the next chunk is made
        self.write(batch)

    def write_at(self, offset: int, data: Octets) -> None:
        """Write at a byte offset, from any thread; `write` goes on where it was. OSError when the system refuses."""
        if offset < 0:
            raise ValueError(f"an offset is not negative: {offset}")
        self._put(offset, _octets(data))

    def stop(self) -> bool:
        """Refuse all later writes and wait for those under way; false when there were any."""
        with self._idle:
            self._over = True
            idle = not self._writing
            self._idle.wait_for(lambda: not self._writing)
        return idle

    def finish(self) -> int:
        """End the writing and return the size. ValueError when threads still wrote; a failed write's own error."""
        if not self.stop():
            raise ValueError("the save said that it was done while other threads were still writing")
        if self._failure is not None:
            raise self._failure
        return self._size

    def _put(self, offset: int, view: memoryview) -> None:
        """One whole write; its failure is kept (PUB-WRITE-02)."""
        with self._idle:
            if self._over:
                raise ValueError("the save is over: nothing can be written any more")
            self._writing += 1
        try:
            self._put_all(offset, view)
        except BaseException as error:
            self._failure = self._failure or error
            raise
        finally:
            with self._idle:
                self._writing -= 1
                self._size = max(self._size, offset + len(view))
                self._idle.notify_all()

    def _put_all(self, offset: int, view: memoryview) -> None:
        """Continue what was cut short (PUB-WRITE-01)."""
        done = 0
        while done < len(view):
            try:
                written = _pwrite(self._descriptor, view[done : done + LARGEST_WRITE], offset + done)
                if written <= 0:
                    raise OSError(errno.EIO, "a write made no progress")
            except OSError as error:
                error.filename = self._name
                raise
            done += written


def _octets(data: Octets) -> memoryview:
    """The bytes of a C-contiguous buffer, whatever its items. TypeError for another one."""
    view = memoryview(data)
    return view.cast("B") if view.nbytes else memoryview(b"")


def _seek_and_write(descriptor: int, data: memoryview, offset: int) -> int:
    """`pwrite` where the system has none: one lock for all files, since a descriptor has one position."""
    with _SEEK:
        os.lseek(descriptor, offset, os.SEEK_SET)
        return os.write(descriptor, data)


def _pwrite(descriptor: int, data: memoryview, offset: int) -> int:
    if sys.platform == "win32":
        return _seek_and_write(descriptor, data, offset)
    return os.pwrite(descriptor, data, offset)


_SEEK = threading.Lock()
