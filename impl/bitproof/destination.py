"""Where a save goes: from a path to an open directory and a name in it, links followed.

Every later step is relative to the open directory (PUB-DEST-03): one that is moved meanwhile can't split a save, and
the one that is synced is the one that holds the name. Windows has only its path (PUB-SYS-03).
"""

from __future__ import annotations

import errno
import os
import stat
from typing import NamedTuple

from bitproof_spec.publication import LINKS_LIMIT, PERMISSIONS

# Windows has no calls relative to an open directory: there its path stands in for it.
_RELATIVE = os.supports_dir_fd >= {os.open, os.stat, os.readlink, os.rename, os.unlink}


class Directory:
    """An open directory and what a save does in it; every method raises the system's OSError."""

    def __init__(self, path: bytes, within: Directory | None = None) -> None:
        """Open `path`, taken relative to `within`."""
        self.path: bytes = os.path.join(within.path, path) if within else path
        self.descriptor: int | None = None
        if _RELATIVE:
            base = within.descriptor if within else None
            self.descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY, dir_fd=base)
        elif not stat.S_ISDIR(os.stat(self.path).st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))

    def at(self, name: bytes) -> bytes:
        """The name to pass together with `dir_fd=self.descriptor`."""
        return name if _RELATIVE else os.path.join(self.path, name)

    def enter(self, path: bytes) -> Directory:
        """Open the directory at `path` relative to this one, and close this one."""
        inner = Directory(path, self)
        try:
            self.close()
        except BaseException:
            inner.close()
            raise
        return inner

    def open(self, name: bytes, flags: int, mode: int) -> int:
        """A descriptor of `name`."""
        return os.open(self.at(name), flags | getattr(os, "O_BINARY", 0), mode, dir_fd=self.descriptor)

    def status(self, name: bytes) -> os.stat_result | None:
        """What `name` is, a link not followed; None when there is no such name."""
        try:
            return os.stat(self.at(name), dir_fd=self.descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def readlink(self, name: bytes) -> bytes:
        """Where the link `name` points."""
        return os.readlink(self.at(name), dir_fd=self.descriptor)

    def rename(self, old: bytes, new: bytes) -> None:
        """Give `old` the name `new`, in place of what had it."""
        os.replace(self.at(old), self.at(new), src_dir_fd=self.descriptor, dst_dir_fd=self.descriptor)

    def unlink(self, name: bytes) -> None:
        """Remove `name`."""
        os.unlink(self.at(name), dir_fd=self.descriptor)

    def close(self) -> None:
        """Close the directory; a second time does nothing."""
        descriptor, self.descriptor = self.descriptor, None
        if descriptor is not None:
            os.close(descriptor)


class Destination(NamedTuple):
    """An open directory, a name in it, and the permissions of the file of that name, None when there is none."""

    directory: Directory
    name: bytes
    permissions: int | None


def find(path: bytes) -> Destination:
    """Open the directory of the file that `path` finally names; links are followed, dangling ones too (PUB-DEST-02).

    OSError for a missing parent, a circle of links, and a destination that is not a regular file (PUB-DEST-01).
    """
    head, name = os.path.split(path)
    directory = Directory(head or b".")
    try:
        for _ in range(LINKS_LIMIT + 1):
            status = directory.status(name) if name not in (b"", b".", b"..") else None
            if status is None or not stat.S_ISLNK(status.st_mode):
                return Destination(directory, name, _permissions(name, status))
            head, name = os.path.split(directory.readlink(name))
            if head:
                directory = directory.enter(head)
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    except BaseException:
        directory.close()
        raise


def _permissions(name: bytes, status: os.stat_result | None) -> int | None:
    if name in (b"", b".", b"..") or (status is not None and stat.S_ISDIR(status.st_mode)):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if status is None:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file, and so never replaced")
    return stat.S_IMODE(status.st_mode) & PERMISSIONS
