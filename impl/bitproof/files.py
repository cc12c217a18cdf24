"""Publication on a real file system: the new bytes come under their name whole, or the old ones stay.

The steps are those of `bitproof_spec.publication`, in its order: open the directory, create a file without a name
(where the system has none: a temporary name, exclusively), write, check the size, set the mode, sync, give the
temporary name, close, rename, sync the directory. A file is never truncated in place.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Callable, Iterable, Iterator

from bitproof.destination import Destination, find
from bitproof.output_file import Octets, OutputFile
from bitproof.paths import FilePathLike, escape_path, path_bytes, path_name
from bitproof_spec.publication import (
    ATTEMPTS,
    NEW_FILE_MODE,
    PRIVATE_MODE,
    RETRIED,
    TOKEN_BYTES,
    Call,
    temporary_name,
)

__all__ = ["FilePathLike", "Octets", "OutputFile", "escape_path", "publish", "publish_bytes"]

_MODES_BY_DESCRIPTOR = os.chmod in os.supports_fd  # not on Windows, where a mode is one bit
_NO_UNNAMED_FILES = {getattr(errno, name, None) for name in RETRIED[Call.CREATE_UNNAMED]}


def publish(path: FilePathLike, fill: Callable[[OutputFile], None], *, durable: bool = True) -> None:
    """Save what `fill` writes under `path`, whole, or raise and leave what was there (`spec/publication.md`).

    On return the file is complete, and durable unless `durable` is false, which skips both syncs and nothing else.
    TypeError or ValueError for a path that can't be one; OSError when the system refuses a step; what `fill` raises
    passes through. Only an error of the last step, the directory's, leaves the new file in place, whole (PUB-FAIL-02).
    """
    name = path_name(path)
    raw = path_bytes(name)
    with _naming(name):
        save = _Save(find(raw))
    try:
        with _naming(name):
            output = save.create(name)
        fill(output)
        with _naming(name):
            save.complete(output.finish(), durable)
            save.replace()
    except BaseException:
        save.discard()
        raise
    with _naming(name):
        save.end(durable)


def publish_bytes(path: FilePathLike, chunks: Iterable[Octets], *, durable: bool = True) -> None:
    """Save the chunks one after another under `path`; as `publish` in everything."""
    publish(path, lambda output: output.writev(chunks), durable=durable)


class _Save:
    """One save under way: its directory, its open file, and the temporary name that the file has, if any."""

    def __init__(self, destination: Destination) -> None:
        self._directory, self._name, self._mode = destination
        self._descriptor: int | None = None
        self._output: OutputFile | None = None
        self._temporary: bytes | None = None

    def create(self, name: str | bytes) -> OutputFile:
        """Create the file to fill, unnamed where that can be."""
        if not self._create_unnamed():
            self._create_named()
        assert self._descriptor is not None  # by one of the two
        self._output = OutputFile(self._descriptor, name)
        return self._output

    def complete(self, size: int, durable: bool) -> None:
        """Check the size, set the mode, sync, see that the file has its temporary name, and close it.

        Clauses PUB-WRITE-03, PUB-MODE-02, PUB-ORDER-01, PUB-ORDER-02.
        """
        assert self._descriptor is not None
        found = os.fstat(self._descriptor).st_size
        if found != size:
            raise OSError(errno.EIO, f"the file has {found} bytes after {size} were written")
        if self._mode is not None and _MODES_BY_DESCRIPTOR:
            os.chmod(self._descriptor, self._mode)
        if durable:
            _sync(self._descriptor)
        if self._temporary is None:
            self._take_name(self._link)
        descriptor, self._descriptor = self._descriptor, None
        os.close(descriptor)

    def replace(self) -> None:
        """Put the complete file in the place of the old one (PUB-ORDER-03, PUB-RACE-01)."""
        assert self._temporary is not None
        self._directory.rename(self._temporary, self._name)

    def end(self, durable: bool) -> None:
        """Sync the directory and close it."""
        try:
            if durable and self._directory.descriptor is not None:
                _sync(self._directory.descriptor)
        finally:
            self._directory.close()

    def discard(self) -> None:
        """Leave nothing behind (PUB-FAIL-01); the error that led here is the one to raise."""
        if self._output is not None:
            self._output.stop()
        if self._descriptor is not None:
            with contextlib.suppress(OSError):
                os.close(self._descriptor)
        if self._temporary is not None:
            with contextlib.suppress(OSError):
                self._directory.unlink(self._temporary)
        with contextlib.suppress(OSError):
            self._directory.close()

    def _create_unnamed(self) -> bool:
        """Whether the file system gave an unnamed file that can get a name later (PUB-TEMP-02, PUB-SYS-01)."""
        if not hasattr(os, "O_TMPFILE"):
            return False
        mode = NEW_FILE_MODE if self._mode is None else PRIVATE_MODE
        try:
            self._descriptor = self._directory.open(b".", os.O_WRONLY | os.O_TMPFILE, mode)
        except OSError as error:
            if error.errno not in _NO_UNNAMED_FILES:
                raise
            return False
        if os.path.exists(_unnamed(self._descriptor)):
            return True
        os.close(self._descriptor)
        return False

    def _create_named(self) -> None:
        """Create the file under its temporary name; private, when the mode that it will have is known (PUB-MODE-03)."""
        if self._mode is None:
            umask = _umask()
            self._mode = None if umask is None else NEW_FILE_MODE & ~umask
        mode = NEW_FILE_MODE if self._mode is None else PRIVATE_MODE
        self._take_name(lambda name: self._create(name, mode))

    def _create(self, name: bytes, mode: int) -> None:
        self._descriptor = self._directory.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)

    def _link(self, name: bytes) -> None:
        """Name the unnamed file. A link relative to directories, since a plain one doesn't follow into /proc."""
        assert self._descriptor is not None
        directory = self._directory.descriptor
        os.link(_unnamed(self._descriptor), name, src_dir_fd=directory, dst_dir_fd=directory, follow_symlinks=True)

    def _take_name(self, make: Callable[[bytes], None]) -> None:
        """Make a temporary name that nobody has; one that somebody has is never touched (PUB-TEMP-03)."""
        for left in reversed(range(ATTEMPTS)):
            self._temporary = temporary_name(self._name, os.urandom(TOKEN_BYTES))
            try:
                make(self._temporary)
            except OSError as error:
                self._temporary = None  # it isn't ours
                if error.errno != errno.EEXIST or not left:
                    raise
            else:
                return


@contextlib.contextmanager
def _naming(name: str | bytes) -> Iterator[None]:
    """Errors of the system name the path as it was given, not a name inside the protocol."""
    try:
        yield
    except OSError as error:
        error.filename = name
        if error.filename2 is not None:
            del error.filename2
        raise


def _unnamed(descriptor: int) -> bytes:
    return b"/proc/self/fd/%d" % descriptor


def _sync(descriptor: int) -> None:
    """Ask for the bytes to be on the medium; on macOS `fsync` stops at the drive's cache (PUB-SYS-02)."""
    if sys.platform == "darwin":
        import fcntl

        fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
    else:
        os.fsync(descriptor)


def _umask() -> int | None:
    """The process's umask from its status, None where that isn't told; to set it would race (PUB-MODE-01)."""
    try:
        with open("/proc/thread-self/status", "rb") as status:
            lines = status.read().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1], 8) for line in lines if line.startswith(b"Umask:")), None)
