"""`python -m tests.bench [NAME …]`: measure, print every ratio with its bound, and fail when one is exceeded."""

from __future__ import annotations

import sys

from tests.bench.linear import linear
from tests.bench.measuring import BUSY, Bench
from tests.bench.read_write import read_write
from tests.bench.start_up import start_up
from tests.bench.streaming import streaming

BENCHES: dict[str, Bench] = {
    "start_up": start_up,
    "linear": linear,
    "read_write": read_write,
    "streaming": streaming,
}


def main(names: list[str]) -> int:
    """Run the benches named, or all; 1 when a bound isn't kept, 2 for a name that is none."""
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        print(f"no bench {', '.join(unknown)}; there are {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    if BUSY:
        print("the machine is busy: ratios of what runs on threads are told and not judged")
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
