"""Linear time: checking a file four times as large takes four times as long, whatever is in it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from bitproof.check.judging import Options, check
from bitproof_spec.klyn.constants import DEFAULT_BUDGET
from tests.bench.checkpoints import many_large, write_anew
from tests.bench.measuring import Measured, best, cpu, milliseconds, when_idle
from tests.klyn.hostile_manifests import filling, hostile

FACTOR = 4
MOST = 5.5  # a good third more, since what is larger fits caches less
KINDS = ("rank", "empty-arrays", "one-string", "duplicate-at-the-end", "digits", "extra-rows")
MIB = 2**20


def linear() -> Iterator[Measured]:
    """Hostile manifests up to one MiB, still below the bound on values; and tensors against hashing on one thread."""
    with TemporaryDirectory() as folder:
        for kind in KINDS:
            yield _doubled(Path(folder), kind)
        yield from _throughput(Path(folder) / "large.knn")


def _doubled(folder: Path, kind: str) -> Measured:
    paths, parts = {}, filling(kind, MIB // FACTOR)
    for name, factor in (("once", 1), ("more", FACTOR)):
        path = folder / f"{name}.knn"
        path.write_bytes(hostile(kind, factor * parts))
        paths[name] = str(path)
    times = best({name: partial(check, path, Options(DEFAULT_BUDGET)) for name, path in paths.items()}, 2, cpu)
    detail = milliseconds(of_256_KiB=times["once"], of_1_MiB=times["more"])
    return Measured(f"manifest {FACTOR} times as long: {kind}", times["more"] / times["once"], MOST, detail)


def _throughput(path: Path) -> Iterator[Measured]:
    checkpoint = many_large(256 * MIB)
    write_anew(path, checkpoint)
    blocks = [block.data for _, block in checkpoint.tensors]
    tasks: dict[str, Callable[[], object]] = {
        "check": partial(check, str(path), Options()),
        "hash": lambda: [sha256(block).digest() for block in blocks],
    }
    for name, bound, clock in (("processor time", 1.3, cpu), ("time", when_idle(1.1), time.perf_counter)):
        times = best(tasks, 3, clock)
        detail = milliseconds(check=times["check"], sha256_on_one_thread=times["hash"])
        yield Measured(f"check of 256 MiB, {name}", times["check"] / times["hash"], bound, detail)
