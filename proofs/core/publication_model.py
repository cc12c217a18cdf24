"""Every run of a few concurrent savers on one directory: each order, each call failing, each token, a crash anywhere.

The savers walk a protocol's tables; the effects on the disk are the specification's. A state in which a saver isn't
moved any more is that saver killed; what the disk may hold after a loss of power is asked of every state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from bitproof_spec.disk import Contents, Disk
from bitproof_spec.publication import DURABLE_SAVE, Call, Phase, Protocol
from bitproof_spec.publication_machine import Save, advance

PATH = "path"
OLD = 9  # the value of the old file's blocks; a saver's value is its number
BLOCKS = 2


class Saver(NamedTuple):
    """One save, the blocks that it has still to write, and the temporary name that it has."""

    save: Save = Save()
    unwritten: frozenset[int] = frozenset(range(BLOCKS))
    temporary: str | None = None


class World(NamedTuple):
    """The disk, the savers, and who renamed in which order. File n is saver n's; the last file is the old one."""

    disk: Disk
    savers: tuple[Saver, ...]
    renamed: tuple[int, ...] = ()

    def moved(self, number: int, disk: Disk, **changes: object) -> World:
        """The world with another disk and a changed saver."""
        saver = self.savers[number]._replace(**changes)  # type: ignore[arg-type]  # names are the fields'
        return self._replace(disk=disk, savers=(*self.savers[:number], saver, *self.savers[number + 1 :]))


# What a call of a saver may do, given the temporary name it would take: the worlds after it; none, when it is refused.
Effect: TypeAlias = Callable[[World, int, str], Iterator[World]]


def _nothing(world: World, _number: int, _name: str) -> Iterator[World]:
    yield world


def _create_unnamed(world: World, number: int, _name: str) -> Iterator[World]:
    yield world.moved(number, world.disk.create(number), unwritten=frozenset(range(BLOCKS)))


def _create_named(world: World, number: int, name: str) -> Iterator[World]:
    if world.disk.entry(name).now is None:
        disk = world.disk.create(number).link(number, name)
        yield world.moved(number, disk, unwritten=frozenset(range(BLOCKS)), temporary=name)


def _link(world: World, number: int, name: str) -> Iterator[World]:
    if world.disk.entry(name).now is None:
        yield world.moved(number, world.disk.link(number, name), temporary=name)


def _write(world: World, number: int, _name: str) -> Iterator[World]:
    unwritten = world.savers[number].unwritten
    for block in unwritten:
        yield world.moved(number, world.disk.write(number, block, number), unwritten=unwritten - {block})


def _check_size(world: World, number: int, _name: str) -> Iterator[World]:
    if not world.savers[number].unwritten:
        yield world


def _sync_file(world: World, number: int, _name: str) -> Iterator[World]:
    yield world._replace(disk=world.disk.sync_file(number))


def _sync_directory(world: World, _number: int, _name: str) -> Iterator[World]:
    yield world._replace(disk=world.disk.sync_directory())


def _rename(world: World, number: int, _name: str) -> Iterator[World]:
    temporary = world.savers[number].temporary
    assert temporary is not None
    disk = world.disk.rename(temporary, PATH)
    yield world.moved(number, disk, temporary=None)._replace(renamed=(*world.renamed, number))


def _unlink(world: World, number: int, _name: str) -> Iterator[World]:
    temporary = world.savers[number].temporary
    assert temporary is not None
    yield world.moved(number, world.disk.unlink(temporary), temporary=None)


EFFECTS: Mapping[Call, Effect] = {
    Call.OPEN_DIRECTORY: _nothing,
    Call.CREATE_UNNAMED: _create_unnamed,
    Call.CREATE_NAMED: _create_named,
    Call.WRITE: _write,
    Call.CHECK_SIZE: _check_size,
    Call.SET_MODE: _nothing,
    Call.SYNC_FILE: _sync_file,
    Call.LINK: _link,
    Call.CLOSE_FILE: _nothing,
    Call.RENAME: _rename,
    Call.SYNC_DIRECTORY: _sync_directory,
    Call.CLOSE_DIRECTORY: _nothing,
    Call.UNLINK: _unlink,
}


