"""Arrays of any layout give row-major little-endian words; what comes back owns aligned memory; the rest is refused."""

from __future__ import annotations

import subprocess
import sys
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitproof import buffers
from bitproof.buffers import Array
from bitproof.memory import owned, owned_each
from bitproof_spec.document import Block

DTYPES = ["f2", "f4", "f8", "c8", "c16", "i1", "i2", "i4", "i8", "u1", "b1"]


def numbers(dtype: str, count: int) -> Array:
    """Arbitrary bits of a dtype."""
    width = np.dtype(dtype).itemsize
    raw = np.random.Generator(np.random.PCG64(5)).integers(0, 2 if dtype == "b1" else 256, width * count, np.uint8)
    bits: Array = raw.view(f"<{dtype}")
    return bits


def expected(array: Array) -> bytes:
    """The array's elements one by one in row-major order; numpy's scalars have the machine's byte order."""
    assert sys.byteorder == "little"
    return b"".join(array[index].tobytes() for index in np.ndindex(array.shape))


def test_b1_a_column_major_array_is_stored_row_major() -> None:
    array = np.asfortranarray(np.arange(12, dtype=np.float32).reshape(3, 4))
    block = buffers.block_of(array)
    assert block == Block("binary32", (3, 4), array.tobytes("C"))
    assert np.array_equal(buffers.array_of(block), array)


@pytest.mark.parametrize("code", ["f4", "f2", "c16", "i8"])
def test_b3_a_big_endian_array_is_stored_as_its_little_endian_twin(code: str) -> None:
    little, big = np.arange(6).astype(f"<{code}"), np.arange(6).astype(f">{code}")
    assert buffers.block_of(big) == buffers.block_of(little) == buffers.block_view(big)
    assert buffers.block_of(little).data == little.tobytes()


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("code", DTYPES)
def test_b1_b3_any_strides_and_byte_order_give_the_logical_values(code: str, order: Literal["<", ">"]) -> None:
    whole = numbers(code, 60).reshape(3, 4, 5)
    whole = whole.astype(whole.dtype.newbyteorder(order))

    @settings(derandomize=True, deadline=None, database=None, max_examples=40)
    @given(st.permutations([0, 1, 2]), st.lists(st.slices(5), min_size=3, max_size=3))
    def check(axes: list[int], slices: list[slice]) -> None:
        array = whole.transpose(axes)[tuple(slices)]
        block = buffers.block_of(array)
        assert bytes(block.data) == expected(array)
        assert buffers.block_view(array) == block
        back = buffers.array_of(block)
        assert back.shape == array.shape
        assert buffers.block_of(back) == block

    check()


def test_b1_broadcast_scalar_read_only_and_single_arrays() -> None:
    row = np.array([1.5, -0.0], np.float16)
    row.flags.writeable = False
    for array in (np.broadcast_to(row, (3, 2)), row, row[::-1], row[0:1][::2], np.array(row[1]), row[1:, None]):
        assert bytes(buffers.block_of(array).data) == expected(array)
        assert bytes(buffers.block_view(array).data) == expected(array)


@pytest.mark.parametrize("code", DTYPES)
@pytest.mark.parametrize("shape", [(), (0,), (3, 0), (0, 2**40), (1, 1, 1)])
def test_v16_sizes_of_zero_and_rank_0_keep_shape_and_dtype(code: str, shape: tuple[int, ...]) -> None:
    array = np.zeros(shape, f"<{code}")
    back = buffers.array_of(buffers.block_of(array))
    assert (back.shape, back.dtype) == (shape, array.dtype)
    assert buffers.adopt(buffers.block_view(array)).shape == shape


def test_v16_two_empty_arrays_are_no_aliases() -> None:
    block = Block("binary32", (0,), b"")
    first, second = buffers.array_of(block), buffers.array_of(block)
    assert not np.may_share_memory(first, second)


def test_g6_a_view_is_stored_as_its_own_elements() -> None:
    secrets = np.arange(10**6, dtype=np.int64)
    assert len(buffers.block_of(secrets[:10]).data) == len(buffers.block_view(secrets[:10]).data) == 80


def test_i2_a_copy_isn_t_reached_by_later_changes_and_a_view_can_t_be_written() -> None:
    array = np.arange(4, dtype=np.float32)
    copy, view = buffers.block_of(array), buffers.block_view(array)
    array[0] = 7
    assert copy != view == buffers.block_of(array)
    assert isinstance(view.data, memoryview)
    assert view.data.readonly
    assert not np.may_share_memory(buffers.array_of(view), array)
    assert not np.may_share_memory(buffers.adopt(view), array)


