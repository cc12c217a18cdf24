"""Vectors of the model band: bounds on stages, and stages that fit or don't fit each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bitproof_spec.format import encode
from bitproof_spec.klyn.constants import PADDINGS, STAGES_LIMIT
from bitproof_spec.klyn.container import KNN
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.stages import (
    AveragePooling2D,
    Conv2D,
    Conv2DTranspose,
    Dense,
    Dropout,
    Flatten,
    Input,
    MaxPooling2D,
    ReLU,
    Stage,
    Tanh,
)
from bitproof_spec.klyn.vectors.building import checkpoint, edited, invalid, valid
from bitproof_spec.klyn.vectors.models import word
from bitproof_spec.vectors import Vector

AREA = "model"
EXCLUSIVE = "The bound is taken for exclusive."
SIZES = "Another size is inferred, so a right table is refused."


def bare(stages: Sequence[Stage]) -> bytes:
    """The file of a model with an empty table, whether its stages fit or not."""
    return encode(KNN, Checkpoint("binary32", tuple(stages), None, ()))


def boundaries() -> Iterator[Vector]:
    """The largest that is allowed, beside what passes it."""
    many: tuple[Stage, ...] = (Input("input_0", (1,)), *(ReLU(f"relu_{n}") for n in range(1, STAGES_LIMIT)))
    yield valid(AREA, "stages-4096", "KNN-MEM-07", checkpoint("binary32", many), EXCLUSIVE)
    over = checkpoint("binary32", (*many, ReLU("relu_4096")))
    yield invalid(AREA, "stages-4097", "KNN-MEM-07", edited(over, {}), "/model/stages", "model/stages-4096")
    deep = (Input("i", (1,) * 31 + (3,)), Dense("Z" * 64, 1, True, "linear", 2**53 - 1))
    yield valid(AREA, "rank-32-name-64", "KNN-MEM-09 KNN-MEM-11", checkpoint("binary16", deep), EXCLUSIVE)
    zero, most = word("0000000000000000"), word("3fefffffffffffff")
    rate = (Input("i", (2,)), Dropout("d", most, 0), Dropout("D", zero, 2**53 - 1))
    yield valid(AREA, "rates", "KNN-MEM-16 KNN-STG-02", checkpoint("binary64", rate), EXCLUSIVE)
    wide = (Input("i", (1, 1, 1)), Conv2D("c", 1, (1, 1), (2**53 - 1, 7), "same", False, "softmax", 1))
    effect = "A stride beyond its kernel is refused."
    yield valid(AREA, "stride-beyond-kernel", "KNN-MEM-12", checkpoint("binary32", wide), effect)
    alone = checkpoint("binary16", (Input("alone", (0, 5)),))
    yield valid(AREA, "input-alone", "KNN-STG-01", alone, "A model of an Input is refused.")


def stages() -> Iterator[Vector]:
    """Order, names, and every formula of inference beside its edge."""
    alone, image = "model/input-alone", Input("i", (3, 2, 1))
    yield invalid(AREA, "input-missing", "KNN-STG-01", bare([Flatten("f")]), "/model/stages/0/type", alone)
    second = bare([Input("a", (2,)), Input("b", (2,))])
    yield invalid(AREA, "input-twice", "KNN-STG-01", second, "/model/stages/1/type", alone)
    yield valid(AREA, "names-by-case", "KNN-STG-02", checkpoint("binary32", (image, Tanh("I"))), "Names are folded.")
    equal = bare([image, Tanh("t"), ReLU("t")])
    yield invalid(AREA, "names-equal", "KNN-STG-02", equal, "/model/stages/2/name", "model/names-by-case")
    for rank, shape in {1: (6,), 2: (3, 2), 4: (3, 2, 1, 1)}.items():
        file = bare([Input("i", shape), MaxPooling2D("p", (1, 1), (1, 1), "same")])
        yield invalid(AREA, f"pool-rank-{rank}", "KNN-SHP-01", file, "/model/stages/1", "model/pool-same")
    flat = bare([image, Flatten("f"), AveragePooling2D("p", (1, 1), (1, 1), "valid")])
    yield invalid(AREA, "pool-after-flatten", "KNN-SHP-01", flat, "/model/stages/2", "model/pool-same")
    yield from _windows(image)


def _windows(image: Input) -> Iterator[Vector]:
    fits = (image, MaxPooling2D("p", (3, 2), (5, 1), "valid"), Flatten("f"), Dense("d", 1, True, "relu", 3))
    yield valid(AREA, "pool-valid", "KNN-SHP-02", checkpoint("binary32", fits), SIZES)
    same = (image, AveragePooling2D("p", (9, 1), (2, 2), "same"), Flatten("f"), Dense("d", 1, False, "relu", 3))
    yield valid(AREA, "pool-same", "KNN-SHP-01 KNN-SHP-02", checkpoint("binary32", same), SIZES)
    where = "/model/stages/1"
    for name, window in {"height": (4, 2), "width": (3, 3)}.items():
        file = bare([image, MaxPooling2D("p", window, (1, 1), "valid")])
        yield invalid(AREA, f"window-{name}", "KNN-SHP-02", file, where, "model/pool-valid")
    hollow = Input("i", (0, 2, 1))
    file = bare([hollow, AveragePooling2D("p", (1, 1), (1, 1), "valid")])
    yield invalid(AREA, "empty-valid", "KNN-SHP-02", file, where, "model/empty-same")
    up = bare([hollow, Conv2DTranspose("u", 1, (2, 2), (1, 1), "valid", False, "linear", 0)])
    yield invalid(AREA, "empty-transposed", "KNN-SHP-02", up, where, "model/empty-same")
    both = (
        hollow,
        Conv2DTranspose("u", 2, (2, 2), (3, 3), "same", True, "linear", 0),
        Conv2D("c", 1, (2, 2), (2, 2), "same", False, "relu", 1),
        Flatten("f"),
        Dense("d", 2, True, "tanh", 4),
    )
    yield valid(AREA, "empty-same", "KNN-SHP-02 KNN-TAB-07", checkpoint("binary32", both), "A size of 0 grows.")
    for padding in PADDINGS:
        stage = Conv2DTranspose("u", 2, (4, 1), (2, 3), padding, True, "linear", 0)
        after = (image, stage, Flatten("f"), Dense("d", 1, False, "relu", 3))
        yield valid(AREA, f"transposed-{padding}", "KNN-TAB-06", checkpoint("binary64", after), SIZES)
