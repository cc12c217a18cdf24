"""NumPy arrays to blocks of row-major little-endian words and back, by bit pattern, never through a float value.

`block_of` copies, `block_view` lends; `array_of` copies into memory of its own, `adopt` takes the block's memory over.
"""

from __future__ import annotations

from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bitproof.memory import ALIGNMENT
from bitproof_spec.document import Block, Data

Array: TypeAlias = NDArray[np.generic]

_CODES = {
    "f2": "binary16",
    "f4": "binary32",
    "f8": "binary64",
    "c8": "complex(binary32)",
    "c16": "complex(binary64)",
    "i1": "int8",
    "i2": "int16",
    "i4": "int32",
    "i8": "int64",
    "u1": "uint8",
    "b1": "bool",
}
_TAGS: dict[np.dtype[np.generic], str] = {np.dtype(order + code): tag for code, tag in _CODES.items() for order in "<>"}
_DTYPES: dict[str, np.dtype[np.generic]] = {tag: np.dtype(f"<{code}") for code, tag in _CODES.items()}
_BOOL = "bool"


def tag_of(dtype: np.dtype[np.generic]) -> str:
    """The tag of a dtype, whatever its byte order; TypeError for one that no checkpoint holds."""
    tag = _TAGS.get(dtype)
    if tag is None:
        raise TypeError(f"no checkpoint holds an array of {dtype}; it holds {', '.join(_DTYPES)}")
    return tag


def dtype_of(tag: str) -> np.dtype[np.generic]:
    """The little-endian dtype of a tag; TypeError for a scalar that numpy doesn't have, as bfloat16."""
    dtype = _DTYPES.get(tag)
    if dtype is None:
        raise TypeError(f"numpy has no scalar of format {tag}")
    return dtype


def block_of(array: Array) -> Block:
    """A copy of the array's logical values; later changes of the array don't reach it. TypeError as `block_view`."""
    block = block_view(array)
    return Block(block.tag, block.shape, bytes(block.data))


def block_view(array: Array) -> Block:
    """The array's logical values, lent read-only where it is row-major and little-endian already, else copied.

    TypeError for what isn't a plain array of a dtype with a tag; ValueError for a boolean that is neither 0 nor 1.
    """
    _owe_plain(array)
    tag = tag_of(array.dtype)
    raw = _bytes(array)
    owe_booleans(tag, raw)
    return Block(tag, array.shape, lend(raw))


def words(array: Array) -> Array:
    """The bits of an array as a flat row-major array of unsigned integers; a complex scalar is two words."""
    dtype = dtype_of(tag_of(array.dtype))
    width = dtype.itemsize // 2 if dtype.kind == "c" else dtype.itemsize
    return _bytes(array).view(f"<u{width}")


def array_of(block: Block) -> Array:
    """A new array of the block's words: row-major, writable, in 64-byte aligned memory that nothing else refers to.

    TypeError for a tag that numpy has no dtype for; ValueError when size and shape disagree or a boolean isn't 0 or 1.
    """
    return array_in(block, copied(block.data))


def adopt(block: Block) -> Array:
    """As `array_of`, but without a copy where the block's memory is writable and aligned, as a loader's is.

    The block is given up: its data is released, and any later use of it raises ValueError instead of sharing memory.
    """
    return array_in(block, adopted(block.data))


def array_in(block: Block, memory: NDArray[np.uint8]) -> Array:
    """`memory`, which holds the block's bytes, seen as the array that the block describes. Raises as `array_of`."""
    dtype = dtype_of(block.tag)
    owe_size(block, memory, dtype.itemsize)
    return memory.view(dtype).reshape(block.shape)


def aligned(nbytes: int) -> NDArray[np.uint8]:
    """New uninitialised memory that starts at a multiple of 64, so that kernels give equal bits on equal values."""
    memory = np.empty(nbytes + ALIGNMENT - 1, np.uint8)
    start = -memory.ctypes.data % ALIGNMENT
    return memory[start : start + nbytes]


def copied(data: Data) -> NDArray[np.uint8]:
    """A copy of some bytes in aligned memory."""
    memory = aligned(len(data))
    memory[:] = np.frombuffer(data, np.uint8)
    return memory


def adopted(data: Data) -> NDArray[np.uint8]:
    """The memory of a writable, aligned memoryview, which is released; a copy of anything else."""
    if isinstance(data, memoryview) and not data.readonly:
        memory = np.frombuffer(memoryview(data), np.uint8)
        if memory.ctypes.data % ALIGNMENT == 0:
            data.release()
            return memory
    return copied(data)


def lend(raw: NDArray[np.uint8]) -> memoryview:
    """Flat bytes as a memoryview that can't be written through."""
    return raw.data.toreadonly()


def owe_size(block: Block, memory: NDArray[np.uint8], width: int) -> None:
    """ValueError unless the block's shape and size agree, and its booleans are booleans."""
    if any(extent < 0 for extent in block.shape) or prod(block.shape) * width != memory.size:
        raise ValueError(f"{block.tag}{list(block.shape)} doesn't have {memory.size} bytes")
    owe_booleans(block.tag, memory)


def owe_booleans(tag: str, raw: NDArray[np.uint8]) -> None:
    """ValueError when a boolean is neither 0 nor 1: its value would depend on who reads it."""
    if tag == _BOOL and raw.size and raw.max() > 1:
        raise ValueError(f"element {int((raw > 1).argmax())} of a bool tensor is the byte {int(raw.max())}")


def _bytes(array: Array) -> NDArray[np.uint8]:
    """The logical values as flat bytes; memory is shared where it can be. Casts here change byte order only."""
    flat = np.asarray(array).reshape(-1)
    return flat.astype(flat.dtype.newbyteorder("<"), order="C", copy=False).view(np.uint8)


def _owe_plain(array: object) -> None:
    """TypeError for scalars, lists, and arrays whose values are more than their memory."""
    if not isinstance(array, np.ndarray) or isinstance(array, np.ma.MaskedArray):
        raise TypeError(f"not a plain numpy array: {type(array).__name__}")
