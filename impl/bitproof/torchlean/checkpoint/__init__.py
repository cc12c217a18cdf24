"""The checked runtime API: modules here, optimizer state in `checkpoint.optimizer`, immutable state in `.state`.

    checkpoint.save(objective, path)            checkpoint.load(objective, path)
    checkpoint.optimizer.save(objective, path)  checkpoint.optimizer.load(objective, path)
    checkpoint.state.save(model, state, path)   checkpoint.state.load(model, encoding, path)

Bytes and device transfers are in `state_io` and `optimizer_io`.
"""

from __future__ import annotations

from typing import TypeVar

from bitproof.paths import FilePathLike
from bitproof.torchlean.checkpoint import optimizer as optimizer
from bitproof.torchlean.checkpoint import state as state
from bitproof.torchlean.checkpointable import checkpointable
from bitproof.torchlean.objective import Objective, parameters_of

S = TypeVar("S")


def save(objective: Objective[S], path: FilePathLike) -> None:
    """Save every parameter and persistent buffer of a live module in the files of its scalar and device.

    StateError for a NaN that JSON can't hold; OSError of the system, with the old file in place.
    """
    checkpointable(objective.scalar).write(objective.use_cuda, path, parameters_of(objective))


def load(objective: Objective[S], path: FilePathLike) -> None:
    """Restore a live module, all or nothing; tensors keep their identity. StateError with every finding; OSError."""
    checkpointable(objective.scalar).read(objective.use_cuda, path, parameters_of(objective))
