"""The calls that a save makes, recorded as the protocol's, with any of them made to fail or cut short.

`TracedOs` stands in for the functions of `os` that the publication uses while it is entered; one thread at a time.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType
from typing import Any, NamedTuple
from unittest.mock import patch

from bitproof_spec.publication import Call
from bitproof_spec.publication_machine import OutOfOrder

_TMPFILE = getattr(os, "O_TMPFILE", 0)


class Plan(NamedTuple):
    """What to do to a save.

    Call number `fail_at` (from 0) raises `error`; unnamed files are refused unless `unnamed`; a write takes at most
    `largest_write` bytes; `before` is called ahead of every call with its number.
    """

    fail_at: int | None = None
    error: int = errno.EIO
    unnamed: bool = True
    largest_write: int | None = None
    before: Callable[[int], None] = lambda _number: None


class TracedOs:
    """Records the calls while it is entered; `trace` is what the protocol's machine follows."""

    def __init__(self, plan: Plan | None = None) -> None:
        self.plan = plan or Plan()
        self.trace: list[tuple[Call, str]] = []
        self._files: set[int] = set()
        self._patches = ExitStack()

    def __enter__(self) -> TracedOs:
        stand_ins = {
            "open": self._open,
            "pwrite": self._pwrite,
            "fstat": self._on_file(Call.CHECK_SIZE, os.fstat),
            "chmod": self._on_file(Call.SET_MODE, os.chmod),
            "fsync": self._fsync,
            "link": self._plain(Call.LINK, os.link),
            "close": self._close,
            "replace": self._plain(Call.RENAME, os.replace),
            "unlink": self._plain(Call.UNLINK, os.unlink),
        }
        self._real = {name: getattr(os, name) for name in stand_ins}
        for name, stand_in in stand_ins.items():
            self._patches.enter_context(patch.object(os, name, stand_in))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._patches.close()

    def _do(self, call: Call, act: Callable[[], Any]) -> Any:
        """Record one call and make it, or fail it as planned; a close is made even when it fails."""
        number = len(self.trace)
        self.plan.before(number)
        refused = call is Call.CREATE_UNNAMED and not self.plan.unnamed
        code = errno.EOPNOTSUPP if refused else self.plan.error if number == self.plan.fail_at else 0
        self.trace.append((call, errno.errorcode.get(code, "")))
        try:
            result = act() if not code or call in (Call.CLOSE_FILE, Call.CLOSE_DIRECTORY) else None
        except OSError as error:
            self.trace[number] = (call, errno.errorcode[error.errno or errno.EIO])
            raise
        if code:
            raise OSError(code, os.strerror(code))
        return result

    def _open(self, path: Any, flags: int, mode: int = 0o777, **where: Any) -> int:
        if _TMPFILE and flags & _TMPFILE == _TMPFILE:
            call = Call.CREATE_UNNAMED
        elif flags & os.O_DIRECTORY:
            call = Call.OPEN_DIRECTORY
        elif flags & os.O_CREAT and flags & os.O_EXCL:
            call = Call.CREATE_NAMED
        else:
            raise OutOfOrder(f"no save opens {path!r} with flags {flags:o}")
        descriptor: int = self._do(call, lambda: self._real["open"](path, flags, mode, **where))
        if call is not Call.OPEN_DIRECTORY:
            self._files.add(descriptor)
        return descriptor

    def _pwrite(self, descriptor: int, data: Any, offset: int) -> int:
        part = data[: self.plan.largest_write]
        written: int = self._do(Call.WRITE, lambda: self._real["pwrite"](descriptor, part, offset))
        return written

    def _fsync(self, descriptor: int) -> None:
        call = Call.SYNC_FILE if descriptor in self._files else Call.SYNC_DIRECTORY
        self._do(call, lambda: self._real["fsync"](descriptor))

    def _close(self, descriptor: int) -> None:
        call = Call.CLOSE_FILE if descriptor in self._files else Call.CLOSE_DIRECTORY
        self._files.discard(descriptor)
        self._do(call, lambda: self._real["close"](descriptor))

    def _on_file(self, call: Call, real: Callable[..., Any]) -> Callable[..., Any]:
        """A function that is a call of the protocol on our file, and itself on anything else."""

        def stand_in(target: Any, *rest: Any, **named: Any) -> Any:
            if target not in self._files:
                return real(target, *rest, **named)
            return self._do(call, lambda: real(target, *rest, **named))

        return stand_in

    def _plain(self, call: Call, real: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *rest, **named: self._do(call, lambda: real(*rest, **named))
