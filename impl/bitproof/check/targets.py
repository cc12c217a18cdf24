"""From the paths of a command line to the files to check: a file as named, a folder for everything in it that counts.

Folders are walked in the order of their names' bytes, so two runs report alike. Links to files are followed, links to
folders are not, so no walk is endless; pipes, devices and links to nowhere are passed over.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence

from bitproof.check.judging import STDIN, reason
from bitproof.check.recognise import belongs, ends
from bitproof.check.report import Report
from bitproof.views import open_view


def targets(paths: Sequence[str]) -> Iterator[str | Report]:
    """The path of every file to check, in order; a report in the place of what can't be looked at."""
    for path in paths:
        if path != STDIN and os.path.isdir(path):
            yield from _inside(path)
        else:
            yield path


def _inside(folder: str) -> Iterator[str | Report]:
    """What counts in a folder, depth first; the stack holds the entries to come, next on top."""
    todo = [(folder, True)]
    while todo:
        path, is_folder = todo.pop()
        try:
            if is_folder:
                todo.extend(reversed(_entries(path)))
            elif stat.S_ISREG(os.stat(path).st_mode) and _counts(path):
                yield path
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
