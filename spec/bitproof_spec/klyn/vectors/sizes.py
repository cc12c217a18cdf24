"""Vectors of the band sizes and budgets: products that pass their bound, and tensors that pass the reader's."""

from __future__ import annotations

from collections.abc import Iterator

from bitproof_spec.format import encode
from bitproof_spec.klyn.constants import Precision
from bitproof_spec.klyn.container import KNN
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.stages import Conv2D, Conv2DTranspose, Dense, Flatten, Input, Stage
from bitproof_spec.klyn.training import Sgd, Training
from bitproof_spec.klyn.vectors.building import Row, checkpoint, invalid, tabled, valid
from bitproof_spec.klyn.vectors.models import HALF_ADAM, NINE_TENTHS, NONE, TENTH
from bitproof_spec.vectors import Vector

AREA = "sizes"
LARGEST = 2**53 - 1
MOMENTUM = Training(Sgd(TENTH, NINE_TENTHS, False), 1, "mean_squared_error", None, ())


def bare(precision: Precision, *stages: Stage) -> bytes:
    """The file of a model with an empty table, whatever its sizes."""
    return encode(KNN, Checkpoint(precision, stages, None, ()))


def sizes() -> Iterator[Vector]:
    """Each size at its bound and beyond it, with and without an extent of 0."""
    yield from _outputs()
    yield from _tensors()
    yield from _claims()
    yield from _budgets()


def _outputs() -> Iterator[Vector]:
    effect = "The bound is taken for exclusive, or for one on the number of elements."
    below = checkpoint("binary32", (Input("i", (LARGEST, 2**8, 0)),))  # 2^63 - 2^10 bytes, were the 0 a 1
    yield valid(AREA, "input-below-2-63", "KNN-SIZ-01", below, effect)
    inputs: dict[str, tuple[Precision, tuple[int, ...]]] = {
        "2-63": ("binary32", (2**31, 2**30)),
        "half": ("binary16", (2**31, 2**31)),
        "double": ("binary64", (2**30, 2**30)),
        "hidden": ("binary32", (2**32, 2**32, 0)),
        "2-64": ("binary16", (2**32, 2**32)),
        "rank-32": ("binary64", (LARGEST,) * 32),
        "zeros": ("binary16", (0, LARGEST, 0, LARGEST)),
    }
    for name, (precision, shape) in inputs.items():
        file = bare(precision, Input("i", shape))
        yield invalid(AREA, f"input-{name}", "KNN-SIZ-01", file, "/model/stages/0", "sizes/input-below-2-63")
    up = Conv2DTranspose("up", 1, (1, 1), (LARGEST, LARGEST), "same", False, "linear", 0)
    file = encode(KNN, checkpoint("binary32", (Input("i", (1, 1, 0)), up, Flatten("f"))))
    yield invalid(AREA, "output-strides", "KNN-SIZ-01", file, "/model/stages/1", "model/empty-same")
    dense = (Input("i", (2**40, 0)), Dense("d", 2**21, False, "linear", 0))
    file = encode(KNN, checkpoint("binary32", dense))
    yield invalid(AREA, "output-dense", "KNN-SIZ-01", file, "/model/stages/1", "sizes/input-below-2-63")


def _tensors() -> Iterator[Vector]:
    where, image = "/model/stages/1", Input("i", (1, 1, 0))
    kept = Conv2D("c", 2, (2**31, 2**28), (1, 1), "same", False, "linear", 0)
    effect = "An empty tensor of large extents is refused below the bound."
    yield valid(AREA, "kernel-below-2-63", "KNN-SIZ-02", checkpoint("binary32", (image, kept)), effect)
    file = encode(KNN, checkpoint("binary32", (image, kept._replace(kernel_size=(2**31, 2**29)))))
    yield invalid(AREA, "kernel-2-63", "KNN-SIZ-02", file, where, "sizes/kernel-below-2-63")
    talls: dict[Precision, int] = {"binary64": 2**50, "binary32": 2**51, "binary16": 2**52}
    for precision, extent in talls.items():
        tall = bare(precision, Input("i", (extent,)), Dense("d", 1, False, "linear", 0))
        yield invalid(AREA, f"kernel-{precision}", "KNN-SIZ-03", tall, where, "model/plain")
    wide = bare("binary16", Input("i", (LARGEST, 2)), Flatten("f"), Dense("d", 1, False, "linear", 0))
    yield invalid(AREA, "extent-2-54", "KNN-SIZ-03", wide, "/model/stages/2", "model/plain")
    half = (Input("i", (2**51,)), Dense("d", 1, False, "linear", 0))
    state = MOMENTUM._replace(loss_scale=HALF_ADAM.training.loss_scale if HALF_ADAM.training else None)
    moments = encode(KNN, Checkpoint("binary16", half, state, ()))
    yield invalid(AREA, "moment-of-half", "KNN-SIZ-03", moments, where, "model/half-adam")


def _claims() -> Iterator[Vector]:
    """Small files whose tables claim much: the file's end disagrees, and so does a budget that isn't lifted."""
    for name, extent in {"2-31-elements": 2**31, "2-40-bytes": 2**38}.items():
        tall = Checkpoint("binary32", (Input("i", (extent,)), Dense("d", 1, False, "linear", 0)), None, ())
        row = Row("d/kernel", "binary32", (extent, 1), bytes(64), length=extent * 4)
        file = tabled(tall, [row], end=64)
        effect = "Memory of the claimed size is allocated before the file is looked at."
        yield invalid(AREA, f"claims-{name}", "KNN-TAB-09", file, "/tensors", "model/plain", effect, max_bytes=2**62)


def _budgets() -> Iterator[Vector]:
    total = sum(len(block.data) for _, block in HALF_ADAM.tensors)
    parameters = sum(len(block.data) for id, block in HALF_ADAM.tensors if id.count("/") == 1)
    twin, effect = "sizes/budget-met", "The bound is taken for exclusive, or another default is used."
    file = encode(KNN, HALF_ADAM)
    yield valid(AREA, "budget-met", "KNN-TAB-10", HALF_ADAM, effect)._replace(request={"max_bytes": total})
    yield valid(AREA, "budget-2-64", "KNN-TAB-10", HALF_ADAM, effect)._replace(request={"max_bytes": 2**64 - 1})
    yield valid(AREA, "budget-0", "KNN-TAB-10", NONE, effect)._replace(request={"max_bytes": 0})
    for name, most in {"1-short": total - 1, "parameters": parameters, "0": 0}.items():
        yield invalid(AREA, f"over-budget-{name}", "KNN-TAB-10", file, "/tensors", twin, "", max_bytes=most)
