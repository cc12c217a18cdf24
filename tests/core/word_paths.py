"""Words that get lost where a value passes through a float, and every path that a block can take in and out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch

from bitproof import buffers, tensors
from bitproof.strategies import special_words
from bitproof.views import open_view
from bitproof_spec.document import Block
from bitproof_spec.formats import NAMED

WORDS_OF_REPORTS = {
    "binary16": [0x7C01, 0xFDFF, 0x7E55],
    "bfloat16": [0x7F81, 0xFFBF, 0x7FC1],
    "binary32": [0x7F800001, 0xFF800001, 0x7FBFFFFF, 0x7FC12345],
    "binary64": [0x7FF0000000000001, 0xFFF0000000000001, 0x7FF7FFFFFFFFFFFF, 0x7FF8000000012345],
}


def block(tag: str, words: list[int]) -> Block:
    """A row of words of a real format."""
    width = NAMED[tag].bits // 8
    return Block(tag, (len(words),), b"".join(word.to_bytes(width, "little") for word in words))


def classes(tag: str) -> Block:
    """Every class of word of a real format, both signs, as a row."""
    return block(tag, [*special_words(NAMED[tag]), *WORDS_OF_REPORTS[tag]])


def complex_classes(tag: str) -> Block:
    """Every pair of classes of words, as a square of complex scalars."""
    row, width = classes(tag), NAMED[tag].bits // 8
    parts = [bytes(row.data[at : at + width]) for at in range(0, len(row.data), width)]
    data = b"".join(real + imaginary for real in parts for imaginary in parts)
    return Block(f"complex({tag})", (len(parts), len(parts)), data)


def all_words16(tag: str) -> Block:
    """All 65,536 words of a 16-bit format."""
    return Block(tag, (256, 256), np.arange(1 << 16, dtype="<u2").tobytes())


def loaded(given: Block) -> Block:
    """The block after a journey through a file, its memory a loader's."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "words")
        path.write_bytes(b"\xaa" * 3 + bytes(given.data))
        with open_view(path, keep=True) as view:
            (payload,) = view.blocks("words", [(3, len(given.data))], digest=True)
    return Block(given.tag, given.shape, payload.data)


def _put(given: Block) -> Block:
    target = torch.zeros(given.shape, dtype=tensors.dtype_of(given.tag), requires_grad=_differentiable(given.tag))
    tensors.put([target], [tensors.tensor_of(given)])
    return tensors.block_of(target)


def _put_strided(given: Block) -> Block:
    target = torch.zeros((*given.shape, 3), dtype=tensors.dtype_of(given.tag))[..., 1]
    tensors.put([target], [tensors.tensor_of(given)])
    return tensors.block_of(target)


def _state_dict(given: Block) -> Block:
    module, source = torch.nn.Module(), torch.nn.Module()
    source.register_buffer("x", tensors.tensor_of(given))
    module.register_buffer("x", torch.zeros(given.shape, dtype=tensors.dtype_of(given.tag)))
    module.load_state_dict(source.state_dict())
    return tensors.block_of(module.get_buffer("x"))


def _differentiable(tag: str) -> bool:
    dtype = tensors.dtype_of(tag)
    return dtype.is_floating_point or dtype.is_complex


def _column_major(given: Block) -> Block:
    return buffers.block_of(np.asfortranarray(buffers.array_of(given)))


def _big_endian(given: Block) -> Block:
    array = buffers.array_of(given)
    return buffers.block_of(array.astype(array.dtype.newbyteorder(">")))


NUMPY: dict[str, Callable[[Block], Block]] = {
    "numpy copied": lambda given: buffers.block_of(buffers.array_of(given)),
    "numpy lent": lambda given: buffers.block_view(buffers.array_of(given)),
    "numpy column-major": _column_major,
    "numpy big-endian": _big_endian,
    "file to numpy, copied": lambda given: buffers.block_of(buffers.array_of(loaded(given))),
    "file to numpy, adopted": lambda given: buffers.block_of(buffers.adopt(loaded(given))),
    "numpy to torch to numpy": lambda given: buffers.block_of(
        tensors.tensor_of(buffers.block_of(buffers.array_of(given))).numpy()
    ),
}
TORCH: dict[str, Callable[[Block], Block]] = {
    "torch copied": lambda given: tensors.block_of(tensors.tensor_of(given)),
    "torch lent": lambda given: tensors.block_view(tensors.tensor_of(given)),
    "torch transposed": lambda given: tensors.block_of(tensors.tensor_of(given).mT.contiguous().mT),
    "torch put": _put,
    "torch put strided": _put_strided,
    "torch module": _state_dict,
    "file": loaded,
    "file to torch, copied": lambda given: tensors.block_of(tensors.tensor_of(loaded(given))),
    "file to torch, adopted": lambda given: tensors.block_of(tensors.adopt(loaded(given))),
}
