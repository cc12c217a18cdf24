"""The law of coverage: every byte of an accepted KNN file is looked at under one clause, and no change goes unseen.

Exhausted on small files of each form: every other value of every byte, every truncation, every extension by a byte.
For files of any size the rest follows from the tiling: a byte that is looked at is compared (header), hashed (manifest,
blocks) or owed to be zero (padding), collisions of SHA-256 apart.
"""

from __future__ import annotations

from functools import partial

from bitproof_spec.klyn.container import KNN, Knn
from proofs.klyn.coverage_checks import (
    ALL,
    LARGER,
    SMALL,
    Blind,
    Judge,
    Twice,
    all_refused,
    all_tiled,
    all_written,
    bytes_changed,
    cut_or_extended,
    no_block_over_budget,
    through,
    without_padding_clause,
)
from proofs.law import Law, part


def without(*rules: str) -> Judge:
    """The judge with some rules switched off."""
    return Knn(without=frozenset(rules)).judge


TWINS_OF_BYTES = {
    "without the digest of the manifest": without("KNN-HDR-09"),
    "without the digests of blocks": without("KNN-BLK-01"),
    "without padding": without("KNN-PAD-01"),
    "without flags": without("KNN-HDR-05"),
}

LAW = Law(
    id="coverage",
    statement="accepting a KNN file looks at each byte under one clause; no change of a byte, cut or extension passes",
    committed="exhausted",
    parts=(
        part(
            "looks tile the file, on every valid vector",
            "exhaustion",
            "exhausted",
            all_tiled,
            KNN.judge,
            {"padding made up": through(Blind), "blocks read twice": through(Twice)},
        ),
        part(
            "the writer's runs stand under the clauses by which they are judged",
            "exhaustion",
            "exhausted",
            all_written,
            KNN.segments,
            {"padding under another": without_padding_clause},
        ),
        part(
            "every other value of every byte, without tensors and with an empty one",
            "exhaustion",
            "exhausted",
            partial(all_refused, partial(bytes_changed, SMALL)),
            KNN.judge,
            {name: judge for name, judge in TWINS_OF_BYTES.items() if "blocks" not in name},
        ),
        part(
            "every other value of every byte, for inference and for training",
            "exhaustion",
            "exhausted",
            partial(all_refused, partial(bytes_changed, LARGER)),
            KNN.judge,
            TWINS_OF_BYTES,
            slow=True,
        ),
        part(
            "every truncation, every byte appended, up to 128 zeros",
            "exhaustion",
            "exhausted",
            partial(all_refused, partial(cut_or_extended, ALL)),
            KNN.judge,
            {"without lengths": without("KNN-HDR-08", "KNN-TAB-09")},
        ),
        part(
            "no block is looked at over the budget, for every budget",
            "exhaustion",
            "exhausted",
            no_block_over_budget,
            lambda budget, view: Knn(budget).judge(view),
            {"budget asked last": lambda _, view: KNN.judge(view)},
        ),
    ),
)
