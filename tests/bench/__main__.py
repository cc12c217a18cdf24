"""`python -m tests.bench [NAME …]`: measure, print every ratio with its bound, and fail when one is exceeded."""

from __future__ import annotations

import os
import sys

from bitproof.reading import processors
from tests.bench.linear import linear
from tests.bench.measuring import Bench
from tests.bench.read_write import read_write
from tests.bench.start_up import start_up

BENCHES: dict[str, Bench] = {"start_up": start_up, "linear": linear, "read_write": read_write}


def main(names: list[str]) -> int:
    """Run the benches named, or all; 1 when a bound isn't kept, 2 for a name that is none."""
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        print(f"no bench {', '.join(unknown)}; there are {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    busy = os.getloadavg()[0]
    if busy > processors() / 2:
        print(f"the machine is busy (load {busy:.1f} on {processors()} processors): what uses threads seems slower")
    kept = True
    for name in names or BENCHES:
        for measured in BENCHES[name]():
            bound = "" if measured.bound is None else f"  at most {measured.bound:g}"
            verdict = "ok  " if measured.kept else "MISS"
            print(f"{verdict}  {measured.ratio:6.2f}{bound:<14}  {measured.name}  ({measured.detail})", flush=True)
            kept &= measured.kept
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
