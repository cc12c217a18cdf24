"""Faults that people met in saved bits, budgets and training states; ids in the tests' names."""

from __future__ import annotations

from bitproof_spec.document import Block
from bitproof_spec.format import OfBytes, encode
from bitproof_spec.klyn.container import KNN, Knn
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.vectors.building import ABSENT, edited
from bitproof_spec.klyn.vectors.models import HALF_ADAM, IMAGE, SGD
from tests.klyn.judging import findings, judge, refused, suite


def test_the_budget_counts_moments_and_is_inclusive_g5() -> None:
    file = suite()["model/half-adam"].file
    total = sum(len(block.data) for _, block in HALF_ADAM.tensors)
    for budget, fits in ((total, True), (total + 1, True), (2**64 - 1, True), (total - 1, False), (0, False)):
        assert isinstance(Knn(budget).judge(OfBytes(file)), Checkpoint) == fits
    assert Knn().max_bytes == 2 * 2**30
    inference = Checkpoint("binary16", HALF_ADAM.stages, None, HALF_ADAM.tensors[:2])
    parameters = sum(len(block.data) for _, block in inference.tensors)
    assert isinstance(Knn(parameters).judge(OfBytes(encode(KNN, inference))), Checkpoint)


def test_hyperparameters_keep_every_bit_and_minus_zero_is_refused_b7_b8() -> None:
    assert {each.rule for each in refused("*/*minus-zero")} == {"KNN-REA-03", "KNN-TXT-06"}
    for word in ("3fb999999999999b", "0000000000000001", "000fffffffffffff", "7fefffffffffffff", "3fd5555555555555"):
        judged = KNN.judge(OfBytes(edited(SGD, {"/training/optimizer/learning_rate": word})))
        assert isinstance(judged, Checkpoint)
        assert judged.leaves()["/training/optimizer/learning_rate"] == word


def test_every_pattern_of_bits_is_a_legal_weight_b4_b10() -> None:
    for id in ("bits/every-half", "bits/binary32-classes", "bits/binary64-classes"):
        judged = judge(suite()[id])
        assert isinstance(judged, Checkpoint)
        assert encode(KNN, judged) == suite()[id].file
    half = judge(suite()["bits/every-half"])
    assert isinstance(half, Checkpoint)
    data = bytes(half.tensors[0][1].data)
    assert [int.from_bytes(data[at : at + 2], "little") for at in range(0, len(data), 2)] == list(range(2**16))


def test_moments_of_half_precision_are_binary32_b11() -> None:
    assert [each.where for each in refused("table/half-moment")] == ["/tensors/2/dtype"]


def test_equal_documents_have_equal_files_b12() -> None:
    again = Checkpoint(
        IMAGE.precision, IMAGE.stages, IMAGE.training, tuple((id, _copy(block)) for id, block in IMAGE.tensors)
    )
    assert encode(KNN, again) == encode(KNN, IMAGE)


def _copy(block: Block) -> Block:
    return Block(block.tag, block.shape, memoryview(bytearray(block.data)))


def test_a_generator_removed_or_renamed_is_refused_r10() -> None:
    found = {each.rule for each in refused("training/generator-missing", "training/generator-of-none")}
    assert found == {"KNN-RND-01", "KNN-RND-02"}
    renamed = edited(SGD, {"/training/random/0/stage": "dropout"})
    assert [(each.rule, each.where) for each in findings(renamed)] == [
        ("KNN-RND-01", "/training/random"),
        ("KNN-RND-02", "/training/random/0/stage"),
    ]
    assert [each.where for each in refused("training/random-absent")] == ["/training/random"]


def test_a_lacking_or_unknown_hyperparameter_is_refused_by_name_r15() -> None:
    file = edited(HALF_ADAM, {"/training/optimizer/epsilon": ABSENT, "/training/optimizer/amsgrad": False})
    assert [(each.rule, each.where) for each in findings(file)] == [
        ("KNN-MEM-02", "/training/optimizer/epsilon"),
        ("KNN-MEM-03", "/training/optimizer/amsgrad"),
    ]


def test_a_scaler_is_owed_by_half_precision_alone_r19_r20() -> None:
    found = list(refused("training/half-without-scale", "training/single-with-scale", "training/loss-scale-absent"))
    assert [each.where for each in found] == ["/training/loss_scale"] * 3
    for document in (SGD, IMAGE, HALF_ADAM):
        judged = KNN.judge(OfBytes(encode(KNN, document)))
        assert judged == document


def test_loss_scaling_keeps_every_field_r19() -> None:
    judged = KNN.judge(OfBytes(encode(KNN, HALF_ADAM)))
    assert isinstance(judged, Checkpoint)
    assert judged.training is not None
    assert HALF_ADAM.training is not None
    assert judged.training.loss_scale == HALF_ADAM.training.loss_scale
    assert len(set(judged.training.loss_scale or ())) == 6
