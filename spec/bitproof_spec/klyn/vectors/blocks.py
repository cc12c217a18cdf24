"""Vectors of the bands blocks and bit patterns: padding, digests, and words that must come through unchanged."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from bitproof_spec.format import encode
from bitproof_spec.klyn.constants import Precision
from bitproof_spec.klyn.container import KNN
from bitproof_spec.klyn.header import span
from bitproof_spec.klyn.stages import Dense, Input
from bitproof_spec.klyn.training import Sgd, Training
from bitproof_spec.klyn.vectors.building import checkpoint, flipped, invalid, rows, tabled, valid
from bitproof_spec.klyn.vectors.models import EMPTY_LAST, NINE_TENTHS, PLAIN, TENTH
from bitproof_spec.klyn.writing import layout
from bitproof_spec.vectors import Vector

AREA = "blocks"
WIDTHS: dict[Precision, tuple[int, int]] = {"binary32": (8, 23), "binary64": (11, 52)}  # exponent and fraction bits


def blocks() -> Iterator[Vector]:
    """One byte or bit wrong in the padding or in a block."""
    file, plan = encode(KNN, PLAIN), layout(PLAIN)
    head = 64 + plan.manifest_length
    (first, length), (second, _) = plan.ranges
    twin = "model/plain"
    gaps = {
        "first": (head, head, first),
        "last": (first - 1, head, first),
        "between": (second - 1, first + length, second),
    }
    for name, (at, start, end) in gaps.items():
        yield invalid(AREA, f"padding-{name}", "KNN-PAD-01", flipped(file, at), span(start, end), twin)
    empty, plan = encode(KNN, EMPTY_LAST), layout(EMPTY_LAST)
    start, end = 64 + plan.manifest_length, plan.start
    twin_empty = "model/empty-last-tensor"
    yield invalid(AREA, "padding-at-end", "KNN-PAD-01", flipped(empty, end - 1), span(start, end), twin_empty)
    for name, at in {"first-bit": first, "last-bit": first + length - 1}.items():
        yield invalid(AREA, f"kernel-{name}", "KNN-BLK-01", flipped(file, at), span(first, first + length), twin)
    none = rows(EMPTY_LAST)[0]._replace(sha256=sha256(b"\0").hexdigest())
    changed = tabled(EMPTY_LAST, [none])
    yield invalid(AREA, "digest-of-nothing", "KNN-BLK-01", changed, span(len(changed), len(changed)), twin_empty)


def patterns() -> Iterator[Vector]:
    """Every half, every class of the wider words, and the same in training tensors."""
    area, clauses = "bits", "KNN-BLK-01"
    effect = "A bit is lost: a signalling NaN turns quiet, a payload is dropped, a zero loses its sign."
    halves = b"".join(word.to_bytes(2, "little") for word in range(2**16))
    square = (Input("i", (256,)), Dense("all", 256, False, "linear", 1))
    yield valid(area, "every-half", clauses, checkpoint("binary16", square, None, {"all/kernel": halves}), effect)
    for precision, (exponent, fraction) in WIDTHS.items():
        width = (1 + exponent + fraction) // 8
        words = classes(exponent, fraction)
        data = b"".join(word.to_bytes(width, "little") for word in words)
        column = (Input("i", (len(words),)), Dense("all", 1, False, "tanh", 1))
        state = Training(Sgd(TENTH, NINE_TENTHS, True), 3, "mean_squared_error", None, ())
        given = {"all/kernel": data, "all/kernel/momentum": data[::-1]}
        yield valid(area, f"{precision}-classes", clauses, checkpoint(precision, column, state, given), effect)


def classes(exponent: int, fraction: int) -> list[int]:
    """Words of each class and at each edge, positive and negative: zeros, subnormals, normals, infinities, NaNs."""
    infinity, quiet = ((1 << exponent) - 1) << fraction, 1 << fraction - 1
    one = ((1 << exponent - 1) - 1) << fraction
    payload = int("1234567890abc", 16) & (quiet - 1)
    positive = [
        *(0, 1, 2, (1 << fraction) - 1, 1 << fraction, (1 << fraction) + 1),
        *(one - 1, one, one + 1, infinity - 1, infinity),
        *(infinity + 1, infinity + payload, infinity + quiet - 1),  # signalling
        *(infinity + quiet, infinity + quiet + payload, infinity + 2 * quiet - 1),  # quiet
    ]
    return [*positive, *(word | 1 << exponent + fraction for word in positive)]
