"""Walking the tables of a save: call by call, with the error that each call gave; real traces are held against it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bitproof_spec.publication import RETRIED, Call, Phase, Protocol

# The phases in which a save has its temporary name, and in which the destination has the new bytes.
_HOLDING = frozenset({Phase.NAMED, Phase.NAMED_WHOLE, Phase.NAMED_READY, Phase.CLOSED})
_PUBLISHED = frozenset({Phase.PUBLISHED, Phase.DURABLE, Phase.DONE})
# A close that fails has closed nevertheless.
_CLOSING = frozenset({Call.CLOSE_FILE, Call.CLOSE_DIRECTORY})


class OutOfOrder(ValueError):
    """A call that the protocol doesn't allow here."""


class Save(NamedTuple):
    """A save: its phase and, once it has failed, what it still owes; `owed` is None while nothing failed."""

    phase: Phase = Phase.START
    owed: tuple[Call, ...] | None = None

    @property
    def over(self) -> bool:
        """Whether the save has returned or raised."""
        return self.phase is Phase.DONE or self.owed == ()

    @property
    def holding(self) -> bool:
        """Whether its temporary name exists."""
        return self.phase in _HOLDING if self.owed is None else Call.UNLINK in self.owed

    @property
    def published(self) -> bool:
        """Whether the new bytes are under the destination's name."""
        return self.phase in _PUBLISHED


def abandoned(protocol: Protocol, save: Save) -> Save:
    """The save after something failed in it: it owes what its phase owes, and nothing else follows."""
    return Save(save.phase, protocol.cleanup[save.phase])


def advance(protocol: Protocol, save: Save, call: Call, error: str = "") -> Save:
    """The save after one call, `error` being the name of what it raised (`EEXIST`). OutOfOrder when it isn't due."""
    if save.owed is None and call not in protocol.table[save.phase]:
        save = abandoned(protocol, save)  # by whoever fills the file, or by an interrupt: no call failed
    if save.owed is not None:
        if save.owed[:1] != (call,):
            raise OutOfOrder(f"{call.name} in {save.phase.name}, which owes {[owed.name for owed in save.owed]}")
        return Save(save.phase, save.owed[1:])
    reached = protocol.table[save.phase][call]
    if not error:
        return Save(reached)
    if error in RETRIED.get(call, ()):
        return Save(Phase.NAMED_ONLY if call is Call.CREATE_UNNAMED else save.phase)
    return abandoned(protocol, Save(reached if call in _CLOSING else save.phase))


def follow(protocol: Protocol, trace: Iterable[tuple[Call, str]]) -> Save:
    """Where a trace of (call, error) ends. OutOfOrder at the first call that isn't due, or when the save isn't over."""
    save = Save()
    for call, error in trace:
        save = advance(protocol, save, call, error)
    if not save.over:
        raise OutOfOrder(f"the trace ends in {save.phase.name}")
    return save
