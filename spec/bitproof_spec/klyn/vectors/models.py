"""The documents that vectors start from. Their values differ from every default; their vectors are the valid twins."""

from __future__ import annotations

from collections.abc import Iterator

from bitproof_spec.encoding import Binary64
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
    Sigmoid,
    Softmax,
    Tanh,
)
from bitproof_spec.klyn.training import Adam, LossScale, RandomState, Sgd, Training
from bitproof_spec.klyn.vectors.building import checkpoint, valid
from bitproof_spec.vectors import Vector


def word(text: str) -> Binary64:
    """A binary64 word from its hex digits."""
    return Binary64(int(text, 16))


TENTH, QUARTER, HALF = word("3fb999999999999a"), word("3fd0000000000000"), word("3fe0000000000000")
NINE_TENTHS, TWO, LARGE = word("3feccccccccccccd"), word("4000000000000000"), word("40f0000000000000")
ADAM = Adam(
    word("3f60624dd2f1a9fc"),
    word("3fe999999999999a"),
    word("3fee666666666666"),
    word("3e7ad7f29abcaf48"),
    word("3fe0624dd2f1a9fd"),
    word("3feb6f9db22d0e55"),
)
SCALING = LossScale(word("4090000000000000"), LARGE, word("4008000000000000"), QUARTER, 7, 3)
TWO_DROPOUTS = (
    Input("pixels", (4,)),
    Dropout("drop-a", QUARTER, 11),
    Dense("mix", 3, True, "tanh", 5),
    Dropout("drop-b", HALF, 13),
)

PLAIN = checkpoint("binary32", (Input("input_0", (3,)), Dense("dense_1", 2, True, "relu", 7)))
SGD = checkpoint(
    "binary32",
    TWO_DROPOUTS,
    Training(
        Sgd(TENTH, NINE_TENTHS, True),
        6,
        "mean_squared_error",
        None,
        (RandomState("drop-a", 12), RandomState("drop-b", 2**200 + 1)),
    ),
)
HALF_ADAM = checkpoint(
    "binary16",
    (Input("input_0", (2,)), Dense("dense_1", 3, True, "softmax", 7)),
    Training(ADAM, 3, "sparse_categorical_crossentropy", SCALING, ()),
)
IMAGE = checkpoint(
    "binary64",
    (
        Input("image", (6, 5, 2)),
        Conv2D("conv", 3, (3, 2), (2, 1), "same", True, "relu", 3),
        Conv2DTranspose("up", 2, (2, 3), (1, 2), "valid", False, "sigmoid", 4),
        MaxPooling2D("max", (2, 3), (1, 2), "valid"),
        AveragePooling2D("mean", (2, 2), (2, 3), "same"),
        ReLU("relu"),
        Sigmoid("sigmoid"),
        Flatten("flat"),
        Tanh("tanh"),
        Dense("out", 2, True, "linear", 9),
        Softmax("softmax"),
    ),
    Training(ADAM, 2**53 - 1, "mean_squared_error", None, ()),
)
EMPTY_LAST = checkpoint("binary64", (Input("none", (0,)), Dense("dense_1", 1, False, "linear", 7)))
NONE = checkpoint("binary32", (Input("input_0", (2, 2, 1)), Flatten("flatten_1")))


def models() -> Iterator[Vector]:
    """One valid file a model."""
    everything = "KNN-HDR-09 KNN-TXT-01 KNN-MEM-01 KNN-TAB-01 KNN-BLK-01"
    effect = "An ordinary file of this kind is refused, or read as something else."
    yield valid("model", "plain", everything, PLAIN, effect)
    yield valid("model", "sgd-momentum-dropout", f"{everything} KNN-RND-01", SGD, effect)
    yield valid("model", "half-adam", f"{everything} KNN-TRN-07", HALF_ADAM, effect)
    yield valid("model", "every-stage", f"{everything} KNN-MEM-08 KNN-TAB-06", IMAGE, effect)
    effect = "An empty tensor is taken for a missing one."
    yield valid("model", "empty-last-tensor", "KNN-TAB-08 KNN-TAB-09", EMPTY_LAST, effect)
    yield valid("model", "no-tensors", "KNN-TAB-09", NONE, "A model without parameters is refused, or padded.")
