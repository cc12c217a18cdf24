"""Every word comes out of every path as it went in: numpy, torch and files, both ways."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings

from bitproof import buffers, strategies, tensors
from bitproof_spec.composite import COMPLEX64, COMPLEX128
from bitproof_spec.document import Block
from bitproof_spec.encoding import BFLOAT16, BINARY16, BINARY32, BINARY64, Storage
from bitproof_spec.integers import INT8, INT16, INT32, INT64, UINT8
from tests.core.word_paths import NUMPY, TORCH, all_words16, block, classes, complex_classes, loaded

Path = Callable[[Block], Block]

PATHS = [pytest.param(path, id=name) for name, path in {**NUMPY, **TORCH}.items()]
TORCH_PATHS = [pytest.param(path, id=name) for name, path in TORCH.items()]
STORAGES: list[Storage] = [BINARY16, BINARY32, BINARY64, COMPLEX64, COMPLEX128, INT8, INT16, INT32, INT64, UINT8]
REAL = ["binary16", "binary32", "binary64"]


@pytest.mark.parametrize("path", PATHS)
def test_b4_b10_all_65536_words_of_binary16_survive(path: Path) -> None:
    assert path(all_words16("binary16")) == all_words16("binary16")


@pytest.mark.parametrize("path", TORCH_PATHS)
def test_b10_all_65536_words_of_bfloat16_survive(path: Path) -> None:
    assert path(all_words16("bfloat16")) == all_words16("bfloat16")


@pytest.mark.parametrize("tag", REAL)
@pytest.mark.parametrize("path", PATHS)
def test_b4_every_class_of_word_survives(path: Path, tag: str) -> None:
    row = classes(tag)
    square = replace(row, shape=(1, len(row.data) // BINARY[tag].width))
    assert path(square) == square


@pytest.mark.parametrize("tag", ["binary32", "binary64"])
@pytest.mark.parametrize("path", PATHS)
def test_b4_every_pair_of_classes_survives_in_a_complex_scalar(path: Path, tag: str) -> None:
    assert path(complex_classes(tag)) == complex_classes(tag)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("tag", "word"), [("binary32", 0x7F800001), ("binary32", 0xFFBFFFFF), ("binary64", 0x7FF0000000000001)]
)
def test_b5_a_signalling_nan_stays_signalling_at_both_widths(tag: str, word: int, path: Path) -> None:
    one = replace(block(tag, [word]), shape=(1, 1))
    assert bytes(path(one).data) == word.to_bytes(BINARY[tag].width, "little")


@pytest.mark.parametrize("storage", STORAGES, ids=lambda storage: storage.tag)
def test_any_block_survives_every_path(storage: Storage) -> None:
    @settings(derandomize=True, deadline=None, database=None, max_examples=15)
    @given(strategies.blocks(storage))
    def check(drawn: Block) -> None:
        for path in (NUMPY["numpy copied"], NUMPY["numpy big-endian"], NUMPY["file to numpy, adopted"]):
            assert path(drawn) == drawn
        for path in (TORCH["torch copied"], TORCH["torch put strided"], TORCH["file to torch, adopted"]):
            assert path(drawn) == drawn

    check()


@pytest.mark.parametrize("path", PATHS)
def test_booleans_survive(path: Path) -> None:
    booleans = Block("bool", (2, 3), bytes([0, 1, 1, 0, 0, 1]))
    assert path(booleans) == booleans


def test_words_of_arrays_and_tensors_are_their_bits() -> None:
    assert buffers.words(np.array([1.0, -0.0], ">f4")).tolist() == [0x3F800000, 0x80000000]
    assert buffers.words(np.array([1 - 2j])).tolist() == [0x3FF0000000000000, 0xC000000000000000]
    assert tensors.words(torch.tensor([[1.0, -2.0]], dtype=torch.bfloat16).mT).tolist() == [0x3F80, 0xC000]
    assert tensors.words(torch.tensor([1 + 2j]).conj()).tolist() == [0x3F800000, 0xC0000000]
    assert tensors.words(torch.tensor(-1, dtype=torch.int64)).tolist() == [0xFFFFFFFFFFFFFFFF]


def _through_python_floats(given: Block) -> Block:
    tensor = tensors.tensor_of(given)
    return tensors.block_of(torch.tensor(tensor.tolist(), dtype=tensor.dtype))


def _through_a_wider_type(given: Block) -> Block:
    array = buffers.array_of(given)
    with np.errstate(invalid="ignore"):
        return buffers.block_of(array.astype("<f8").astype(array.dtype))


@pytest.mark.parametrize("broken", [_through_python_floats, _through_a_wider_type])
@pytest.mark.parametrize("word", [0x7F800001, 0xFFBFFFFF])
def test_a_path_through_a_float_value_would_be_noticed(broken: Path, word: int) -> None:
    signalling = block("binary32", [word])
    assert broken(signalling) != signalling
    assert loaded(signalling) == signalling


BINARY: dict[str, Storage] = {storage.tag: storage for storage in (BINARY16, BFLOAT16, BINARY32, BINARY64)}
