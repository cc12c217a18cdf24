"""Savers with one fault each, as models: the exploration that passes the protocol must find every one of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from bitproof_spec.publication import CLEANUP, DURABLE_TABLE, QUICK_SAVE, Call, Phase, Protocol, Table, skipping
from proofs.core.publication_model import BLOCKS, EFFECTS, PATH, Effect, Model, World


def _with(changes: Mapping[Phase, Mapping[Call, Phase]]) -> Protocol:
    table: Table = {**DURABLE_TABLE, **changes}
    return Protocol(table, CLEANUP)


def _without(call: Call) -> Protocol:
    return Protocol(skipping(DURABLE_TABLE, frozenset({call})), CLEANUP)


def _effects(changes: Mapping[Call, Effect]) -> Mapping[Call, Effect]:
    return {**EFFECTS, **changes}


def _truncate_destination(world: World, number: int, _name: str) -> Iterator[World]:
    """Open the destination itself and cut it to nothing, instead of a new file."""
    file = world.disk.entry(PATH).now
    if file is None:
        disk = world.disk.create(number).link(number, PATH)
    else:
        disk = world.disk
        for block in range(len(disk.files[file])):
            disk = disk.write(file, block, None)
    yield world.moved(number, disk, unwritten=frozenset(range(BLOCKS)))


def _write_destination(world: World, number: int, _name: str) -> Iterator[World]:
    file = world.disk.entry(PATH).now
    assert file is not None
    unwritten = world.savers[number].unwritten
    for block in unwritten:
        yield world.moved(number, world.disk.write(file, block, number), unwritten=unwritten - {block})


def _create_over(world: World, number: int, name: str) -> Iterator[World]:
    """Take the temporary name whoever has it, and empty what is there."""
    disk = world.disk.create(number).link(number, name)
    yield world.moved(number, disk, unwritten=frozenset(range(BLOCKS)), temporary=name)


def _unlink_destination(world: World, number: int, name: str) -> Iterator[World]:
    """Make room by removing the destination first."""
    if world.savers[number].save.owed is None:
        yield world.moved(number, world.disk.unlink(PATH))
    else:
        yield from EFFECTS[Call.UNLINK](world, number, name)


def _sweep(world: World, _number: int, _name: str) -> Iterator[World]:
    """Clean up what a save before this one may have left."""
    yield world._replace(disk=world.disk.unlink("orphan"))


def _anything(world: World, _number: int, _name: str) -> Iterator[World]:
    yield world


_SYNC_LATE: Mapping[Phase, Mapping[Call, Phase]] = {
    Phase.UNNAMED_WHOLE: {Call.LINK: Phase.NAMED_READY},
    Phase.NAMED_WHOLE: {Call.CLOSE_FILE: Phase.CLOSED},
    Phase.CLOSED: {Call.RENAME: Phase.PUBLISHED},
    Phase.PUBLISHED: {Call.SYNC_FILE: Phase.DURABLE},
    Phase.DURABLE: {Call.SYNC_DIRECTORY: Phase.DONE},
}
_DIRECTORY_EARLY: Mapping[Phase, Mapping[Call, Phase]] = {
    Phase.NAMED_READY: {Call.SYNC_DIRECTORY: Phase.CLOSED},
    Phase.PUBLISHED: {Call.CLOSE_DIRECTORY: Phase.DONE},
}
_WRITE_LATE: Mapping[Phase, Mapping[Call, Phase]] = {
    Phase.UNNAMED: {Call.WRITE: Phase.UNNAMED, Call.SYNC_FILE: Phase.UNNAMED_WHOLE},
    Phase.UNNAMED_WHOLE: {Call.WRITE: Phase.UNNAMED_WHOLE, Call.CHECK_SIZE: Phase.UNNAMED_READY},
}
_ROOM_FIRST: Mapping[Phase, Mapping[Call, Phase]] = {
    Phase.NAMED_READY: {Call.UNLINK: Phase.CLOSED},
}

_LEAVING = Protocol(DURABLE_TABLE, {**CLEANUP, Phase.CLOSED: (Call.CLOSE_DIRECTORY,)})
_SWEEPING = Model(effects=_effects({Call.OPEN_DIRECTORY: _sweep}))
_IN_PLACE = Model(
    _with({Phase.OPENED: {Call.CREATE_NAMED: Phase.NAMED}, Phase.CLOSED: {Call.SYNC_DIRECTORY: Phase.DONE}}),
    _effects({Call.CREATE_NAMED: _truncate_destination, Call.WRITE: _write_destination}),
)
_NOT_EXCLUSIVE = Model(effects=_effects({Call.CREATE_NAMED: _create_over}))
_SHORT = Model(effects=_effects({Call.CHECK_SIZE: _anything}))
_NO_ROOM = Model(_with(_ROOM_FIRST), _effects({Call.UNLINK: _unlink_destination}))
_NO_DIRECTORY = Model(_without(Call.SYNC_DIRECTORY))


class Twin(NamedTuple):
    """A model with one fault, and the beginning or a piece of what the exploration must say of it."""

    model: Model
    fault: str


TORN = "a crash may leave ("  # and what follows is not whole
TWINS: Mapping[str, Twin] = {
    "the file is never synced": Twin(Model(_without(Call.SYNC_FILE)), TORN),
    "the file is synced after the rename": Twin(Model(_with(_SYNC_LATE)), TORN),
    "a block is written after the sync": Twin(Model(_with(_WRITE_LATE)), TORN),
    "a save without syncs is called durable": Twin(Model(QUICK_SAVE), TORN),
    "the directory is never synced": Twin(_NO_DIRECTORY, "a crash may leave (9, 9) under"),
    "the directory is synced before the rename": Twin(Model(_with(_DIRECTORY_EARLY)), "a crash may leave (9, 9) under"),
    "a short write is not continued": Twin(_SHORT, "the path holds"),
    "the destination is truncated in place": Twin(_IN_PLACE, "the path holds"),
    "the temporary name is not taken exclusively": Twin(_NOT_EXCLUSIVE, "the path holds"),
    "the destination is removed before the rename": Twin(_NO_ROOM, "the path holds None"),
    "a failed save leaves its temporary": Twin(Model(_LEAVING), "is nobody's"),
    "others' temporaries are cleaned up": Twin(_SWEEPING, "a temporary that isn't ours was touched"),
}
THREE_TWINS: Mapping[str, Twin] = {
    "the directory is never synced": Twin(_NO_DIRECTORY._replace(savers=3, failing=1), "a crash may leave"),
    "the temporary name is not taken exclusively": Twin(_NOT_EXCLUSIVE._replace(savers=3, failing=1), "the path holds"),
}
KILLED_TWINS: Mapping[str, Twin] = {
    "the destination is truncated in place": Twin(_IN_PLACE._replace(savers=1, power=False), "the path holds"),
    "a short write is not continued": Twin(_SHORT._replace(savers=1, power=False), "the path holds"),
    "the destination is removed before the rename": Twin(
        _NO_ROOM._replace(savers=1, power=False), "the path holds None"
    ),
    "a failed save leaves its temporary": Twin(Model(_LEAVING, savers=1, power=False), "is nobody's"),
}
