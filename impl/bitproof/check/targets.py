"""From the paths of a command line to the files to check: a file as named, a folder for everything in it that counts.

Folders are walked in the order of their names' bytes, so two runs report alike. Links to files are followed, links to
folders are not, so no walk is endless; pipes, devices, links to nowhere and what a killed save left are passed over,
and so are files of no known format, which are counted.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence

from bitproof.check.judging import STDIN, reason
from bitproof.check.recognise import belongs, ends, left_over
from bitproof.check.report import Report
from bitproof.views import open_view


class Targets:
    """What the paths of a command line name; once walked, `passed_over` says how many files have no known format."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = paths
        self.passed_over = 0

    def __iter__(self) -> Iterator[str | Report]:
        """The path of every file to check, in order; a report in the place of what can't be looked at."""
        for path in self._paths:
            if path != STDIN and os.path.isdir(path):
                yield from self._inside(path)
            else:
                yield path

    def _inside(self, folder: str) -> Iterator[str | Report]:
        """What counts in a folder, depth first; the stack holds the entries to come, next on top."""
        todo = [(folder, True)]
        while todo:
            path, is_folder = todo.pop()
            try:
                if is_folder:
                    todo.extend(reversed(_entries(path)))
                elif stat.S_ISREG(os.stat(path).st_mode) and not left_over(path):
                    if _counts(path):
                        yield path
                    else:
                        self.passed_over += 1
            except FileNotFoundError:  # a link to nowhere, or gone since
                continue
            except OSError as error:
                yield Report(path, trouble=reason(error))


def _entries(folder: str) -> list[tuple[str, bool]]:
    """The paths in a folder, each with whether it is a folder itself, in the order of the names' bytes."""
    with os.scandir(folder) as entries:
        found = sorted(entries, key=lambda entry: os.fsencode(entry.name))
    return [(entry.path, entry.is_dir(follow_symlinks=False)) for entry in found]


def _counts(path: str) -> bool:
    with open_view(path, keep=False) as view:
        return belongs(path, *ends(view))
