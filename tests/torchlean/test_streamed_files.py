"""TLSF32B: the given files byte for byte, every damage named, every count bounded by the bytes that are left."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitproof.strategies import blocks
from bitproof_spec.document import Block
from bitproof_spec.encoding import BINARY32
from bitproof_spec.format import OfBytes, encode
from bitproof_spec.torchlean.streamed import TLSF32B, Streamed, Tensors
from bitproof_spec.violations import Violations
from tests.torchlean.builders import block32, nats

ONE = "544c5346333242010000000000000001000000000000000100000000000000020000000000000002000000000000000000803f000020c0"
EMPTY = "544c534633324201000000000000000000000000000000"
HEAD = b"TLSF32B" + nats(1)
STEADY = settings(derandomize=True, deadline=None, database=None, max_examples=200)


def rules(file: bytes, format: Streamed = TLSF32B) -> list[str]:
    verdict = format.judge(OfBytes(file))
    return [violation.rule for violation in verdict] if isinstance(verdict, Violations) else []


def test_the_known_files_are_written_and_read_byte_for_byte() -> None:
    one = Tensors((block32((2,), [0x3F800000, 0xC0200000]),))
    for text, document in ((ONE, one), (EMPTY, Tensors(()))):
        assert encode(TLSF32B, document).hex() == text
        assert TLSF32B.judge(OfBytes(bytes.fromhex(text))) == document


def test_the_size_is_23_bytes_and_16_for_each_tensor_8_for_each_dim_4_for_each_element() -> None:
    shapes = [(), (0,), (2, 3), (1, 0, 4)]
    document = Tensors(tuple(block32(shape, list(range(n))) for shape, n in zip(shapes, (1, 0, 6, 0), strict=True)))
    assert len(encode(TLSF32B, document)) == 23 + sum(16 + 8 * len(b.shape) + len(b.data) for b in document.blocks)


@STEADY
@given(st.lists(blocks(BINARY32), max_size=4))
def test_v16_any_tensors_come_back_with_their_words_and_shapes_empty_ones_too(drawn: list[Block]) -> None:
    document = Tensors(tuple(drawn))
    file = encode(TLSF32B, document)
    assert TLSF32B.judge(OfBytes(file)) == document
    assert rules(file + b"\0") == ["TLS-END-01"]


def test_v4_every_truncation_is_refused_as_such() -> None:
    file = encode(TLSF32B, Tensors((block32((2, 2), [1, 2, 3, 4]), block32((), [5]))))
    for length in range(len(file)):
        assert rules(file[:length]) in (["TLS-EOF-01"], ["TLS-PAY-01"]), length


def test_every_flip_of_a_framing_bit_is_refused_and_no_other_exception_leaves() -> None:
    blocks_ = (block32((2, 1), [0x7F800001, 0x80000000]), block32((0,), []))
    file, payload = encode(TLSF32B, Tensors(blocks_)), range(23 + 32, 23 + 32 + 8)
    for bit in range(8 * len(file)):
        damaged = bytearray(file)
        damaged[bit // 8] ^= 1 << bit % 8
        assert bool(rules(bytes(damaged))) == (bit // 8 not in payload) or rules(bytes(damaged)) == []
        if bit // 8 < 55 and bit // 8 not in payload:
            assert rules(bytes(damaged)), bit


@pytest.mark.parametrize(
    ("file", "rule"),
    [
        (b"", "TLS-EOF-01"),
        (b"TLSF32C" + nats(1, 0), "TLS-HDR-01"),
        (b"TLSF32B" + nats(2, 0), "TLS-HDR-02"),
        (b"TLPF32B" + nats(2, 0), "TLS-OLD-01"),
        (HEAD + nats(2**20 + 1), "TLS-CNT-01"),
        (HEAD + nats(1, 1025), "TLS-RNK-01"),
        (HEAD + nats(1, 2**63), "TLS-RNK-01"),
        (HEAD + nats(1, 1, 2, 3) + bytes(12), "TLS-SIZ-01"),
        (HEAD + nats(1, 0, 0), "TLS-SIZ-01"),
        (HEAD + nats(1, 1, 2, 2) + bytes(7), "TLS-PAY-01"),
        (HEAD + nats(1, 0, 1) + bytes(5), "TLS-END-01"),
    ],
)
def test_each_rule_names_its_own_breach(file: bytes, rule: str) -> None:
    assert rules(file) == [rule]


@pytest.mark.parametrize(
    "dims", [(2**32, 2**32), (2**62, 4), (3, 0, 2**63), (2**63,), (2**64 - 1,) * 1000, (0, *(2**64 - 1,) * 1000)]
)
def test_g3_a_product_that_wraps_in_64_bits_is_computed_exactly(dims: tuple[int, ...]) -> None:
    wrapped = 1
    for dim in dims:
        wrapped = wrapped * dim % 2**64
    found = rules(HEAD + nats(1, len(dims), *dims, wrapped))
    assert found == ([] if 0 in dims else ["TLS-SIZ-01"] if wrapped == 0 else found)
    assert 0 in dims or found in (["TLS-SIZ-01"], ["TLS-PAY-01"])


def test_g1_a_file_of_one_kib_that_claims_an_enormous_tensor_costs_no_memory() -> None:
    file = (HEAD + nats(1, 1, 2**40, 2**40)).ljust(1024, b"\0")
    tracemalloc.start()
    try:
        assert rules(file) == ["TLS-PAY-01"]
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_a_budget_is_inclusive_and_judged_before_a_payload_is_read() -> None:
    file = encode(TLSF32B, Tensors((block32((3,), [1, 2, 3]), block32((1,), [4]))))
    assert rules(file, Streamed(max_bytes=16)) == []
    assert rules(file, Streamed(max_bytes=15)) == ["TLS-MAX-01"]


def test_a_block_of_another_scalar_is_refused_before_anything_is_written() -> None:
    with pytest.raises(ValueError, match="binary32"):
        encode(TLSF32B, Tensors((Block("binary64", (1,), bytes(8)),)))
