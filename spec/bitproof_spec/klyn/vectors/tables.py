"""Vectors of the table band: rows missing, extra, twice, out of order; dtypes, shapes, lengths, offsets, file size."""

from __future__ import annotations

from collections.abc import Iterator

from bitproof_spec.klyn.stages import Dense, Input
from bitproof_spec.klyn.vectors.building import Row, assemble, bits, checkpoint, invalid, rows, tabled, text, valid
from bitproof_spec.klyn.vectors.models import EMPTY_LAST, HALF_ADAM, NONE, PLAIN, SGD
from bitproof_spec.vectors import Vector

AREA = "table"
TWIN = "model/plain"
EIGHT = checkpoint("binary32", (Input("i", (8,)), Dense("d", 1, True, "tanh", 6)))  # a kernel of 32 bytes, a bias of 4
TWELVE = checkpoint("binary32", (Input("i", (2,)), *(Dense(f"dense_{n}", 2, True, "relu", n) for n in range(1, 13))))


def tables() -> Iterator[Vector]:
    """Each kind of wrong table by itself; whatever follows from a fault is adapted to it."""
    yield valid(AREA, "twelve-layers", "KNN-TAB-04", TWELVE, "Tensors are matched in the order of sorted names.")
    yield valid(AREA, "two-tensors", "KNN-TAB-07 KNN-TAB-08", EIGHT, "An ordinary table is refused.")
    yield from _ids()
    yield from _rows()
    yield from _offsets()
    yield from _ends()


def _ids() -> Iterator[Vector]:
    kernel, bias = rows(PLAIN)
    gamma = Row("dense_1/gamma", "binary32", (2,), bits("gamma", 8))
    yield invalid(AREA, "bias-missing", "KNN-TAB-01", tabled(PLAIN, [kernel]), "/tensors", TWIN)
    momentum = tabled(SGD, rows(SGD)[:-1])
    yield invalid(AREA, "momentum-missing", "KNN-TAB-01", momentum, "/tensors", "model/sgd-momentum-dropout")
    masters = tabled(HALF_ADAM, [row for row in rows(HALF_ADAM) if row.id != "dense_1/bias/master"])
    yield invalid(AREA, "master-missing", "KNN-TAB-01", masters, "/tensors", "model/half-adam")
    extra = tabled(PLAIN, [kernel, bias, gamma])
    yield invalid(AREA, "extra-last", "KNN-TAB-02", extra, "/tensors/2/id", TWIN)
    extra = tabled(PLAIN, [gamma, kernel, bias])
    yield invalid(AREA, "extra-first", "KNN-TAB-02", extra, "/tensors/0/id", TWIN)
    moment = bias._replace(id="dense_1/bias/momentum")
    moments = tabled(PLAIN, [kernel, bias, moment])
    yield invalid(AREA, "moment-without-training", "KNN-TAB-02", moments, "/tensors/2/id", TWIN)
    file = tabled(PLAIN, [kernel, bias, bias])
    yield invalid(AREA, "bias-twice", "KNN-TAB-03", file, "/tensors/2/id", TWIN)
    file = tabled(PLAIN, [kernel, kernel, bias])
    yield invalid(AREA, "kernel-twice", "KNN-TAB-03", file, "/tensors/1/id", TWIN)
    file = tabled(PLAIN, [bias, kernel])
    yield invalid(AREA, "bias-before-kernel", "KNN-TAB-04", file, "/tensors/0/id", TWIN)
    table = rows(TWELVE)
    first, *others = table
    file = tabled(TWELVE, [*others, first])
    yield invalid(AREA, "first-row-last", "KNN-TAB-04", file, "/tensors/23/id", "table/twelve-layers")
    masters_first = sorted(rows(HALF_ADAM), key=lambda row: row.id == "dense_1/bias")
    file = tabled(HALF_ADAM, masters_first)
    yield invalid(AREA, "parameter-after-moments", "KNN-TAB-04", file, "/tensors/7/id", "model/half-adam")


def _rows() -> Iterator[Vector]:
    kernel, bias = rows(PLAIN)
    for name, dtype in {"half": "binary16", "unknown": "float32", "empty": ""}.items():
        file = tabled(PLAIN, [kernel._replace(dtype=dtype), bias])
        yield invalid(AREA, f"dtype-{name}", "KNN-TAB-05", file, "/tensors/0/dtype", TWIN)
    table = rows(HALF_ADAM)
    table[2] = table[2]._replace(dtype="binary16")
    yield invalid(AREA, "half-moment", "KNN-TAB-05", tabled(HALF_ADAM, table), "/tensors/2/dtype", "model/half-adam")
    shapes = {"transposed": (2, 3), "flat": (6,), "longer": (3, 2, 1), "broadcast": (1, 2), "none": ()}
    for name, shape in shapes.items():
        file = tabled(PLAIN, [kernel._replace(shape=shape), bias])
        yield invalid(AREA, f"shape-{name}", "KNN-TAB-06", file, "/tensors/0/shape", TWIN)
    kernel, bias = rows(EIGHT)
    twin = "table/two-tensors"
    for length in (28, 0, 31, 33, 64):
        short = kernel._replace(data=kernel.data.ljust(64, b"\0")[:length])
        file = tabled(EIGHT, [short, bias])
        yield invalid(AREA, f"length-{length}", "KNN-TAB-07", file, "/tensors/0/length", twin)
    last = tabled(EIGHT, [kernel, bias._replace(data=bias.data + bits("more", 4))])
    yield invalid(AREA, "last-4-longer", "KNN-TAB-07", last, "/tensors/1/length", twin)


def _offsets() -> Iterator[Vector]:
    kernel, bias = rows(EIGHT)
    twin = "table/two-tensors"
    for offset in (0, 28, 32, 63, 65, 128):
        file = tabled(EIGHT, [kernel, bias._replace(offset=offset)], end=offset + 4)
        yield invalid(AREA, f"offset-{offset}", "KNN-TAB-08", file, "/tensors/1/offset", twin)
    file = tabled(EIGHT, [kernel._replace(offset=64), bias])
    yield invalid(AREA, "first-offset-64", "KNN-TAB-08", file, "/tensors/0/offset", twin)
    file = tabled(EMPTY_LAST, [rows(EMPTY_LAST)[0]._replace(offset=64)])
    yield invalid(AREA, "empty-offset-64", "KNN-TAB-08", file, "/tensors/0/offset", "model/empty-last-tensor")


def _ends() -> Iterator[Vector]:
    table = rows(EIGHT)
    twin = "table/two-tensors"
    for name, end in {
        "cut-1": 67,
        "cut-half": 66,
        "cut-block": 64,
        "cut-to-start": 0,
        "1-more": 69,
        "64-more": 132,
    }.items():
        file = tabled(EIGHT, table, end=end)
        yield invalid(AREA, f"end-{name}", "KNN-TAB-09", file, "/tensors", twin)
    for name, more in {"padded": 0, "64-more": 64}.items():
        file = assemble(text(NONE), bytes(more))
        yield invalid(AREA, f"no-tensors-{name}", "KNN-TAB-09", file, "/tensors", "model/no-tensors")
    file = assemble(text(EMPTY_LAST), None)
    yield invalid(AREA, "empty-last-unpadded", "KNN-TAB-09", file, "/tensors", "model/empty-last-tensor")
    kernel, bias = table
    named = [kernel._replace(data=bytes(4), length=32), bias._replace(offset=64)]
    yield invalid(AREA, "block-left-out", "KNN-TAB-09", tabled(EIGHT, named, end=4), "/tensors", twin)
