"""Every verdict on every vector as one digest: `python -m tests.klyn.verdicts`, on any interpreter, without torch."""

from __future__ import annotations

import sys
from hashlib import sha256

from bitproof_spec.format import OfBytes, encode
from bitproof_spec.klyn.advice import advise
from bitproof_spec.klyn.constants import DEFAULT_BUDGET
from bitproof_spec.klyn.container import KNN, Knn
from bitproof_spec.klyn.vectors import vectors
from bitproof_spec.vectors import fingerprint
from bitproof_spec.violations import Violations


def digest() -> str:
    """The SHA-256 over fingerprints, findings with their texts, advice, and the files written again."""
    whole = sha256()
    for vector in vectors():
        view = OfBytes(vector.file)
        judged = Knn(vector.request.get("max_bytes", DEFAULT_BUDGET)).judge(view)
        said = (
            judged.all if isinstance(judged, Violations) else (*advise(view), sha256(encode(KNN, judged)).hexdigest())
        )
        whole.update(f"{fingerprint(vector)} {said}\n".encode())
    return whole.hexdigest()


if __name__ == "__main__":
    print(digest(), "torch" in sys.modules, "numpy" in sys.modules)