@pytest.mark.parametrize("size", [1, 3, 64, 1000, 1 << 20, 5 << 20])
def test_i4_what_comes_in_is_writable_aligned_and_its_own(size: int) -> None:
    block = Block("uint8", (size,), bytes(size))
    arrays = [buffers.array_of(block) for _ in range(3)]
    arrays.append(buffers.adopt(Block("uint8", (size,), owned(size))))
    for array in arrays:
        assert array.flags.writeable
        assert array.flags.c_contiguous
        assert array.ctypes.data % 64 == 0
    arrays[0][:] = 1
    assert not arrays[1].any()
    assert bytes(block.data) == bytes(size)


def test_i2_an_adopted_block_is_given_up() -> None:
    memory = owned(8)
    block = Block("binary32", (2,), memory)
    array = buffers.adopt(block)
    array[:] = [1, 2]
    with pytest.raises(ValueError, match="released"):
        bytes(block.data)
    with pytest.raises(ValueError, match="released"):
        buffers.adopt(block)
    assert array.tolist() == [1, 2]


def test_adopting_what_isn_t_aligned_or_writable_copies_it() -> None:
    memory = owned(72)
    for data in (memory[4:12], memory.toreadonly()[:8], bytes(8)):
        array = buffers.adopt(Block("binary32", (2,), data))
        assert array.ctypes.data % 64 == 0
        array[:] = 1
    assert bytes(memory) == bytes(72)


def test_memory_in_one_allocation_is_aligned_and_disjoint() -> None:
    sizes = [0, 1, 63, 64, 65, 0, 200]
    for number, piece in enumerate(pieces := owned_each(sizes)):
        piece[:] = bytes([number]) * len(piece)
    assert [bytes(piece) for piece in pieces] == [bytes([number]) * size for number, size in enumerate(sizes)]
    assert all(np.frombuffer(piece, np.uint8).ctypes.data % 64 == 0 for piece in pieces if len(piece))


FORK = """
import os
from bitproof.memory import owned
memory = owned(100)
child = os.fork()
memory[0] = 1 if child else 2
if not child: os._exit(0)
os.waitpid(child, 0)
print(memory[0])
"""


def test_i2_memory_is_not_shared_with_a_forked_process() -> None:
    out = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True, check=True, timeout=60)
    assert out.stdout == "1\n"


@pytest.mark.parametrize(
    "array",
    [
        np.zeros(2, np.uint16),
        np.zeros(2, np.longdouble),
        np.array(["a"]),
        np.array([None]),
        np.zeros(2, "V2"),
        np.zeros(2, [("a", "<f4")]),
        np.zeros(2, "M8[s]"),
        np.zeros(2, np.dtypes.StringDType()),
    ],
    ids=lambda array: str(array.dtype),
)
def test_y5_a_dtype_without_a_tag_is_refused(array: Array) -> None:
    with pytest.raises(TypeError, match="no checkpoint holds an array of"):
        buffers.block_of(array)


def test_y5_a_foreign_dtype_of_the_same_width_is_refused() -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    for name in ("bfloat16", "float8_e5m2", "int4"):
        with pytest.raises(TypeError, match="no checkpoint holds an array of"):
            buffers.block_of(np.zeros(2, getattr(ml_dtypes, name)))


@pytest.mark.parametrize("value", [1.0, [1.0], np.float32(1), np.ma.masked_array([1.0], [True]), None])
def test_what_isn_t_a_plain_array_is_refused(value: Array) -> None:
    with pytest.raises(TypeError, match="not a plain numpy array"):
        buffers.block_of(value)


@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 2), (-1, -2), (2**40, 2**40)])
def test_v3_a_block_whose_size_isn_t_its_shape_s_is_refused(shape: tuple[int, ...]) -> None:
    block = Block("binary32", shape, bytes(8))
    with pytest.raises(ValueError, match="doesn't have 8 bytes"):
        buffers.array_of(block)


def test_a_block_of_a_scalar_that_numpy_lacks_is_refused() -> None:
    with pytest.raises(TypeError, match="numpy has no scalar of format bfloat16"):
        buffers.array_of(Block("bfloat16", (1,), bytes(2)))


def test_a_boolean_that_is_neither_0_nor_1_is_refused_both_ways() -> None:
    strange = np.array([0, 1, 2], np.uint8)
    with pytest.raises(ValueError, match="element 2 of a bool tensor is the byte 2"):
        buffers.block_of(strange.view(np.bool_))
    with pytest.raises(ValueError, match="element 2 of a bool tensor is the byte 2"):
        buffers.array_of(Block("bool", (3,), strange.tobytes()))
