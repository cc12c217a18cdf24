"""Vectors of TLSF32B: the framing field by field, its bounds, and the words of binary32."""

from __future__ import annotations

from collections.abc import Iterator

from bitproof_spec.format import encode
from bitproof_spec.torchlean.framing import RANK_LIMIT, TENSOR_LIMIT, nat64s, span
from bitproof_spec.torchlean.rules_state import STREAMED_RULES
from bitproof_spec.torchlean.streamed import MAGIC, OLD_MAGIC, TLSF32B, Tensors
from bitproof_spec.torchlean.vectors.building import Maker, block32
from bitproof_spec.vectors import Vector

HEAD = MAGIC + nat64s([1])
KNOWN = Tensors((block32((2,), [0x3F800000, 0xC0200000]),))
SHAPES = Tensors(
    (block32((), [1]), block32((0,), []), block32((2, 3), range(6)), block32((3, 0, 2), []), block32((1,), [9]))
)
ZEROS, SUBNORMALS = (0, 0x80000000), (1, 0x007FFFFF, 0x80000001, 0x807FFFFF)
NORMALS = (0x00800000, 0x3F800000, 0x7F7FFFFF, 0x80800000, 0xBF800000, 0xFF7FFFFF)
INFINITIES = (0x7F800000, 0xFF800000)
NANS = (0x7FC00000, 0x7FC12345, 0x7FFFFFFF, 0x7F800001, 0x7FA5A5A5, 0x7FBFFFFF, 0xFFC00001, 0xFF800001)
CLASSES = {"zeros": ZEROS, "subnormals": SUBNORMALS, "normals": NORMALS, "infinities": INFINITIES, "nans": NANS}

MAKE = Maker(TLSF32B, STREAMED_RULES)


def streamed_files() -> Iterator[Vector]:
    """Header, table and words."""
    yield MAKE.valid("table/one", "TLS-HDR-01 TLS-HDR-02 TLS-CNT-01", KNOWN, "The plainest file is refused.")
    yield MAKE.valid("table/empty", "TLS-CNT-01 TLS-END-01", Tensors(()), "A model without state can't be saved.")
    yield MAKE.valid("table/shapes", "TLS-RNK-01 TLS-SIZ-01", SHAPES, "Scalars or tensors without elements are lost.")
    ones = (1,) * RANK_LIMIT
    yield MAKE.valid("table/rank-limit", "TLS-RNK-01", Tensors((block32(ones, [5]),)), "A bound is taken as exclusive.")
    for name, words in CLASSES.items():
        document = Tensors((block32((len(words),), words),))
        yield MAKE.valid(f"words/{name}", "TLS-PAY-01", document, "Words pass through a float value and change.")
    yield from _broken()


def _broken() -> Iterator[Vector]:
    whole, one = encode(TLSF32B, KNOWN), "table/one"
    yield MAKE.invalid("header/magic", "TLS-HDR-01", b"TLSF32C" + whole[7:], span(0, 7), one)
    yield MAKE.invalid("header/old-family", "TLS-OLD-01", OLD_MAGIC + nat64s([2, 0]), span(0, 7), "table/empty")
    for version in (0, 2, 2**32 + 1):
        file = MAGIC + nat64s([version]) + whole[15:]
        yield MAKE.invalid(f"header/version-{version}", "TLS-HDR-02", file, span(7, 8), one)
    for count in (TENSOR_LIMIT + 1, 2**63):
        yield MAKE.invalid(f"table/count-{count}", "TLS-CNT-01", HEAD + nat64s([count]), span(15, 8), "table/empty")
    rank = RANK_LIMIT + 1
    file = HEAD + nat64s([1, rank, *(1,) * rank, 1]) + bytes(4)
    yield MAKE.invalid("table/rank", "TLS-RNK-01", file, span(23, 8), "table/rank-limit")
    for name, dims, count, size in (
        ("more", (2,), 3, 12),
        ("fewer", (2,), 1, 4),
        ("scalar", (), 0, 0),
        ("wraps", (2**32, 2**32), 0, 0),
        ("hidden-by-zero", (3, 0, 2**63), 1, 4),
    ):
        file = HEAD + nat64s([1, len(dims), *dims, count]) + bytes(size)
        yield MAKE.invalid(f"table/count-{name}", "TLS-SIZ-01", file, span(31 + 8 * len(dims), 8), one)
    yield MAKE.invalid("table/cut-payload", "TLS-PAY-01", whole[:-1], span(47, 8), one)
    yield MAKE.invalid("table/claims-2-40", "TLS-PAY-01", HEAD + nat64s([1, 1, 2**40, 2**40]), span(47, 2**42), one)
    for at, length in ((0, 7), (7, 8), (15, 8), (23, 8), (31, 8), (39, 8)):
        yield MAKE.invalid(
            f"framing/cut-at-{at + length - 1}", "TLS-EOF-01", whole[: at + length - 1], span(at, length), one
        )
    for more in (1, 64):
        yield MAKE.invalid(f"table/extended-{more}", "TLS-END-01", whole + bytes(more), span(len(whole), more), one)
    yield MAKE.valid("budget/kept", "TLS-MAX-01", KNOWN, "A budget is taken as exclusive.", max_bytes=8)
    yield MAKE.invalid("budget/over", "TLS-MAX-01", whole, "/", "budget/kept", max_bytes=7)
