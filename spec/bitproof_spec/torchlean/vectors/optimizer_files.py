"""Vectors of TLADAMF: versions, configuration, schema with aliases, entries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from bitproof_spec.format import encode
from bitproof_spec.torchlean.framing import RANK_LIMIT, TENSOR_LIMIT, nat64s, span
from bitproof_spec.torchlean.optimizer_document import ADAM, ADAMW, Config, Entry, OptimizerState, SlotSchema
from bitproof_spec.torchlean.optimizer_file import MAGIC, OptimizerFile
from bitproof_spec.torchlean.rules_optimizer import OPTIMIZER_RULES
from bitproof_spec.torchlean.vectors.building import Maker, block32
from bitproof_spec.vectors import Vector

FORMAT = OptimizerFile()
MAKE = Maker(FORMAT, OPTIMIZER_RULES)

BETA1, BETA2, EPSILON, DECAY = 0x3FECCCCCCCCCCCCD, 0x3FEFF7CED916872B, 0x3E45798EE2308C3A, 0x3F847AE147AE147B
ONE, INFINITY, NAN, MINUS = 0x3FF0000000000000, 0x7FF0000000000000, 0x7FF8000000000000, 1 << 63
SLOT = SlotSchema((2,), True, 0)
KNOWN = OptimizerState(
    4,
    Config(ADAM, BETA1, BETA2, EPSILON, 0),
    5,
    (SLOT,),
    (Entry(0, 7, block32((2,), [0x3E800000, 0xBF000000]), block32((2,), [0x3FC00000, 0x40000000])),),
)
TIED = replace(
    KNOWN,
    config=Config(ADAMW, MINUS, BETA2, EPSILON, DECAY),
    counter=2**64 - 1,
    slots=(SLOT, SlotSchema((), False, None), SlotSchema((2,), True, 0), SlotSchema((3, 0), True, 3)),
    entries=(
        Entry(0, 2**63, block32((2,), [0x7F800001, 0x80000000]), block32((2,), [1, 0x7F800000])),
        Entry(3, 1, block32((3, 0), []), block32((3, 0), [])),
    ),
)
HEAD = MAGIC + nat64s([4, ADAM, BETA1, BETA2, EPSILON, 0, 5])
SCHEMA = nat64s([1, 1, 2, 2, 1, 1])
ENTRY = nat64s([0, 7, 2]) + bytes(16)
AT = len(HEAD)
KNOWN_ID = "file/known"


def optimizer_files() -> Iterator[Vector]:
    """Valid files of every version, then each rule broken alone."""
    yield MAKE.valid(KNOWN_ID, "TLA-HDR-01 TLA-HDR-02 TLA-CTR-01", KNOWN, "The plainest file is refused.")
    yield MAKE.valid("file/tied", "TLA-ALS-01 TLA-ALS-03 TLA-ENT-01", TIED, "Tied or empty parameters are lost.")
    yield MAKE.valid(
        "file/none", "TLA-CNT-01", replace(KNOWN, slots=(), entries=()), "A model without state is refused."
    )
    legacy = "Moments that could be recovered are refused."
    yield MAKE.valid("file/version-2", "TLA-HDR-02", replace(KNOWN, version=2, counter=None), legacy)
    yield MAKE.valid("file/version-3", "TLA-HDR-02", replace(TIED, version=3, counter=None), legacy)
    start = encode(FORMAT, replace(TIED, entries=()))[:-8]
    first = TIED.entries[0]
    entries = nat64s([2, 3, 1, 0]) + nat64s([0, 2**63, 2]) + bytes(first.first.data) + bytes(first.second.data)
    yield MAKE.valid("file/any-order", "TLA-ENT-02", TIED, "Entries are read in one order only.", start + entries)
    yield from _headers()
    yield from _schemas()
    yield from _entries()


def _headers() -> Iterator[Vector]:
    whole = encode(FORMAT, KNOWN)
    yield MAKE.invalid("header/magic", "TLA-HDR-01", b"TLADAMG" + whole[7:], span(0, 7), KNOWN_ID)
    for version in (0, 1, 5):
        file = MAGIC + nat64s([version]) + whole[15:]
        yield MAKE.invalid(f"header/version-{version}", "TLA-HDR-02", file, span(7, 8), KNOWN_ID)
    for name, rule, at, config in (
        ("kind", "TLA-CFG-01", 0, Config(2, BETA1, BETA2, EPSILON, 0)),
        ("beta1-one", "TLA-CFG-02", 1, Config(ADAM, ONE, BETA2, EPSILON, 0)),
        ("beta1-negative", "TLA-CFG-02", 1, Config(ADAM, BETA1 | MINUS, BETA2, EPSILON, 0)),
        ("beta2-nan", "TLA-CFG-03", 2, Config(ADAM, BETA1, NAN, EPSILON, 0)),
        ("epsilon-zero", "TLA-CFG-04", 3, Config(ADAM, BETA1, BETA2, 0, 0)),
        ("epsilon-infinite", "TLA-CFG-04", 3, Config(ADAM, BETA1, BETA2, INFINITY, 0)),
        ("epsilon-underflows", "TLA-CFG-04", 3, Config(ADAM, BETA1, BETA2, 0x3690000000000000, 0)),
        ("epsilon-overflows", "TLA-CFG-04", 3, Config(ADAM, BETA1, BETA2, 0x47EFFFFFF0000000, 0)),
        ("decay-of-adam", "TLA-CFG-05", 4, Config(ADAM, BETA1, BETA2, EPSILON, DECAY)),
        ("decay-negative", "TLA-CFG-05", 4, Config(ADAMW, BETA1, BETA2, EPSILON, DECAY | MINUS)),
    ):
        file = encode(FORMAT, replace(KNOWN, config=config))
        yield MAKE.invalid(f"config/{name}", rule, file, span(15 + 8 * at, 8), KNOWN_ID)
    for at, length in ((0, 7), (7, 8), (15, 8), (55, 8), (63, 8), (103, 8), (111, 8)):
        cut = whole[: at + length - 1]
        yield MAKE.invalid(f"framing/cut-at-{at + length - 1}", "TLA-EOF-01", cut, span(at, length), KNOWN_ID)
    yield MAKE.invalid("framing/cut-payload", "TLA-PAY-01", whole[:-1], span(len(whole) - 16, 16), KNOWN_ID)
    yield MAKE.invalid("framing/extended", "TLA-END-01", whole + b"\0", span(len(whole), 1), KNOWN_ID)
    yield MAKE.valid("budget/kept", "TLA-MAX-01", KNOWN, "A budget is taken as exclusive.", max_bytes=16)
    yield MAKE.invalid("budget/over", "TLA-MAX-01", whole, "/", "budget/kept", max_bytes=15)


def _schemas() -> Iterator[Vector]:
    frozen, scalar = [1, 2, 2, 0], [1, 2, 2, 1]
    three, rank = [1, 3, 3, 1], RANK_LIMIT + 1
    long = nat64s([1, rank, *(1,) * rank, 1, 1, 1, 1, 0, 7, 1]) + bytes(8)
    ones = SlotSchema((1,) * RANK_LIMIT, False, None)
    limit = replace(KNOWN, slots=(ones,), entries=())
    yield MAKE.valid("schema/rank-limit", "TLA-RNK-01", limit, "A bound is taken as exclusive.")
    for name, rule, at, body in (
        ("slots", "TLA-CNT-01", 0, nat64s([TENSOR_LIMIT + 1])),
        ("rank", "TLA-RNK-01", 8, long),
        ("count", "TLA-SIZ-01", 24, nat64s([1, 1, 2, 3, 0, 0, 0])),
        ("count-wraps", "TLA-SIZ-01", 32, nat64s([1, 2, 2**32, 2**32, 0, 0, 0, 0])),
        ("flag", "TLA-FLG-01", 32, nat64s([1, 1, 2, 2, 2, 1, 1]) + ENTRY),
        ("frozen-owner", "TLA-ALS-01", 40, nat64s([1, *frozen, 1, 0])),
        ("trained-without-owner", "TLA-ALS-01", 40, nat64s([1, *scalar, 0, 1]) + ENTRY),
        (
            "later-owner",
            "TLA-ALS-02",
            72,
            nat64s([2, *scalar, *scalar, 2, 2, 2]) + ENTRY + nat64s([1, 7, 2]) + bytes(16),
        ),
        ("frozen-as-owner", "TLA-ALS-03", 80, nat64s([2, *frozen, *scalar, 0, 1, 0])),
        ("chained", "TLA-ALS-03", 120, nat64s([3, *scalar, *scalar, *scalar, 1, 1, 2, 1]) + ENTRY),
        ("other-dims", "TLA-ALS-04", 80, nat64s([2, *three, *scalar, 1, 1, 1, 0, 7, 3]) + bytes(24)),
    ):
        yield MAKE.invalid(f"schema/{name}", rule, HEAD + body, span(AT + at, 8), "file/tied")


def _entries() -> Iterator[Vector]:
    two = nat64s([3, *[1, 2, 2, 1] * 2, 1, 2, 2, 0, 1, 2, 0, 2])
    end = AT + len(two)
    yield MAKE.invalid("entries/twice", "TLA-ENT-02", HEAD + two + ENTRY + ENTRY, span(end + 40, 8), "file/tied")
    file = HEAD + two + ENTRY + nat64s([2, 7, 2]) + bytes(16)
    yield MAKE.invalid("entries/frozen", "TLA-ENT-04", file, span(end + 40, 8), "file/tied")
    end = AT + len(SCHEMA)
    for name, rule, at, body in (
        ("missing", "TLA-ENT-01", 0, nat64s([0])),
        ("range", "TLA-ENT-03", 8, nat64s([1, 9, 7, 2]) + bytes(16)),
        ("step", "TLA-ENT-05", 16, nat64s([1, 0, 0, 2]) + bytes(16)),
        ("size", "TLA-ENT-06", 24, nat64s([1, 0, 7, 3]) + bytes(24)),
    ):
        yield MAKE.invalid(f"entries/{name}", rule, HEAD + SCHEMA + body, span(end + at, 8), KNOWN_ID)
