"""The numbers and names of KNN 1.0, bitproof profile: all in one place, so that another profile could stand beside it.

The tables of `spec/klyn.md` are compared with these by a test.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from bitproof_spec.encoding import BINARY16, BINARY32, BINARY64, Storage

Precision: TypeAlias = Literal["binary16", "binary32", "binary64"]
Activation: TypeAlias = Literal["linear", "relu", "sigmoid", "tanh", "softmax"]
Padding: TypeAlias = Literal["valid", "same"]
Loss: TypeAlias = Literal["sparse_categorical_crossentropy", "mean_squared_error"]

MAGIC = b"\x89KNN\r\n\x1a\n"
MAJOR, MINOR, FLAGS = 1, 0, 0
HEADER_SIZE = 64
MANIFEST_LIMIT = 16 * 2**20  # bytes of manifest, inclusive
DEFAULT_BUDGET = 2 * 2**30  # bytes of all tensors together, inclusive
FORMAT = "knn"
MODEL = "Sequential"

VALUES_LIMIT = 2**20  # JSON values in a manifest: objects, arrays and scalars; names not counted
DEPTH_LIMIT = 32  # nesting of objects and arrays; the outermost is 1
STAGES_LIMIT = 4096
RANK_LIMIT = 32
INTEGER_LIMIT = 2**53 - 1  # largest integer in a manifest, and so largest extent and length of a tensor
SIZE_LIMIT = 2**63  # product of max(extent, 1) times the item size stays below it
NAME_PATTERN = "[A-Za-z][A-Za-z0-9_-]{0,63}"

PRECISIONS: tuple[Precision, ...] = ("binary16", "binary32", "binary64")
ACTIVATIONS: tuple[Activation, ...] = ("linear", "relu", "sigmoid", "tanh", "softmax")
PADDINGS: tuple[Padding, ...] = ("valid", "same")
LOSSES: tuple[Loss, ...] = ("sparse_categorical_crossentropy", "mean_squared_error")
ABSENT_LOSS: Loss = LOSSES[0]  # what a file from before regression was supported means

STORAGE: Mapping[Precision, Storage] = {"binary16": BINARY16, "binary32": BINARY32, "binary64": BINARY64}
TRAINING_PRECISION: Mapping[Precision, Precision] = {
    "binary16": "binary32",
    "binary32": "binary32",
    "binary64": "binary64",
}
