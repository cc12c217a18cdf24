"""Twenty savers of twenty saves each on one path, and a reader beside them that looks for a file that isn't whole."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable

from bitproof.files import publish_bytes

SAVERS, SAVES = 20, 20
SIZE = 40_000


def value(saver: int, save: int) -> bytes:
    """The bytes of one save: two bytes that name it, over and over."""
    return bytes([saver, save]) * (SIZE // 2)


WHOLE = frozenset(value(saver, save) for saver in range(SAVERS) for save in range(SAVES))


def _save(path: str, saver: int, durable: bool) -> None:
    for save in range(SAVES):
        publish_bytes(path, [value(saver, save)[:7], value(saver, save)[7:]], durable=durable)


def _in_threads(path: str, durable: bool) -> Callable[[], bool]:
    savers = [threading.Thread(target=_save, args=(path, saver, durable)) for saver in range(SAVERS)]
    for saver in savers:
        saver.start()
    return lambda: any(saver.is_alive() for saver in savers)


def _in_processes(path: str, durable: bool) -> Callable[[], bool]:
    children = []
    for saver in range(SAVERS):
        child = os.fork()
        if not child:
            _save(path, saver, durable)
            os._exit(0)
        children.append(child)

    def going_on() -> bool:
        for child in list(children):
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                children.remove(child)
                if status:
                    sys.exit(f"a saver ended with {os.waitstatus_to_exitcode(status)}")
        return bool(children)

    return going_on


def main(path: str, route: str, kind: str, syncs: str) -> None:
    """Run the savers and print how many different whole files the reader saw; exit with a message on another one."""
    if route == "named":
        del os.O_TMPFILE
    threading.excepthook = lambda error: os._exit(f"{error.exc_value!r}" != "")
    start = _in_threads if kind == "threads" else _in_processes
    going_on = start(path, syncs == "durable")
    seen: set[bytes] = set()
    while True:
        last = not going_on()
        try:
            with open(path, "rb") as file:
                contents = file.read()
        except FileNotFoundError:
            contents = None
        if contents is not None:
            if contents not in WHOLE:
                sys.exit(f"{len(contents)} bytes that nobody saved")
            seen.add(contents)
        elif seen:
            sys.exit("the file went away")
        if last:
            break
    print(len(seen))
