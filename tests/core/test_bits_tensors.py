"""Tensors of any strides, laziness and device give their logical values; what comes back owns aligned memory."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from bitproof import tensors
from bitproof.memory import owned
from bitproof_spec.document import Block

DTYPES = [
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
    torch.complex64,
    torch.complex128,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.uint8,
    torch.bool,
]
cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")


def numbers(dtype: torch.dtype, count: int) -> torch.Tensor:
    """Arbitrary bits of a dtype."""
    generator = torch.Generator().manual_seed(5)
    high = 2 if dtype is torch.bool else 256
    return torch.randint(0, high, (count * dtype.itemsize,), dtype=torch.uint8, generator=generator).view(dtype)


def elements(tensor: torch.Tensor) -> bytes:
    """The elements one by one in row-major order, each through a new tensor of one element."""
    ones = [torch.empty(1, dtype=tensor.dtype).copy_(tensor[index]) for index in np.ndindex(*tensor.shape)]
    return b"".join(one.view(torch.uint8).numpy().tobytes() for one in ones)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_b1_any_strides_give_the_logical_values(dtype: torch.dtype) -> None:
    whole = numbers(dtype, 60).reshape(3, 4, 5)

    @settings(derandomize=True, deadline=None, database=None, max_examples=20)
    @given(
        st.permutations([0, 1, 2]), st.lists(st.tuples(st.integers(0, 4), st.integers(1, 3)), min_size=3, max_size=3)
    )
    def check(axes: list[int], cuts: list[tuple[int, int]]) -> None:
        tensor = whole.permute(axes)[tuple(slice(start, None, step) for start, step in cuts)]
        block = tensors.block_of(tensor)
        assert bytes(block.data) == elements(tensor)
        assert tensors.block_view(tensor) == block
        back = tensors.tensor_of(block)
        assert (back.shape, back.dtype) == (tensor.shape, dtype)
        assert tensors.block_of(back) == block

    check()


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_b1_a_single_element_with_a_stride_of_two_is_stored(dtype: torch.dtype) -> None:
    tensor = numbers(dtype, 4)[::2][1:]
    assert tensor.stride() == (2,)
    assert tensor.is_contiguous()
    assert tensors.block_of(tensor).data == elements(tensor)
    assert tensors.block_view(tensor).data == elements(tensor)
    target = torch.zeros_like(numbers(dtype, 4))[::2][1:]
    tensors.put([target], [tensor])
    assert tensors.block_of(target) == tensors.block_of(tensor)


@pytest.mark.parametrize("dtype", [torch.complex64, torch.complex128], ids=str)
def test_b1_lazy_conjugate_and_negative_bits_are_in_the_values(dtype: torch.dtype) -> None:
    plain = torch.tensor([1 + 2j, -0.0 - 0.0j, complex("nan+infj")], dtype=dtype)
    lazy = plain.conj()
    assert lazy.is_conj()
    assert lazy.imag.is_neg()
    real, imaginary = (part.tolist() for part in tensors.words(plain).reshape(-1, 2).T)
    sign = 1 << 8 * dtype.itemsize // 2 - 1
    flipped = [word ^ sign for word in imaginary]
    assert tensors.words(lazy).reshape(-1, 2).T.tolist() == [real, flipped]
    assert tensors.words(lazy.imag).tolist() == flipped
    assert tensors.block_view(lazy) == tensors.block_of(lazy.resolve_conj())
    target = torch.zeros_like(plain)
    tensors.put([target], [lazy])
    assert tensors.block_of(target) == tensors.block_of(lazy)


def test_b1_tensors_that_are_expanded_or_train_or_were_made_for_inference() -> None:
    row = torch.tensor([1.5, -0.0], dtype=torch.float16)
    assert tensors.block_of(row.expand(3, 2)).data == 3 * bytes(tensors.block_of(row).data)
    weight = torch.nn.Parameter(row.float())
    assert tensors.block_of(weight * 1) == tensors.block_of(row.float())
    assert tensors.block_view(weight).data == tensors.block_of(weight).data
    with torch.inference_mode():
        frozen = row.clone()
    assert tensors.block_of(frozen) == tensors.block_of(row)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("shape", [(), (0,), (3, 0), (0, 2**40), (1, 1)])
def test_v16_sizes_of_zero_and_rank_0_keep_shape_and_dtype(dtype: torch.dtype, shape: tuple[int, ...]) -> None:
    tensor = torch.zeros(shape, dtype=dtype)
    for back in (tensors.tensor_of(tensors.block_of(tensor)), tensors.adopt(tensors.block_view(tensor))):
        assert (tuple(back.shape), back.dtype) == (shape, dtype)
    tensors.put([tensor], [tensor.clone()])


def test_g6_a_view_is_stored_as_its_own_elements() -> None:
    secrets = torch.arange(10**6)
    block = tensors.block_view(secrets[:10])
    assert len(block.data) == len(tensors.block_of(secrets[:10]).data) == 80
    assert tensors.tensor_of(block).untyped_storage().nbytes() == 80


def test_i2_a_copy_isn_t_reached_by_later_changes_and_a_view_can_t_be_written() -> None:
    tensor = torch.arange(4.0)
    copy, view = tensors.block_of(tensor), tensors.block_view(tensor)
    first, second = tensors.tensor_of(view), tensors.adopt(view)
    tensor[0] = 7
    assert copy != view == tensors.block_of(tensor)
    assert isinstance(view.data, memoryview)
    assert view.data.readonly
    assert tensors.block_of(first) == tensors.block_of(second) == copy
    assert first.data_ptr() != second.data_ptr()


@pytest.mark.parametrize("size", [1, 3, 64, 1000, 1 << 20, 5 << 20])
def test_i4_what_comes_in_is_writable_aligned_and_its_own(size: int) -> None:
    block = Block("uint8", (size,), bytes(size))
    loaded = [tensors.tensor_of(block), tensors.tensor_of(block), tensors.adopt(Block("uint8", (size,), owned(size)))]
    assert all(tensor.data_ptr() % 64 == 0 and tensor.is_contiguous() for tensor in loaded)
    for tensor in loaded[::2]:
        tensor += 1
    assert loaded[1].eq(0).all()
    assert bytes(block.data) == bytes(size)


def test_i2_an_adopted_block_is_given_up() -> None:
    block = Block("bfloat16", (2,), owned(4))
    tensor = tensors.adopt(block)
    tensor += 1
    with pytest.raises(ValueError, match="released"):
        tensors.tensor_of(block)
    assert tensors.words(tensor).tolist() == [0x3F80, 0x3F80]


def test_i1_put_changes_bits_and_nothing_else() -> None:
    weight = torch.nn.Parameter(torch.zeros(2, 3))
    column, place = weight.data[:, 1], weight.data_ptr()
    staged = tensors.tensor_of(Block("binary32", (2, 3), bytes(range(24))))
    tensors.put([weight], [staged])
    assert weight.data_ptr() == place
    assert weight.requires_grad
    assert weight.grad_fn is None
    assert tensors.block_of(weight).data == bytes(range(24))
    assert tensors.block_of(column) == tensors.block_of(staged[:, 1])
    staged.zero_()
    assert tensors.block_of(weight).data == bytes(range(24))


def _inference() -> torch.Tensor:
    with torch.inference_mode():
        return torch.zeros(2)


@pytest.mark.parametrize(
    ("make", "staged", "error"),
    [
        (lambda: torch.zeros(2), torch.ones(2, dtype=torch.float64), TypeError),
        (lambda: torch.zeros(2), torch.ones(1), ValueError),
        (lambda: torch.zeros(1), torch.ones(()), ValueError),
        (lambda: torch.zeros(1).expand(2), torch.ones(2), ValueError),
        (lambda: torch.zeros(2, dtype=torch.complex64).conj(), torch.ones(2, dtype=torch.complex64), ValueError),
        (lambda: torch.zeros(2, dtype=torch.complex64).conj().imag, torch.ones(2), ValueError),
        (lambda: torch.zeros(2, device="meta"), torch.ones(2), ValueError),
        (_inference, torch.ones(2), ValueError),
    ],
)
def test_a10_v17_v18_put_checks_everything_before_it_changes_anything(
    make: Callable[[], torch.Tensor], staged: torch.Tensor, error: type[Exception]
) -> None:
    good = torch.zeros(3)
    with pytest.raises(error, match="tensor 1: "):
        tensors.put([good, make()], [torch.ones(3), staged])
    with pytest.raises(ValueError, match="zip"):
        tensors.put([good, good], [torch.ones(3)])
    assert tensors.block_of(good).data == bytes(12)


@pytest.mark.parametrize(
    "value",
    [1.0, np.zeros(2), torch.zeros(2, device="meta"), torch.eye(2).to_sparse(), None],
    ids=["float", "array", "meta", "sparse", "none"],
)
def test_what_isn_t_a_dense_tensor_is_refused(value: torch.Tensor) -> None:
    with pytest.raises(TypeError, match="not a dense tensor with values"):
        tensors.block_of(value)


@pytest.mark.parametrize("dtype", [torch.uint16, torch.uint64, torch.float8_e4m3fn], ids=str)
def test_y5_a_dtype_without_a_tag_is_refused(dtype: torch.dtype) -> None:
    with pytest.raises(TypeError, match="no checkpoint holds a tensor of"):
        tensors.block_of(torch.empty(2, dtype=dtype))


def test_y5_formats_of_one_width_are_kept_apart() -> None:
    assert tensors.block_of(torch.zeros(2, dtype=torch.bfloat16)) != tensors.block_of(torch.zeros(2, dtype=torch.half))
    with pytest.raises(TypeError, match="torch has no scalar of format tf32"):
        tensors.tensor_of(Block("tf32", (1,), bytes(4)))


def test_v3_a_block_whose_size_isn_t_its_shape_s_is_refused() -> None:
    for make in (tensors.tensor_of, tensors.adopt):
        with pytest.raises(ValueError, match="doesn't have 8 bytes"):
            make(Block("binary32", (3,), bytes(8)))


def test_a_boolean_that_is_neither_0_nor_1_is_refused_both_ways() -> None:
    with pytest.raises(ValueError, match="element 1 of a bool tensor is the byte 255"):
        tensors.block_of(torch.tensor([1, 255], dtype=torch.uint8).view(torch.bool))
    with pytest.raises(ValueError, match="element 1 of a bool tensor is the byte 255"):
        tensors.tensor_of(Block("bool", (2,), b"\x01\xff"))


@cuda
def test_b13_work_that_is_still_queued_on_a_device_is_in_the_values() -> None:
    for repeat in range(20):
        tensor = torch.full((1 << 24,), float(repeat), device="cuda")
        stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]  # torch leaves it untyped
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):  # another stream than the copy's: only a synchronised device has finished it
            for _ in range(200):
                tensor.add_(1)
        found = tensors.block_of(tensor)
        torch.cuda.synchronize()
        assert found.data == tensors.block_of(tensor).data
        assert (tensors.tensor_of(found) == repeat + 200).all()


@cuda
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_r22_bits_are_the_same_on_a_device_and_the_host_stays_where_it_is(dtype: torch.dtype) -> None:
    block = tensors.block_of(numbers(dtype, 1000).reshape(10, 100))
    device, host = tensors.tensor_of(block, "cuda"), tensors.tensor_of(block)
    assert (device.device.type, host.device.type) == ("cuda", "cpu")
    assert tensors.block_of(device) == tensors.block_of(host) == block
    target = torch.zeros_like(device)
    tensors.put([target], [host])
    assert target.device.type == "cuda"
    assert tensors.block_of(target.mT) == tensors.block_of(host.mT)


def test_i2_threads_that_store_and_load_at_once_get_the_same_bits() -> None:
    block = tensors.block_of(numbers(torch.bfloat16, 1000))
    found: list[bool] = []

    def journey() -> None:
        found.append(all(tensors.block_of(tensors.tensor_of(block)) == block for _ in range(50)))

    threads = [threading.Thread(target=journey) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 4
