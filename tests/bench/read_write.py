"""Reading and writing against safetensors and torch, which verify nothing, and against the hashing that we owe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch

from bitproof import klyn
from bitproof.buffers import array_of
from bitproof_spec.klyn.document import Checkpoint
from tests.bench.checkpoints import many_large, many_small, write_anew
from tests.bench.measuring import Measured, best, milliseconds, when_idle

MIB = 2**20
ROUNDS = 3
Arrays = dict[str, "np.ndarray[tuple[int, ...], np.dtype[np.generic]]"]


def read_write() -> Iterator[Measured]:
    """256 MiB in 16 MiB tensors, and 10,000 tensors of 1 KiB and less, in the page cache.

    Large ones owe to be no slower than safetensors and one thread of SHA-256 one after the other. Of small ones the
    judge's work on each row of the table is most of the time, and only told.
    """
    if find_spec("safetensors") is None:
        return
    with TemporaryDirectory() as folder:
        yield from _compared(Path(folder), "256 MiB", many_large(256 * MIB), when_idle(1.0))
        yield from _compared(Path(folder), "10,000 small tensors", many_small(10_000), None)


def _compared(folder: Path, name: str, checkpoint: Checkpoint, bound: float | None) -> Iterator[Measured]:
    from safetensors.numpy import load_file, save_file

    arrays: Arrays = {id: array_of(block) for id, block in checkpoint.tensors}
    tensors = {id: torch.from_numpy(array) for id, array in arrays.items()}
    ours, theirs, torchs = folder / "a.knn", folder / "a.safetensors", folder / "a.pt"
    writes = best(
        {
            "ours": lambda: write_anew(ours, checkpoint),
            "safetensors": lambda: _anew(theirs, partial(save_file, arrays, str(theirs))),
            "torch": lambda: _anew(torchs, partial(torch.save, tensors, str(torchs))),
            "hash": lambda: [sha256(block.data).digest() for _, block in checkpoint.tensors],
        },
        ROUNDS,
    )
    yield from _ratios(f"write of {name}", writes, bound)
    reads = best(
        {
            "ours": lambda: klyn.read(ours),
            "safetensors": lambda: load_file(str(theirs)),
            "torch": lambda: torch.load(str(torchs), weights_only=True),
            "hash": lambda: [sha256(block.data).digest() for _, block in checkpoint.tensors],
        },
        ROUNDS,
    )
    yield from _ratios(f"read of {name}", reads, bound)


def _ratios(name: str, times: dict[str, float], bound: float | None) -> Iterator[Measured]:
    ours, safetensors, plain, hashing = (times[each] for each in ("ours", "safetensors", "torch", "hash"))
    detail = milliseconds(ours=ours, safetensors=safetensors, sha256_on_one_thread=hashing)
    yield Measured(f"{name}, to safetensors and SHA-256", ours / (safetensors + hashing), bound, detail)
    yield Measured(f"{name}, to torch", ours / plain, None, milliseconds(ours=ours, torch=plain))


def _anew(path: Path, write: Callable[[], object]) -> None:
    path.unlink(missing_ok=True)
    write()
