"""The five small files: accepted as they are, and refused after any change, by findings and by no exception."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

import pytest

from bitproof_spec.format import OfBytes, encode
from bitproof_spec.klyn.advice import advise
from bitproof_spec.klyn.constants import MANIFEST_LIMIT
from bitproof_spec.klyn.container import KNN
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.header import FILE_FIELD, MANIFEST_FIELD
from bitproof_spec.klyn.vectors.building import patched
from bitproof_spec.laws import law_coverage, law_round_trip, law_total
from bitproof_spec.violations import Violations
from tests.klyn.small_files import SMALL_FILES

DIGESTS = {
    "empty-last-tensor": "ecac7ec0e8d1a4c2bbe9aeb3b73e4a94670e816a200569e76804cebc19b265af",
    "half-adam": "5ee3b2554b1b9e9dcc1999d4bcfd074d1b99aff89d0427b863c6e3d772701ed3",
    "inference": "c14ce04106f180470677368989bf618a9a7026b99f99d6d4cc9d21ccb28ce8b9",
    "no-tensors": "020c177837c28c1a9a0fabbd793f959f2831c9fe61cb22a1e02ac5b47620cfc4",
    "sgd-momentum-dropout": "662e83095cd47cadac36d938e1c6fac424233067647a9c779d07a42f2b373517",
}
each_file = pytest.mark.parametrize("name", sorted(DIGESTS))


@each_file
def test_a_file_is_accepted_and_written_again_to_the_same_bytes(name: str) -> None:
    file = SMALL_FILES[name]
    assert sha256(file).hexdigest() == DIGESTS[name]
    document = KNN.judge(OfBytes(file))
    assert isinstance(document, Checkpoint)
    assert encode(KNN, document) == file
    assert KNN.verify(document) is None
    assert advise(OfBytes(file)) == ()
    law_round_trip(KNN, document)
    law_coverage(KNN, file, largest_look=MANIFEST_LIMIT)


def test_weights_and_state_come_out_bit_for_bit_b4_b7_b11() -> None:
    inference, half, sgd = (_document(SMALL_FILES[name]) for name in ("inference", "half-adam", "sgd-momentum-dropout"))
    kernel, bias = (block.data for _, block in inference.tensors)
    assert kernel.hex() == "0000c03f000000800000004000005040000080c001000000"  # -0 and the least subnormal among them
    assert bias.hex() == "0100a07f000080ff"  # a signalling NaN with payload, minus infinity
    assert [block.tag for _, block in half.tensors] == ["binary16"] * 2 + ["binary32"] * 6
    assert half.leaves()["/training/optimizer/beta1_power"] == "3fe0624dd2f1a9fd"
    assert sgd.leaves()["/training/random/0/counter"] == f"{12:064x}"
    assert sgd.training is not None
    assert (sgd.training.loss, sgd.training.step, sgd.training.random[0].counter) == ("mean_squared_error", 6, 12)


def _document(file: bytes) -> Checkpoint:
    judged = KNN.judge(OfBytes(file))
    assert isinstance(judged, Checkpoint)
    return judged


@each_file
def test_every_flip_of_a_bit_is_refused_v7(name: str) -> None:
    file = SMALL_FILES[name]
    accepted = [bit for bit in range(8 * len(file)) if not _refused(_flipped(file, bit))]
    assert accepted == []


@each_file
def test_every_truncation_and_every_extension_is_refused_v4(name: str) -> None:
    file = SMALL_FILES[name]
    for changed in (*(file[:size] for size in range(len(file))), file + b"\0", file + bytes(64), file + file):
        assert _refused(changed), f"{len(changed)} bytes"
    law_total(KNN, file[: len(file) // 2])


def _flipped(file: bytes, bit: int) -> bytes:
    changed = bytearray(file)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def _refused(file: bytes) -> bool:
    judged = KNN.judge(OfBytes(file))
    return isinstance(judged, Violations) and all(len(str(finding)) < 400 for finding in judged)


def _lengths(file: bytes) -> Iterator[int]:
    manifest = int.from_bytes(file[16:24], "little")
    for edge in (0, manifest, len(file) - 64, len(file), MANIFEST_LIMIT, 2**31, 2**32, 2**63, 2**64):
        yield from (value for value in (edge - 1, edge, edge + 1) if 0 <= value < 2**64)


@each_file
def test_a_stated_length_is_accepted_only_where_it_is_right_v28(name: str) -> None:
    file = SMALL_FILES[name]
    for field, right in ((MANIFEST_FIELD, int.from_bytes(file[16:24], "little")), (FILE_FIELD, len(file))):
        for length in _lengths(file):
            judged = KNN.judge(OfBytes(patched(file, field, length)))
            assert isinstance(judged, Checkpoint) == (length == right), (field.name, length)
            if isinstance(judged, Violations):
                assert {finding.where for finding in judged} <= {field.where, "0x20..0x40"}, (field.name, length)
