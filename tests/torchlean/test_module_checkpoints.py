"""Modules saved and loaded by scalar and device; a load that fails anywhere leaves every bit as it was."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import torch

from bitproof import tensors
from bitproof.strategies import special_words
from bitproof.torchlean import StateError, checkpoint
from bitproof.torchlean.checkpointable import checkpointable
from bitproof.torchlean.params import Param, ParamList
from bitproof.torchlean.scalars import Float32
from bitproof.torchlean.widening import PIECE, inexact, narrow_words, narrowed, widen_words, widened
from bitproof_spec import formats
from bitproof_spec.conversion import widen
from bitproof_spec.document import Block
from bitproof_spec.format import encode
from bitproof_spec.torchlean.encodings import FLOAT, FLOAT32
from bitproof_spec.torchlean.json_state import TLJSON, JsonState
from bitproof_spec.torchlean.streamed import TLSF32B, Tensors
from tests.torchlean.builders import bits, block32, linear32, plain

SPECIAL32 = special_words(formats.BINARY32)


def params32(words: list[int]) -> ParamList[Float32]:
    tensor = tensors.tensor_of(block32((len(words),), words))
    return ParamList(Float32, [Param(tensor, True)])


def test_b4_b10_every_class_of_binary32_word_survives_a_float32_module(tmp_path: Path) -> None:
    source, target = params32(list(SPECIAL32)), params32([7] * len(SPECIAL32))
    checkpointable(Float32).write(False, tmp_path / "m", source)
    checkpointable(Float32).read(False, tmp_path / "m", target)
    assert bits(target) == [list(SPECIAL32)]


def test_b3_b1_the_file_holds_little_endian_words_of_logical_rows(tmp_path: Path) -> None:
    tensor = torch.arange(6, dtype=torch.float32).reshape(2, 3).t()
    checkpointable(Float32).write(False, tmp_path / "m", ParamList(Float32, [Param(tensor, True)]))
    assert (tmp_path / "m").read_bytes()[-24:] == np.arange(6, dtype="<f4").reshape(2, 3).T.tobytes()


def test_a_float_module_on_the_cpu_writes_json_and_reads_json_and_streams(tmp_path: Path) -> None:
    # TLR-FIL-01
    source, target = plain(3), plain(4)
    checkpoint.save(source, tmp_path / "j")
    assert (tmp_path / "j").read_bytes().startswith(b'{"state":')
    checkpoint.load(target, tmp_path / "j")
    assert bits(target.parameters()) == bits(source.parameters())
    stream = encode(TLSF32B, Tensors((block32((2, 3), [*SPECIAL32[:6]]), block32((2,), [*SPECIAL32[14:16]]))))
    (tmp_path / "s").write_bytes(stream)
    checkpoint.load(target, tmp_path / "s")
    owed = [[widen(formats.BINARY32, formats.BINARY64, w) for w in part] for part in (SPECIAL32[:6], SPECIAL32[14:16])]
    assert bits(target.parameters()) == owed


def test_y6_a_stream_is_widened_by_words_signalling_nans_and_subnormals_too() -> None:
    # TLR-FIL-02
    rng = np.random.default_rng(8)
    sample = np.concatenate([np.array(SPECIAL32, np.uint32), rng.integers(0, 2**32, 3000, dtype=np.uint32)])
    wide = widen_words(sample)
    assert wide.tolist() == [widen(formats.BINARY32, formats.BINARY64, int(w)) for w in sample]
    assert np.array_equal(narrow_words(wide), sample)


def test_long_blocks_are_converted_piece_by_piece_without_a_seam() -> None:
    rng = np.random.default_rng(9)
    for size in (0, 1, PIECE - 1, PIECE, 2 * PIECE + 3):
        words = rng.integers(0, 2**32, size, dtype=np.uint32)
        wide = widened(Block("binary32", (size,), words.tobytes()))
        assert bytes(wide.data) == widen_words(words).tobytes()
        assert bytes(narrowed(wide).data) == words.tobytes()
        assert list(inexact(wide)) == []
        spoilt = np.frombuffer(wide.data, np.uint64).copy()
        places = sorted({0, size // 2, size - 1} & set(range(size)))
        spoilt[places] = 0x3FB999999999999A
        assert list(inexact(Block("binary64", (size,), spoilt.tobytes()))) == places


def test_the_mirror_of_a_float_module_writes_streams_and_takes_them_as_they_are(tmp_path: Path) -> None:
    # TLR-FIL-03
    source, target = plain(3, use_cuda=True), plain(4, use_cuda=True)
    assert source.parameters().tag == "binary32"
    checkpoint.save(source, tmp_path / "m")
    assert (tmp_path / "m").read_bytes().startswith(b"TLSF32B")
    checkpoint.load(target, tmp_path / "m")
    assert bits(target.parameters()) == bits(source.parameters())


def test_a_mirror_takes_json_values_that_are_exact_in_it_and_names_the_others(tmp_path: Path) -> None:
    exact = [widen(formats.BINARY32, formats.BINARY64, w) for w in SPECIAL32[:6]]
    for words, good in ((exact, True), ([*exact[:4], 0x3FB999999999999A, exact[5]], False)):
        blocks = (
            Block(FLOAT.storage, (2, 3), b"".join(w.to_bytes(8, "little") for w in words)),
            Block(FLOAT.storage, (2,), bytes(16)),
        )
        (tmp_path / "j").write_bytes(encode(TLJSON, JsonState(FLOAT.tag, blocks)))
        target = plain(4, use_cuda=True)
        before = bits(target.parameters())
        if good:
            checkpoint.load(target, tmp_path / "j")
            assert bits(target.parameters())[0] == list(SPECIAL32[:6])
            continue
        with pytest.raises(StateError) as refused:
            checkpoint.load(target, tmp_path / "j")
        assert [(v.rule, v.where) for v in refused.value.violations] == [("TLJ-MIR-01", "/state/0/values/4")]
        assert bits(target.parameters()) == before


def test_y6_no_file_of_another_scalar_is_cast(tmp_path: Path) -> None:
    target = linear32()
    before = bits(target.parameters())
    for tag, storage, width in ((FLOAT.tag, FLOAT.storage, 8), (FLOAT32.tag, FLOAT32.storage, 4)):
        blocks = (Block(storage, (2, 3), bytes(6 * width)), Block(storage, (2,), bytes(2 * width)))
        (tmp_path / "j").write_bytes(encode(TLJSON, JsonState(tag, blocks)))
        with pytest.raises(StateError, match="TLS-HDR-01"):
            checkpoint.load(target, tmp_path / "j")
        wide = plain()
        if tag == FLOAT32.tag:
            with pytest.raises(StateError, match="LAY-TAG-01"):
                checkpoint.load(wide, tmp_path / "j")
    assert bits(target.parameters()) == before


def test_b5_a_nan_that_json_cannot_hold_is_refused_with_its_place_and_no_file_appears(tmp_path: Path) -> None:
    module = plain()
    tensors.put(
        [module.parameters().tensors[1]],
        [tensors.tensor_of(Block("binary64", (2,), bytes(8) + (0x7FF0000000000001).to_bytes(8, "little")))],
    )
    with pytest.raises(StateError) as refused:
        checkpoint.save(module, tmp_path / "m")
    assert [(v.rule, v.where) for v in refused.value.violations] == [("TLJ-NAN-01", "/state/1/values/1")]
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("shapes", "rules"),
    [
        ([(3, 2), (2,)], ["LAY-SHAPE-01"]),  # as many elements
        ([(1, 3), (2,)], ["LAY-SHAPE-01"]),  # would broadcast
        ([(2, 3), ()], ["LAY-SHAPE-01"]),
        ([(2, 3), (1,)], ["LAY-SHAPE-01"]),
        ([(2, 3)], ["LAY-COUNT-01"]),
        ([(2,), (2, 3)], ["LAY-SHAPE-01", "LAY-SHAPE-01"]),
        ([(2, 3), (2,), (0,)], ["LAY-COUNT-01"]),
    ],
)
def test_v17_v18_v21_every_difference_in_number_and_shape_is_named(
    shapes: list[tuple[int, ...]], rules: list[str], tmp_path: Path
) -> None:
    document = Tensors(tuple(block32(s, [9] * int(np.prod(s))) for s in shapes))
    (tmp_path / "m").write_bytes(encode(TLSF32B, document))
    target = linear32()
    before = bits(target.parameters())
    with pytest.raises(StateError) as refused:
        checkpoint.load(target, tmp_path / "m")
    assert [v.rule for v in refused.value.violations] == rules
    assert bits(target.parameters()) == before


def test_v23_equal_shaped_tensors_come_back_to_their_own_places(tmp_path: Path) -> None:
    words = list(range(100, 113))
    source = ParamList(Float32, [Param(tensors.tensor_of(block32((2,), [w, w])), True) for w in words])
    target = ParamList(Float32, [Param(torch.zeros(2), True) for _ in words])
    checkpointable(Float32).write(False, tmp_path / "m", source)
    checkpointable(Float32).read(False, tmp_path / "m", target)
    assert bits(target) == [[w, w] for w in words]


def test_v16_tensors_without_elements_come_back_and_are_nobody_s_aliases(tmp_path: Path) -> None:
    shapes = ((), (0,), (3, 0), (0,), (2,))
    source, target = (
        ParamList(Float32, [Param(torch.full(shape, value), True) for shape in shapes]) for value in (1.5, 0.0)
    )
    assert source.ties == (0, 1, 2, 3, 4)
    assert [slot.owner for slot in source.schema()] == [0, 1, 2, 3, 4]
    checkpointable(Float32).write(False, tmp_path / "m", source)
    checkpointable(Float32).read(False, tmp_path / "m", target)
    assert bits(target) == bits(source)
    assert target.shapes == shapes
