"""What calls do to one directory, and what a loss of power may leave of it.

Every block of a file and every entry of the directory is a cell: what it holds now, and all that it may hold after a
crash. A change adds to the latter, only a sync reduces it to what is there. So unsynced changes may be lost, kept or
reordered one by one; a rename is two such changes, in whatever order. Real file systems allow less. PUB-POWER-01.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import NamedTuple, TypeAlias

# A block's value names the save that wrote it, an entry's the file. None: no such block, no such name.
Value: TypeAlias = int | None
Contents: TypeAlias = tuple[Value, ...] | None


class Cell(NamedTuple):
    """What is here now, and what may be here after a crash."""

    now: Value = None
    after: frozenset[Value] = frozenset({None})

    def set(self, value: Value) -> Cell:
        """The cell after an unsynced change."""
        return Cell(value, self.after | {value})

    def synced(self) -> Cell:
        """The cell once its value is durable."""
        return Cell(self.now, frozenset({self.now}))


class Disk(NamedTuple):
    """The files by number, each the cells of its blocks, and the directory's entries in the order of their names."""

    files: tuple[tuple[Cell, ...], ...]
    entries: tuple[tuple[str, Cell], ...] = ()

    def entry(self, name: str) -> Cell:
        """The entry of a name."""
        return dict(self.entries).get(name, Cell())

    def _with(self, changes: Mapping[str, Value]) -> Disk:
        entries = dict(self.entries)
        for name, value in changes.items():
            entries[name] = self.entry(name).set(value)
        return self._replace(entries=tuple(sorted(entries.items())))

    def _with_file(self, file: int, cells: tuple[Cell, ...]) -> Disk:
        return self._replace(files=(*self.files[:file], cells, *self.files[file + 1 :]))

    def create(self, file: int) -> Disk:
        """A new file with no name and no blocks, in the place of one that no name leads to."""
        return self._with_file(file, ())

    def write(self, file: int, block: int, value: Value) -> Disk:
        """One block written; those before it that were never written are holes."""
        cells = [*self.files[file], *(Cell() for _ in range(block + 1 - len(self.files[file])))]
        cells[block] = cells[block].set(value)
        return self._with_file(file, tuple(cells))

    def sync_file(self, file: int) -> Disk:
        """The file's blocks and length made durable, its name not."""
        return self._with_file(file, tuple(cell.synced() for cell in self.files[file]))

    def link(self, file: int, name: str) -> Disk:
        """The file under a name that nobody has."""
        return self._with({name: file})

    def rename(self, old: str, new: str) -> Disk:
        """The file `old` under the name `new` instead."""
        return self._with({new: self.entry(old).now, old: None})

    def unlink(self, name: str) -> Disk:
        """The name removed."""
        return self._with({name: None})

    def sync_directory(self) -> Disk:
        """All entries made durable."""
        return self._replace(entries=tuple((name, cell.synced()) for name, cell in self.entries))

    def now(self, name: str) -> Contents:
        """What a reader finds under the name, and what is there when the saver is killed (PUB-KILL-01)."""
        file = self.entry(name).now
        return None if file is None else _trimmed(tuple(cell.now for cell in self.files[file]))

    def after(self, name: str) -> frozenset[Contents]:
        """All that may be found under the name after a loss of power."""
        found: set[Contents] = set()
        for file in self.entry(name).after:
            if file is None:
                found.add(None)
            else:
                found.update(_trimmed(blocks) for blocks in product(*(cell.after for cell in self.files[file])))
        return frozenset(found)


def _trimmed(blocks: tuple[Value, ...]) -> tuple[Value, ...]:
    """The blocks of a file, which ends after the last one that exists."""
    while blocks and blocks[-1] is None:
        blocks = blocks[:-1]
    return blocks
