"""Ways of a block's bits into an array or tensor and out again, and twins of them that compute with values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

import torch

from bitproof import buffers, tensors
from bitproof.memory import owned
from bitproof_spec.document import Block, first_difference, words
from proofs.law import Result

Path: TypeAlias = Callable[[Block], Block]


def numpy_copy(block: Block) -> Block:
    """Into an array of its own, and a copy out."""
    return buffers.block_of(buffers.array_of(block))


def numpy_in_place(block: Block) -> Block:
    """Into an array in the loader's memory, and out as a view."""
    return buffers.block_view(buffers.adopt(_loaded(block)))


def numpy_reordered(block: Block) -> Block:
    """Out of an array of the other byte order whose memory runs backwards."""
    array = buffers.array_of(block)
    backwards = array.astype(array.dtype.newbyteorder(">"))[::-1].copy()
    return buffers.block_of(backwards[::-1])


def torch_copy(block: Block) -> Block:
    """Into a tensor, and a copy out."""
    return tensors.block_of(tensors.tensor_of(block))


def torch_in_place(block: Block) -> Block:
    """Into a tensor in the loader's memory, and out as a view."""
    return tensors.block_view(tensors.adopt(_loaded(block)))


def torch_put_strided(block: Block) -> Block:
    """Over the bits of a live tensor that is every second element of another, and out of it."""
    staged = tensors.tensor_of(block)
    live = torch.ones((*staged.shape, 2), dtype=staged.dtype)[..., 1]
    tensors.put([live], [staged])
    return tensors.block_of(live)


def widened_and_back(block: Block) -> Block:
    """A twin whose values pass through a wider format, which quiets signalling NaNs."""
    tensor = tensors.tensor_of(block)
    wider = torch.complex128 if tensor.is_complex() else torch.float64
    return tensors.block_of(tensor.to(wider if tensor.dtype != wider else torch.float32).to(tensor.dtype))


def zero_added(block: Block) -> Block:
    """A twin that adds 0, which makes -0 positive and quiets signalling NaNs."""
    return tensors.block_of(tensors.tensor_of(block) + 0)


def unchanged(path: Path, blocks: Iterable[Block]) -> Result:
    """Every block comes out of a path as it went in; counted in words."""
    count = 0
    for block in blocks:
        kept, found = bytes(block.data), path(block)
        count += block.shape[0]
        if (found.tag, found.shape) != (block.tag, block.shape) or found.data != kept:
            at = (first_difference(kept, bytes(found.data)) or 0) * block.shape[0] // max(len(kept), 1)
            return Result("refuted", 1, f"{block.tag} {words(Block(block.tag, block.shape, kept), at)} changes")
    return Result("exhausted", count, "words, all of them")


def _loaded(block: Block) -> Block:
    """The block in memory as a loader hands it over: aligned, writable, its own."""
    memory = owned(len(block.data))
    memory[:] = block.data
    return Block(block.tag, block.shape, memory)