class Model(NamedTuple):
    """What is explored: a protocol and its effects, how many savers, over what, whether power may be lost.

    Calls of the first `failing` savers may fail; those of the others, which are like them, succeed.
    """

    protocol: Protocol = DURABLE_SAVE
    effects: Mapping[Call, Effect] = EFFECTS
    savers: int = 2
    old: bool = True
    power: bool = True
    tokens: tuple[str, ...] = ("temporary 0", "temporary 1")
    failing: int = 2


def start(model: Model) -> World:
    """A directory, durable, with the old file or without, and with one temporary that a killed save left."""
    old = model.savers
    disk = Disk(((),) * (old + 1))
    if model.old:
        for block in range(BLOCKS):
            disk = disk.write(old, block, OLD)
        disk = disk.link(old, PATH)
    orphan = disk.link(old, "orphan") if model.old else disk
    return World(orphan.sync_file(old).sync_directory(), (Saver(),) * model.savers)


def moves(model: Model, world: World) -> Iterator[World]:
    """The worlds one call later: any saver's next call, done or failed."""
    for number, saver in enumerate(world.savers):
        if saver.save.over:
            continue
        owed = saver.save.owed
        for call in model.protocol.table[saver.save.phase] if owed is None else owed[:1]:
            yield from _calls(model, world, number, call)


def _calls(model: Model, world: World, number: int, call: Call) -> Iterator[World]:
    save = world.savers[number].save
    tokens = model.tokens if call in (Call.LINK, Call.CREATE_NAMED) else model.tokens[:1]
    for token in tokens:
        for after in model.effects[call](world, number, token):
            yield after.moved(number, after.disk, save=advance(model.protocol, save, call))
    if number < model.failing and save.owed is None:
        failed = [advance(model.protocol, save, call, error) for error in ("EIO", "EOPNOTSUPP")]
        for outcome in failed:
            yield world.moved(number, world.disk, save=outcome)


def whole(value: int) -> Contents:
    """The contents of a file that one save wrote whole."""
    return (value,) * BLOCKS


def fault(model: Model, world: World) -> str | None:
    """What is wrong with a world, or None: what the path holds now, what it may hold after a crash, leftovers."""
    old = whole(OLD) if model.old else None
    due = whole(world.renamed[-1]) if world.renamed else old
    if world.disk.now(PATH) != due:
        return f"the path holds {world.disk.now(PATH)}, owed {due}"
    if model.power:
        lost = world.disk.after(PATH) - _survivors(world, old)
        if lost:
            return f"a crash may leave {sorted(map(str, lost))[0]} under the path"
    return _leftover(model, world)


def _survivors(world: World, old: Contents) -> frozenset[Contents]:
    """What a crash may leave: nothing older than the youngest save that is durable."""
    durable = [
        place
        for place, number in enumerate(world.renamed)
        if world.savers[number].save.phase in (Phase.DURABLE, Phase.DONE)
    ]
    since = world.renamed[max(durable, default=0) :]
    return frozenset({whole(number) for number in since} | (set() if durable else {old}))


def _leftover(model: Model, world: World) -> str | None:
    holders = {saver.temporary for saver in world.savers if saver.save.holding}
    for name, cell in world.disk.entries:
        if cell.now is not None and name not in (PATH, "orphan") and name not in holders:
            return f"{name} is nobody's"
    if model.old and world.disk.now("orphan") != whole(OLD):
        return "a temporary that isn't ours was touched"
    if model.power and all(saver.save.phase is Phase.DONE for saver in world.savers):
        returned = [name for name, cell in world.disk.entries if name not in (PATH, "orphan") and cell.after != {None}]
        return f"a crash may bring {returned[0]} back" if returned else None
    return None


class Explored(NamedTuple):
    """How far an exploration came: states, states in which every save returned, and the first fault with its state."""

    states: int
    returned: int
    fault: str | None


def explore(model: Model) -> Explored:
    """Visit every state that can be reached, or stop at the first that has a fault."""
    first = start(model)
    seen = {first}
    open_worlds = [first]
    returned = 0
    while open_worlds:
        world = open_worlds.pop()
        returned += all(saver.save.phase is Phase.DONE and saver.save.owed is None for saver in world.savers)
        wrong = fault(model, world)
        if wrong is not None:
            return Explored(len(seen), returned, wrong)
        for after in moves(model, world):
            if after not in seen:
                seen.add(after)
                open_worlds.append(after)
    return Explored(len(seen), returned, None)
