"""Linear time: checking a file twice as large takes twice as long, whatever is in it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from bitproof.check.judging import Options, check
from bitproof.reading import processors
from bitproof_spec.klyn.constants import DEFAULT_BUDGET
from tests.bench.checkpoints import many_large, write_anew
from tests.bench.measuring import Measured, best, milliseconds
from tests.klyn.hostile_manifests import filling, hostile

MOST = 2.4  # twice the work, and a fifth for a machine that does other things too
KINDS = ("rank", "empty-arrays", "one-string", "duplicate-at-the-end", "digits", "extra-rows")
MIB = 2**20


def linear() -> Iterator[Measured]:
    """Hostile manifests of one and two MiB, and tensors against plain hashing on one thread."""
    with TemporaryDirectory() as folder:
        for kind in KINDS:
            yield _doubled(Path(folder), kind)
        yield _throughput(Path(folder) / "large.knn")


def _doubled(folder: Path, kind: str) -> Measured:
    paths, parts = {}, filling(kind, MIB)
    for name, factor in (("once", 1), ("twice", 2)):
        path = folder / f"{name}.knn"
        path.write_bytes(hostile(kind, factor * parts))
        paths[name] = str(path)
    times = best({name: partial(check, path, Options(DEFAULT_BUDGET)) for name, path in paths.items()}, 2)
    detail = milliseconds(of_1_MiB=times["once"], of_2_MiB=times["twice"])
    return Measured(f"manifest twice as long: {kind}", times["twice"] / times["once"], MOST, detail)


def _throughput(path: Path) -> Measured:
    checkpoint = many_large(256 * MIB)
    write_anew(path, checkpoint)
    blocks = [block.data for _, block in checkpoint.tensors]
    times = best(
        {
            "check": partial(check, str(path), Options()),
            "hash": lambda: [sha256(block).digest() for block in blocks],
        },
        3,
    )
    detail = milliseconds(check=times["check"], sha256_on_one_thread=times["hash"])
    return Measured(f"check of 256 MiB on {processors()} processors", times["check"] / times["hash"], 1.1, detail)
