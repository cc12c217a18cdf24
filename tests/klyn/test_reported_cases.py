"""Faults that people met in checkpoint files, each at the vectors that show its kind; ids in the tests' names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatch

import pytest

from bitproof_spec.document import Block
from bitproof_spec.format import OfBytes, encode
from bitproof_spec.klyn.constants import DEFAULT_BUDGET
from bitproof_spec.klyn.container import KNN, Knn
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.stages import Conv2D, Dense, Input
from bitproof_spec.klyn.vectors import vectors
from bitproof_spec.klyn.vectors.building import ABSENT, checkpoint, edited, rows, tabled, text, with_text
from bitproof_spec.klyn.vectors.models import HALF_ADAM, IMAGE, PLAIN, SGD
from bitproof_spec.klyn.vectors.tables import TWELVE
from bitproof_spec.vectors import Vector
from bitproof_spec.violations import Violation, Violations


@pytest.fixture(scope="module")
def suite() -> Mapping[str, Vector]:
    return {vector.id.removeprefix("knn/"): vector for vector in vectors()}


def judge(vector: Vector) -> Checkpoint | Violations:
    return Knn(vector.request.get("max_bytes", DEFAULT_BUDGET)).judge(OfBytes(vector.file))


def findings(file: bytes, format: Knn = KNN) -> tuple[Violation, ...]:
    judged = format.judge(OfBytes(file))
    assert isinstance(judged, Violations)
    return judged.all


def refused(suite: Mapping[str, Vector], *patterns: str) -> Iterator[Violation]:
    """The findings of every vector whose id matches a pattern; each pattern matches some, each vector is refused."""
    for pattern in patterns:
        matching = [vector for id, vector in suite.items() if fnmatch(id, pattern)]
        assert matching, pattern
        for vector in matching:
            judged = judge(vector)
            assert isinstance(judged, Violations), vector.id
            yield from judged


def test_a_duplicate_name_is_refused_and_named_v1(suite: Mapping[str, Vector]) -> None:
    found = list(refused(suite, "manifest-text/duplicate-*"))
    assert {each.rule for each in found} == {"KNN-TXT-04"}
    assert all("again" in each.found for each in found)
    assert {name for each in found for name in ("seed", "format", "offset", "step") if f"'{name}'" in each.found} == {
        "seed",
        "format",
        "offset",
        "step",
    }


def test_overlaps_holes_and_other_orders_are_refused_v2(suite: Mapping[str, Vector]) -> None:
    rules = {each.rule for each in refused(suite, "table/offset-*", "table/first-*", "table/bias-before-kernel")}
    assert rules == {"KNN-TAB-08", "KNN-TAB-04"}
    kernel, bias = rows(PLAIN)
    shared = tabled(PLAIN, [kernel, bias._replace(offset=0)], end=24)
    assert "KNN-TAB-08" in {each.rule for each in findings(shared)}


def test_a_length_that_the_shape_does_not_give_is_refused_v3(suite: Mapping[str, Vector]) -> None:
    assert {each.rule for each in refused(suite, "table/length-*", "table/last-4-longer")} == {"KNN-TAB-07"}
    kernel, bias = rows(PLAIN)
    short = tabled(PLAIN, [kernel._replace(data=kernel.data[:20]), bias._replace(offset=20)], end=28)
    assert [(each.rule, each.found, each.owed[:2]) for each in findings(short)] == [
        ("KNN-TAB-07", "20", "24"),
        ("KNN-TAB-08", "20", "64"),
    ]


def test_a_file_that_is_cut_is_called_truncated_v4(suite: Mapping[str, Vector]) -> None:
    found = list(refused(suite, "header/cut-to-*", "header/manifest-beyond-*", "table/end-cut-*"))
    assert all("truncated" in each.owed for each in found)
    file = encode(KNN, HALF_ADAM)
    for cut in (1, 63, 64, len(file)):
        assert "truncated" in findings(file[: len(file) - cut])[0].owed


def test_only_the_given_file_can_hold_data_v8(suite: Mapping[str, Vector]) -> None:
    assert [each.where for each in refused(suite, "model/row-path")] == ["/tensors/0/path"]


def test_a_foreign_file_is_no_knn_file_before_anything_is_parsed_v10_v11(suite: Mapping[str, Vector]) -> None:
    for each in refused(suite, "header/foreign-*"):
        assert (each.rule, each.where) == ("KNN-HDR-02", "0x0..0x8")
        assert "no KNN file" in each.found


def test_deep_nesting_is_a_finding_v12(suite: Mapping[str, Vector]) -> None:
    found = list(refused(suite, "manifest-text/deep-*", "manifest-text/depth-33"))
    assert {each.rule for each in found} == {"KNN-TXT-08"}
    assert {each.rule for each in refused(suite, "manifest-text/depth-32")} == {"KNN-MEM-01"}


def test_an_endless_integer_is_a_finding_that_names_its_member_v13_y9(suite: Mapping[str, Vector]) -> None:
    for each in refused(suite, "manifest-text/5000-digits", "manifest-text/2-*", "manifest-text/17-digits"):
        assert each.rule == "KNN-TXT-07"
        assert "/model/stages/1/seed" in each.found


def test_numbers_that_are_none_in_json_or_no_integers_are_refused_v14(suite: Mapping[str, Vector]) -> None:
    names = ("nan", "infinity", "minus-infinity", "fraction", "exponent", "minus", "minus-zero")
    rules = {each.rule for each in refused(suite, *(f"manifest-text/{name}" for name in names))}
    assert rules == {"KNN-TXT-01", "KNN-TXT-06"}
    assert {each.rule for each in refused(suite, "training/*infinite", "training/*nan")} == {"KNN-REA-02"}


def test_ill_formed_text_and_lone_surrogates_are_refused_v15(suite: Mapping[str, Vector]) -> None:
    rules = {each.rule for each in refused(suite, "manifest-text/*surrogate*", "manifest-text/byte-order-mark")}
    assert rules == {"KNN-TXT-02", "KNN-TXT-03", "KNN-TXT-05"}
    pair = with_text(
        PLAIN, text(PLAIN).replace(b'"dense_1"', b'"\\ud83d\\udcbe"')
    )  # well formed: only the name is wrong
    assert [(each.rule, each.found) for each in findings(pair)] == [("KNN-MEM-09", '"\U0001f4be"')]
    assert {each.rule for each in refused(suite, "model/name-nul", "model/name-emoji")} == {"KNN-MEM-09"}


def test_empty_tensors_are_kept_apart_with_their_shapes_v16() -> None:
    dense = (Dense("a", 1, False, "relu", 1), Dense("b", 3, False, "tanh", 2), Dense("c", 1, True, "relu", 3))
    one = checkpoint("binary64", (Input("i", (0,)), *dense))
    assert [block.shape for _, block in one.tensors] == [(0, 1), (1, 3), (3, 1), (1,)]
    kernels = (Conv2D(name, 2, (1, 2), (1, 1), "same", False, "relu", 1) for name in ("first", "second"))
    two = checkpoint("binary32", (Input("i", (0, 1, 0)), *kernels))
    assert [block.shape for _, block in two.tensors] == [(1, 2, 0, 2), (1, 2, 2, 2)]
    for document in (one, two):
        assert KNN.judge(OfBytes(encode(KNN, document))) == document


def test_a_shape_that_could_be_broadcast_or_reshaped_is_refused_v17(suite: Mapping[str, Vector]) -> None:
    for each in refused(suite, "table/shape-*"):
        assert (each.rule, each.owed) == ("KNN-TAB-06", "[3, 2]")


def test_missing_renamed_and_changed_tensors_are_each_named_once_v20_v21() -> None:
    kernel, bias = rows(PLAIN)
    renamed = tabled(PLAIN, [kernel, bias._replace(id="dense_1/beta")])
    assert [(each.rule, each.where) for each in findings(renamed)] == [
        ("KNN-TAB-01", "/tensors"),
        ("KNN-TAB-02", "/tensors/1/id"),
    ]
    several = tabled(PLAIN, [bias._replace(dtype="binary64"), kernel._replace(shape=(2, 3)), kernel])
    assert [(each.rule, each.where) for each in findings(several)] == [
        ("KNN-TAB-03", "/tensors/2/id"),
        ("KNN-TAB-04", "/tensors/0/id"),
        ("KNN-TAB-05", "/tensors/0/dtype"),
        ("KNN-TAB-06", "/tensors/1/shape"),
    ]


def test_twelve_equal_layers_keep_their_order_v23() -> None:
    judged = KNN.judge(OfBytes(encode(KNN, TWELVE)))
    assert judged == TWELVE
    assert [id for id, _ in TWELVE.tensors][18:22] == [
        f"dense_{n}/{part}" for n in (10, 11) for part in ("kernel", "bias")
    ]
    assert len({block.data for _, block in TWELVE.tensors}) == 24


def test_alignment_comes_from_the_format_never_from_the_file_v28(suite: Mapping[str, Vector]) -> None:
    found = {
        each.rule for each in refused(suite, "model/alignment", "table/offset-32", "table/offset-65", "header/m*or-*")
    }
    assert found == {"KNN-MEM-03", "KNN-TAB-08", "KNN-HDR-03", "KNN-HDR-04"}


def test_sizes_that_wrap_or_hide_behind_a_zero_are_refused_g1_g3(suite: Mapping[str, Vector]) -> None:
    found = {
        each.rule
        for each in refused(suite, "sizes/input-[!b]*", "sizes/kernel-2-63", "sizes/output-*", "sizes/claims-*")
    }
    assert found == {"KNN-SIZ-01", "KNN-SIZ-02", "KNN-TAB-09"}
    claim = suite["sizes/claims-2-40-bytes"].file
    assert [each.rule for each in findings(claim)] == ["KNN-TAB-09", "KNN-TAB-10"]


def test_the_budget_counts_moments_and_is_inclusive_g5(suite: Mapping[str, Vector]) -> None:
    file = suite["model/half-adam"].file
    total = sum(len(block.data) for _, block in HALF_ADAM.tensors)
    for budget, fits in ((total, True), (total + 1, True), (2**64 - 1, True), (total - 1, False), (0, False)):
        assert isinstance(Knn(budget).judge(OfBytes(file)), Checkpoint) == fits
    assert Knn().max_bytes == 2 * 2**30
    inference = Checkpoint("binary16", HALF_ADAM.stages, None, HALF_ADAM.tensors[:2])
    parameters = sum(len(block.data) for _, block in inference.tensors)
    assert isinstance(Knn(parameters).judge(OfBytes(encode(KNN, inference))), Checkpoint)


def test_hyperparameters_keep_every_bit_and_minus_zero_is_refused_b7_b8(suite: Mapping[str, Vector]) -> None:
    assert {each.rule for each in refused(suite, "*/*minus-zero")} == {"KNN-REA-03", "KNN-TXT-06"}
    for word in ("3fb999999999999b", "0000000000000001", "000fffffffffffff", "7fefffffffffffff", "3fd5555555555555"):
        judged = KNN.judge(OfBytes(edited(SGD, {"/training/optimizer/learning_rate": word})))
        assert isinstance(judged, Checkpoint)
        assert judged.leaves()["/training/optimizer/learning_rate"] == word


def test_every_pattern_of_bits_is_a_legal_weight_b4_b10(suite: Mapping[str, Vector]) -> None:
    for id in ("bits/every-half", "bits/binary32-classes", "bits/binary64-classes"):
        judged = judge(suite[id])
        assert isinstance(judged, Checkpoint)
        assert encode(KNN, judged) == suite[id].file
    half = judge(suite["bits/every-half"])
    assert isinstance(half, Checkpoint)
    data = bytes(half.tensors[0][1].data)
    assert [int.from_bytes(data[at : at + 2], "little") for at in range(0, len(data), 2)] == list(range(2**16))


def test_moments_of_half_precision_are_binary32_b11(suite: Mapping[str, Vector]) -> None:
    assert [each.where for each in refused(suite, "table/half-moment")] == ["/tensors/2/dtype"]


def test_equal_documents_have_equal_files_b12() -> None:
    again = Checkpoint(
        IMAGE.precision, IMAGE.stages, IMAGE.training, tuple((id, _copy(block)) for id, block in IMAGE.tensors)
    )
    assert encode(KNN, again) == encode(KNN, IMAGE)


def _copy(block: Block) -> Block:
    return Block(block.tag, block.shape, memoryview(bytearray(block.data)))


def test_a_generator_removed_or_renamed_is_refused_r10(suite: Mapping[str, Vector]) -> None:
    found = {each.rule for each in refused(suite, "training/generator-missing", "training/generator-of-none")}
    assert found == {"KNN-RND-01", "KNN-RND-02"}
    renamed = edited(SGD, {"/training/random/0/stage": "dropout"})
    assert [(each.rule, each.where) for each in findings(renamed)] == [
        ("KNN-RND-01", "/training/random"),
        ("KNN-RND-02", "/training/random/0/stage"),
    ]
    assert [each.where for each in refused(suite, "training/random-absent")] == ["/training/random"]


def test_a_lacking_or_unknown_hyperparameter_is_refused_by_name_r15() -> None:
    file = edited(HALF_ADAM, {"/training/optimizer/epsilon": ABSENT, "/training/optimizer/amsgrad": False})
    assert [(each.rule, each.where) for each in findings(file)] == [
        ("KNN-MEM-02", "/training/optimizer/epsilon"),
        ("KNN-MEM-03", "/training/optimizer/amsgrad"),
    ]


def test_a_scaler_is_owed_by_half_precision_alone_r19_r20(suite: Mapping[str, Vector]) -> None:
    found = list(
        refused(suite, "training/half-without-scale", "training/single-with-scale", "training/loss-scale-absent")
    )
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
