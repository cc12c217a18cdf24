"""The outcome that is committed for each law. The ledger fails when a law isn't here, is gone, or falls below."""

from __future__ import annotations

from collections.abc import Mapping

from proofs.law import Outcome

COMMITTED: Mapping[str, Outcome] = {
    "words": "confirmed",
    "encoding": "exhausted",
    "specials": "exhausted",
    "specials-torchlean": "exhausted",
    "complex": "confirmed",
    "tags": "proved",
    "rounding": "exhausted",
    "align": "confirmed",
    "layout": "confirmed",
    "bounds": "confirmed",
    "header": "confirmed",
    "coverage": "exhausted",
    "canonical": "tested",
    "publication": "model-checked",
    "staging": "model-checked",
    "differences": "exhausted",
    "resume": "derived",
    "resume-klyn": "tested",
    "resume-torchlean": "tested",
    "random": "exhausted",
}

# Laws that speak of every model and every training run, or of every document: running them is all that can be done.
MAY_BE_TESTED = frozenset({"canonical", "resume-klyn", "resume-torchlean"})
