"""Torch tensors to blocks of row-major little-endian words and back, by bit pattern, never through a float value.

The same functions as in `buffers`, for torch: any device, strides, lazy conjugate and negative bits, bfloat16.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from bitproof.buffers import Array, adopted, lend, owe_booleans, owe_size
from bitproof.extras import missing
from bitproof_spec.document import Block

try:
    import torch
except ModuleNotFoundError as error:
    if error.name != "torch":
        raise
    raise missing("torch", "torch") from None

_TAGS = {
    torch.float16: "binary16",
    torch.bfloat16: "bfloat16",
    torch.float32: "binary32",
    torch.float64: "binary64",
    torch.complex64: "complex(binary32)",
    torch.complex128: "complex(binary64)",
    torch.int8: "int8",
    torch.int16: "int16",
    torch.int32: "int32",
    torch.int64: "int64",
    torch.uint8: "uint8",
    torch.bool: "bool",
}
_DTYPES = {tag: dtype for dtype, tag in _TAGS.items()}
_INTEGERS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def tag_of(dtype: torch.dtype) -> str:
    """The tag of a dtype; TypeError for one that no checkpoint holds."""
    tag = _TAGS.get(dtype)
    if tag is None:
        raise TypeError(f"no checkpoint holds a tensor of {dtype}; it holds {', '.join(_TAGS.values())}")
    return tag


def dtype_of(tag: str) -> torch.dtype:
    """The dtype of a tag; TypeError for a scalar that torch doesn't have."""
    dtype = _DTYPES.get(tag)
    if dtype is None:
        raise TypeError(f"torch has no scalar of format {tag}")
    return dtype


def block_of(tensor: torch.Tensor) -> Block:
    """A copy of the tensor's logical values; later changes of the tensor don't reach it. Raises as `block_view`."""
    block = block_view(tensor)
    return Block(block.tag, block.shape, bytes(block.data))


def block_view(tensor: torch.Tensor) -> Block:
    """The tensor's logical values, lent read-only where it lies row-major in the CPU's memory, else copied.

    A device is synchronised first, so that work still queued on it is in the values. TypeError for what isn't a dense
    tensor with values and a dtype with a tag; ValueError for a boolean that is neither 0 nor 1.
    """
    _owe_dense(tensor)
    tag = tag_of(tensor.dtype)
    raw = words(tensor).view(np.uint8)
    owe_booleans(tag, raw)
    return Block(tag, tuple(tensor.shape), lend(raw))


def words(tensor: torch.Tensor) -> Array:
    """The bits of a tensor as a flat row-major array of little-endian unsigned integers; a complex scalar is two."""
    plain = tensor.detach().resolve_conj().resolve_neg()
    if plain.device.type != "cpu":
        torch.accelerator.synchronize(plain.device)
        plain = plain.cpu()
    # Flattened here, bytes only in numpy: torch refuses to see bytes in a single element whose stride is two.
    flat = _integers(plain).contiguous().reshape(-1).numpy()
    return flat.view(f"u{flat.itemsize}").astype(f"<u{flat.itemsize}", copy=False)


def tensor_of(block: Block, device: torch.device | str = "cpu") -> torch.Tensor:
    """A new contiguous tensor of the block's words in torch's own memory, which is 64-byte aligned.

    TypeError for a tag that torch has no dtype for; ValueError when size and shape disagree or a boolean isn't 0 or 1.
    """
    memory = torch.empty(len(block.data), dtype=torch.uint8, device="cpu")
    memory.numpy()[:] = np.frombuffer(block.data, np.uint8)
    return _tensor_in(block, memory, device)


def adopt(block: Block, device: torch.device | str = "cpu") -> torch.Tensor:
    """As `tensor_of`, but without a copy on the CPU where the block's memory is writable and aligned, as a loader's is.

    The block is given up: its data is released, and any later use of it raises ValueError instead of sharing memory.
    """
    return _tensor_in(block, torch.from_numpy(adopted(block.data)), device)


def put(targets: Sequence[torch.Tensor], staged: Sequence[torch.Tensor]) -> None:
    """Copy the bits of each staged tensor into its target; objects, views of them and strides stay as they are.

    Everything that can fail is checked before the first copy: TypeError for another dtype, ValueError for another
    number or shape and for a target that can't be written element by element.
    """
    pairs = list(zip(targets, staged, strict=True))
    for index, (target, source) in enumerate(pairs):
        if target.dtype is not source.dtype:
            raise TypeError(f"tensor {index}: {source.dtype} doesn't fit into {target.dtype}")
        if target.shape != source.shape:
            raise ValueError(f"tensor {index}: {list(source.shape)} doesn't fit into {list(target.shape)}")
        if not writable(target):
            raise ValueError(f"tensor {index}: its elements can't be written one by one")
    for target, source in pairs:
        _integers(target.detach()).copy_(_integers(source.detach().resolve_conj().resolve_neg()))


def _integers(plain: torch.Tensor) -> torch.Tensor:
    """The same memory as integers, so that no kernel sees a float; a complex tensor gets a last axis of two."""
    real = torch.view_as_real(plain) if plain.is_complex() else plain
    return real.view(_INTEGERS[real.element_size()])


def _tensor_in(block: Block, memory: torch.Tensor, device: torch.device | str) -> torch.Tensor:
    """`memory`, which holds the block's bytes, seen as the tensor that the block describes, on the device."""
    dtype = dtype_of(block.tag)
    owe_size(block, memory.numpy(), dtype.itemsize)
    return _native(memory, dtype).view(dtype).reshape(block.shape).to(device)


def _native(memory: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Little-endian bytes in the byte order of this machine, in place."""
    if sys.byteorder == "big":
        width = dtype.itemsize // 2 if dtype.is_complex else dtype.itemsize
        memory.numpy().view(f"u{width}").byteswap(inplace=True)
    return memory


def _owe_dense(tensor: object) -> None:
    """TypeError for what isn't a tensor, and for sparse tensors and those without values."""
    if not isinstance(tensor, torch.Tensor) or tensor.layout is not torch.strided or tensor.is_meta:
        raise TypeError(f"not a dense tensor with values: {type(tensor).__name__}")


def writable(target: torch.Tensor) -> bool:
    """Whether each element can be written by itself, which those of an expanded or lazily negated tensor can't."""
    frozen = target.is_inference() and not torch.is_inference_mode_enabled()
    return not (frozen or target.is_conj() or target.is_neg() or target.is_meta or _overlaps(target))


def _overlaps(target: torch.Tensor) -> bool:
    """Whether the tensor was expanded, so that several of its elements are one."""
    return any(step == 0 and extent > 1 for step, extent in zip(target.stride(), target.shape, strict=True))
