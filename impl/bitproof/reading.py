"""A `bitproof_spec.format.View` over anything that can be read by offset: in pieces, hashed at once, on threads.

A view that checks hashes through a few reused buffers and drops the bytes. A view that loads reads into memory of its
own and hashes each piece while the processor's cache still holds it. Imports neither numpy nor torch.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from threading import Lock
from typing import TypeAlias

from bitproof.memory import owned, owned_each
from bitproof.threads import Crew
from bitproof_spec.format import Payload

Range: TypeAlias = "tuple[int, int]"
Read: TypeAlias = Callable[[memoryview, int], int]
Progress: TypeAlias = Callable[[int], None]

PIECE = 1 << 19  # bytes read and hashed at once: they fit the second-level cache
INLINE = 1 << 22  # less than this isn't worth a thread
MOST_THREADS = 8


class FileChanged(OSError):
    """The file became shorter while it was read."""


class FileView:
    """A view of `size` bytes that `read(buffer, offset)` brings, perhaps fewer at a time; 0 means that none are left.

    `keep`: payloads hold their bytes, each a writable memoryview of 64-byte aligned memory that nothing else refers
    to (`buffers.adopt` and `tensors.adopt` take it over); otherwise their data is empty. `progress` is told the number
    of further payload bytes that are done, by one thread at a time. `jobs` bounds the threads; 0 is one a processor.
    `name` is what errors call the file.
    """

    def __init__(
        self,
        read: Read,
        size: int,
        *,
        keep: bool,
        name: str | bytes | None = None,
        jobs: int = 0,
        progress: Progress | None = None,
    ) -> None:
        self._read = read
        self._size = size
        self._name = name
        self._keep = keep
        self._jobs = jobs or processors()
        self._progress = progress
        self._reporting = Lock()
        self._spare: list[memoryview] = []
        self._crew = Crew()

    @property
    def size(self) -> int:
        """Bytes in the file when it was opened."""
        return self._size

    def look(self, clause: str, start: int, length: int, /) -> bytes:
        """The bytes of one small run; fewer where the file ends before it does. OSError when it can't be read."""
        buffer = bytearray(max(0, min(length, self._size - start)))
        self._fill(clause, memoryview(buffer), start)
        return bytes(buffer)

    def blocks(self, clause: str, ranges: Sequence[Range], /, *, digest: bool) -> Sequence[Payload]:
        """The payloads at the ranges, in order; ValueError for one outside the file, OSError when it can't be read."""
        for start, length in ranges:
            if not 0 <= start <= start + length <= self._size:
                raise ValueError(f"{clause}: bytes {start}..{start + length} of a file of {self._size}")
        if not (self._keep or digest):
            return [Payload(b"", b"")] * len(ranges)

        def payloads(batch: Sequence[Range]) -> list[Payload]:
            return self._batch(clause, batch, digest)

        batches = list(batched(ranges))
        small = sum(length for _, length in ranges) < INLINE
        if small or len(batches) == 1 or self._jobs == 1:
            found = [payloads(batch) for batch in batches]
        else:
            found = self._crew.map(payloads, batches, self._jobs)
        return [payload for batch in found for payload in batch]

    def close(self) -> None:
        """Refuse further reading with ValueError: the descriptor may be another file's by then."""
        self._read = _closed
        self._spare.clear()

    def _batch(self, clause: str, batch: Sequence[Range], digest: bool) -> list[Payload]:
        """The payloads of neighbours by one read, or of one large range by many."""
        first, span = batch[0][0], batch[-1][0] + batch[-1][1] - batch[0][0]
        if span > PIECE:
            return [self._large(clause, first, span, digest)]
        buffer = self._borrow()
        whole = buffer[:span]
        self._fill(clause, whole, first)
        pieces = [whole[start - first : start - first + length] for start, length in batch]
        found = [Payload(b"", sha256(piece).digest() if digest else b"") for piece in pieces]
        if self._keep:
            homes = owned_each([len(piece) for piece in pieces])
            for home, piece in zip(homes, pieces, strict=True):
                home[:] = piece
            found = [Payload(home, payload.sha256) for home, payload in zip(homes, found, strict=True)]
        self._spare.append(buffer)
        self._report(sum(length for _, length in batch))
        return found

    def _large(self, clause: str, start: int, length: int, digest: bool) -> Payload:
        """The payload of a range that doesn't fit the buffer, piece by piece."""
        memory, sha = owned(length) if self._keep else self._borrow(), sha256()
        for at in range(0, length, PIECE):
            size = min(PIECE, length - at)
            piece = memory[at : at + size] if self._keep else memory[:size]
            self._fill(clause, piece, start + at)
            if digest:
                sha.update(piece)
            self._report(size)
        if not self._keep:
            self._spare.append(memory)
        return Payload(memory if self._keep else b"", sha.digest() if digest else b"")

    def _fill(self, clause: str, buffer: memoryview, start: int) -> None:
        """Read until the buffer is full, however few bytes a read brings."""
        done = 0
        while done < len(buffer):
            self._crew.go_on()
            try:
                count = self._read(buffer[done:], start + done)
            except OSError as error:
                error.filename = self._name
                raise
            if not count:
                met = f"{clause}: the file ended at byte {start + done}, and had {self._size} when it was opened"
                raise FileChanged(errno.EIO, met, self._name)
            done += count

    def _borrow(self) -> memoryview:
        """A buffer that no other thread uses."""
        try:
            return self._spare.pop()
        except IndexError:
            return memoryview(bytearray(PIECE))

    def _report(self, done: int) -> None:
        if self._progress is not None and done:
            with self._reporting:
                self._progress(done)


def batched(ranges: Sequence[Range]) -> Iterator[Sequence[Range]]:
    """Runs of ascending neighbours that one buffer holds with the gaps between them; a larger range stands alone."""
    batch: list[Range] = []
    for start, length in ranges:
        if batch and not (sum(batch[-1]) <= start and start + length - batch[0][0] <= PIECE):
            yield batch
            batch = []
        batch.append((start, length))
    if batch:
        yield batch


def processors() -> int:
    """Processors that this process may use, at most 8, which together hash faster than most disks read."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(usable, MOST_THREADS)


def _closed(buffer: memoryview, offset: int) -> int:
    raise ValueError(f"the view is closed: {len(buffer)} bytes at {offset} can't be read")
