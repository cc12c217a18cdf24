"""Judge one hostile file in a process of its own: `python -m tests.klyn.judge_hostile KIND BYTES`.

Prints the manifest's size, the peak of memory before and after judging in bytes, and the seconds of CPU that it took.
"""

from __future__ import annotations

import resource
import sys
import time

from bitproof_spec.format import OfBytes
from bitproof_spec.klyn.container import KNN
from tests.klyn.hostile_manifests import filling, hostile

PARTS = 10**6  # the most parts where each is a value: the bound on values is a little above


def peak() -> int:
    """The most memory that this process has had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main(kind: str, size: int) -> None:
    """Judge the hostile file of that kind whose manifest has about that size."""
    parts = PARTS if kind in ("empty-arrays", "empty-objects") else filling(kind, size)
    file = hostile(kind, parts)
    before, start = peak(), time.process_time()
    verdict = KNN.judge(OfBytes(file))
    seconds = time.process_time() - start
    print(len(file) - 64, before, peak(), f"{seconds:.1f}", type(verdict).__name__)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
