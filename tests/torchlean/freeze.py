"""Write down the fingerprints of all vectors: `python -m tests.torchlean.freeze`, after a change that is meant.

An id is never used for another case: a vector that has to change gets a new id, and the suite a new version.
"""

from __future__ import annotations

from pathlib import Path

import bitproof_spec.torchlean.vectors as suite
from bitproof_spec.vectors import fingerprint

FROZEN = Path(suite.__file__).parent / "frozen.txt"


def fingerprints() -> list[str]:
    """A line a vector: fingerprint and id."""
    return [f"{fingerprint(vector)}  {vector.id}" for vector in suite.vectors()]


if __name__ == "__main__":
    FROZEN.write_text("\n".join(fingerprints()) + "\n")
