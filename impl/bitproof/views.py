"""Opening views of paths, descriptors and bytes. Files are read, never mapped.

So a file that is cut short meanwhile is an error and not a crash, nothing that was loaded depends on the file, and
no descriptor outlives the view. What can't be read by offset (a pipe, a terminal, a device) is spooled first.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager

from bitproof.paths import FilePathLike
from bitproof.reading import FileChanged as FileChanged
from bitproof.reading import FileView as FileView
from bitproof.reading import Progress

SPOOL_LIMIT = 1 << 32
SPOOLED_AT_ONCE = 1 << 18


@contextmanager
def open_view(
    path: FilePathLike, *, keep: bool, jobs: int = 0, progress: Progress | None = None, spool_limit: int = SPOOL_LIMIT
) -> Iterator[FileView]:
    """A view of the file at `path`, used as given; `keep`, `jobs` and `progress` as in `FileView`.

    TypeError for what isn't a path (a descriptor too), ValueError for a NUL in it, OSError when it can't be opened,
    is a directory, or isn't a regular file and brings more than `spool_limit` bytes.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NOCTTY)
    try:
        with open_descriptor(
            descriptor, os.fspath(path), keep=keep, jobs=jobs, progress=progress, spool_limit=spool_limit
        ) as view:
            yield view
    finally:
        os.close(descriptor)


@contextmanager
def open_descriptor(
    descriptor: int,
    name: str | bytes,
    *,
    keep: bool,
    jobs: int = 0,
    progress: Progress | None = None,
    spool_limit: int = SPOOL_LIMIT,
) -> Iterator[FileView]:
    """As `open_view` for an open descriptor, standard input for one, from where it stands; it isn't closed.

    `name` is what errors call it.
    """
    with _seekable(descriptor, name, spool_limit) as (source, start, size):

        def read(buffer: memoryview, offset: int) -> int:
            return os.preadv(source, [buffer], start + offset)

        view = FileView(read, size, keep=keep, name=name, jobs=jobs, progress=progress)
        try:
            yield view
        finally:
            view.close()


def from_bytes(data: bytes, *, keep: bool) -> FileView:
    """A view of a file held as bytes; what it keeps is copied."""
    held = memoryview(data)

    def read(buffer: memoryview, offset: int) -> int:
        found = held[offset : offset + len(buffer)]
        buffer[: len(found)] = found
        return len(found)

    return FileView(read, len(held), keep=keep)


@contextmanager
def _seekable(descriptor: int, name: str | bytes, limit: int) -> Iterator[tuple[int, int, int]]:
    """A descriptor that can be read by offset, where its content starts there, and its size."""
    status = os.fstat(descriptor)
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
    if stat.S_ISREG(status.st_mode) and status.st_size:
        start = os.lseek(descriptor, 0, os.SEEK_CUR)
        yield descriptor, start, max(0, status.st_size - start)
        return
    # The rest, and files that the kernel makes up as they are read, say nothing true of their size.
    head = os.read(descriptor, SPOOLED_AT_ONCE)
    if not head:
        yield descriptor, 0, 0
        return
    from tempfile import TemporaryFile  # here: it takes longer to import than most checks last

    with TemporaryFile() as spool:
        size = 0
        while head:
            size += spool.write(head)
            if size > limit:
                raise OSError(errno.EFBIG, f"more than {limit} bytes from what isn't a regular file", name)
            head = os.read(descriptor, SPOOLED_AT_ONCE)
        spool.flush()
        yield spool.fileno(), 0, size
