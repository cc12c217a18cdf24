"""A folder of files of every kind that the tools meet: conforming, damaged, foreign, oddly named."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from bitproof_spec.document import Block
from bitproof_spec.encoding import Binary64
from bitproof_spec.format import encode
from bitproof_spec.klyn.container import KNN
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.training import Adam
from bitproof_spec.klyn.vectors.building import edited
from bitproof_spec.klyn.vectors.models import HALF_ADAM, PLAIN
from tests.klyn.small_files import SMALL_FILES

ODD_NAME = os.fsdecode(b"ck_\xff\n\x1b[31m.knn")


def fill(folder: Path) -> None:
    """Put the files there."""
    for name, file in SMALL_FILES.items():
        (folder / f"{name}.knn").write_bytes(file)
    damaged = bytearray(SMALL_FILES["half-adam"])
    damaged[0x804] = 7
    damaged[-1] ^= 1
    (folder / "bad-blocks.knn").write_bytes(damaged)
    (folder / "bad-members.knn").write_bytes(
        edited(PLAIN, {"/precision": "bfloat16", "/model/stages/1/units": True, "/\x1b[31m": 1})
    )
    (folder / "page.html").write_bytes(b"<!DOCTYPE html><html></html>")


def changed() -> bytes:
    """The half-precision training file after three words, the step and the learning rate changed."""
    tensors = dict(HALF_ADAM.tensors)
    put(tensors, "dense_1/kernel", 0, (1).to_bytes(2, "little"))
    put(tensors, "dense_1/kernel", 10, (0x8000).to_bytes(2, "little"))
    put(tensors, "dense_1/bias/adam_v", 4, (0x7F800001).to_bytes(4, "little"))
    training = HALF_ADAM.training
    assert training is not None
    assert isinstance(training.optimizer, Adam)
    rate = Binary64(training.optimizer.learning_rate + 1)
    training = training._replace(step=9, optimizer=training.optimizer._replace(learning_rate=rate))
    document: Checkpoint = replace(HALF_ADAM, training=training, tensors=tuple(tensors.items()))
    return encode(KNN, document)


def put(tensors: dict[str, Block], id: str, at: int, word: bytes) -> None:
    """Replace some bytes of a tensor."""
    block = tensors[id]
    data = bytes(block.data)
    tensors[id] = replace(block, data=data[:at] + word + data[at + len(word) :])
