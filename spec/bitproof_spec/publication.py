"""Publication: how the bytes of a save come under their name, whole or not at all, as a state machine.

The tables here are the order of the calls and what a failed save still owes; `bitproof_spec.publication_machine` walks
them, `bitproof_spec.disk` says what each call does and what a crash may leave. Clauses: `spec/publication.md`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple, TypeAlias

LINKS_LIMIT = 40  # as many links as Linux follows
NEW_FILE_MODE = 0o666  # less the umask
PERMISSIONS = 0o777  # what an existing file keeps; set-id and sticky bits aren't passed on to other bytes
PRIVATE_MODE = 0o600  # of an incomplete file whose mode will be set
NAME_KEPT = 224  # bytes of the destination's name in the temporary's
TOKEN_BYTES = 8  # of randomness in the temporary's name
ATTEMPTS = 8  # at a temporary name that nobody has
TEMPORARY_SUFFIX = b".bitproof-tmp"


def temporary_name(name: bytes, token: bytes) -> bytes:
    """`.<name>.<16 hex>.bitproof-tmp`, at most 255 bytes (PUB-TEMP-01). ValueError for another size of token."""
    if len(token) != TOKEN_BYTES:
        raise ValueError(f"a token has {TOKEN_BYTES} bytes, not {len(token)}")
    return b".%b.%b%b" % (name[:NAME_KEPT], token.hex().encode("ascii"), TEMPORARY_SUFFIX)


def is_temporary(name: bytes) -> bool:
    """Whether a name is one that `temporary_name` gives, and so to be passed over by whoever reads a directory."""
    kept, dot, token = name.removesuffix(TEMPORARY_SUFFIX).rpartition(b".")
    if not name.endswith(TEMPORARY_SUFFIX) or kept[:1] != b"." or not 1 < len(kept) <= 1 + NAME_KEPT or not dot:
        return False
    return len(token) == 2 * TOKEN_BYTES and all(digit in b"0123456789abcdef" for digit in token)


class Call(Enum):
    """What a save asks of the system."""

    OPEN_DIRECTORY = "open the directory"
    CREATE_UNNAMED = "create a file without a name"
    CREATE_NAMED = "create a file under a temporary name, exclusively"
    WRITE = "write"
    CHECK_SIZE = "check the size"
    SET_MODE = "set the mode"
    SYNC_FILE = "sync the file"
    LINK = "give the file its temporary name"
    CLOSE_FILE = "close the file"
    RENAME = "rename the temporary to the destination"
    SYNC_DIRECTORY = "sync the directory"
    CLOSE_DIRECTORY = "close the directory"
    UNLINK = "remove the temporary name"


class Phase(Enum):
    """How far a save has come."""

    START = "nothing done"
    OPENED = "the directory is open"
    FOLLOWING = "a link led to another directory, which is open too"
    NAMED_ONLY = "the directory is open, and there are no unnamed files"
    UNNAMED = "a file without a name is being written"
    UNNAMED_WHOLE = "the unnamed file has its size"
    UNNAMED_READY = "the unnamed file is synced"
    NAMED = "a file with a temporary name is being written"
    NAMED_WHOLE = "the named file has its size"
    NAMED_READY = "the named file is synced"
    CLOSED = "the named file is closed"
    PUBLISHED = "the file has the destination's name"
    DURABLE = "the destination's name is synced"
    DONE = "the save returned"


Table: TypeAlias = Mapping[Phase, Mapping[Call, Phase]]

# PUB-ORDER-01.
DURABLE_TABLE: Table = {
    Phase.START: {Call.OPEN_DIRECTORY: Phase.OPENED},
    Phase.OPENED: {
        Call.OPEN_DIRECTORY: Phase.FOLLOWING,
        Call.CREATE_UNNAMED: Phase.UNNAMED,
        Call.CREATE_NAMED: Phase.NAMED,
    },
    Phase.FOLLOWING: {Call.CLOSE_DIRECTORY: Phase.OPENED},
    Phase.NAMED_ONLY: {Call.CREATE_NAMED: Phase.NAMED},
    Phase.UNNAMED: {
        Call.WRITE: Phase.UNNAMED,
        Call.CHECK_SIZE: Phase.UNNAMED_WHOLE,
        Call.CLOSE_FILE: Phase.NAMED_ONLY,  # the system can't name it later: begin again under a name
    },
    Phase.UNNAMED_WHOLE: {Call.SET_MODE: Phase.UNNAMED_WHOLE, Call.SYNC_FILE: Phase.UNNAMED_READY},
    Phase.UNNAMED_READY: {Call.LINK: Phase.NAMED_READY},
    Phase.NAMED: {Call.WRITE: Phase.NAMED, Call.CHECK_SIZE: Phase.NAMED_WHOLE},
    Phase.NAMED_WHOLE: {Call.SET_MODE: Phase.NAMED_WHOLE, Call.SYNC_FILE: Phase.NAMED_READY},
    Phase.NAMED_READY: {Call.CLOSE_FILE: Phase.CLOSED},
    Phase.CLOSED: {Call.RENAME: Phase.PUBLISHED},
    Phase.PUBLISHED: {Call.SYNC_DIRECTORY: Phase.DURABLE},
    Phase.DURABLE: {Call.CLOSE_DIRECTORY: Phase.DONE},
    Phase.DONE: {},
}


# PUB-FAIL-01: what a save that fails in a phase still does, in order, before its error is raised.
_UNNAMED_OWES = (Call.CLOSE_FILE, Call.CLOSE_DIRECTORY)
_NAMED_OWES = (Call.CLOSE_FILE, Call.UNLINK, Call.CLOSE_DIRECTORY)
CLEANUP: Mapping[Phase, tuple[Call, ...]] = {
    Phase.START: (),
    Phase.OPENED: (Call.CLOSE_DIRECTORY,),
    Phase.FOLLOWING: (Call.CLOSE_DIRECTORY, Call.CLOSE_DIRECTORY),
    Phase.NAMED_ONLY: (Call.CLOSE_DIRECTORY,),
    Phase.UNNAMED: _UNNAMED_OWES,
    Phase.UNNAMED_WHOLE: _UNNAMED_OWES,
    Phase.UNNAMED_READY: _UNNAMED_OWES,
    Phase.NAMED: _NAMED_OWES,
    Phase.NAMED_WHOLE: _NAMED_OWES,
    Phase.NAMED_READY: _NAMED_OWES,
    Phase.CLOSED: (Call.UNLINK, Call.CLOSE_DIRECTORY),
    Phase.PUBLISHED: (Call.CLOSE_DIRECTORY,),
    Phase.DURABLE: (Call.CLOSE_DIRECTORY,),
    Phase.DONE: (),
}

# Errors after which a save goes on: with a temporary name from the start, or with another token (PUB-TEMP-02).
RETRIED: Mapping[Call, frozenset[str]] = {
    Call.CREATE_UNNAMED: frozenset({"EOPNOTSUPP", "ENOTSUP", "EISDIR", "EINVAL", "ENOSYS", "EPERM"}),
    Call.CREATE_NAMED: frozenset({"EEXIST"}),
    Call.LINK: frozenset({"EEXIST"}),
}


class Protocol(NamedTuple):
    """The order of the calls, and what a save owes that fails in a phase."""

    table: Table
    cleanup: Mapping[Phase, tuple[Call, ...]]


def skipping(table: Table, calls: frozenset[Call]) -> Table:
    """The table in which these calls aren't made: whoever could make one can do what comes after it."""

    def edges(phase: Phase) -> dict[Call, Phase]:
        found: dict[Call, Phase] = {}
        for call, target in table[phase].items():
            found.update(edges(target) if call in calls else {call: target})
        return found

    return {phase: edges(phase) for phase in table}


# PUB-ORDER-02: `durable=False` skips both syncs and nothing else.
DURABLE_SAVE = Protocol(DURABLE_TABLE, CLEANUP)
QUICK_SAVE = Protocol(skipping(DURABLE_TABLE, frozenset({Call.SYNC_FILE, Call.SYNC_DIRECTORY})), CLEANUP)
