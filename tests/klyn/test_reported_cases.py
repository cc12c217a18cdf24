"""Faults that people met in checkpoint files, each at the vectors that show its kind; ids in the tests' names."""

from __future__ import annotations

from bitproof_spec.format import OfBytes, encode
from bitproof_spec.klyn.container import KNN
from bitproof_spec.klyn.stages import Conv2D, Dense, Input
from bitproof_spec.klyn.vectors.building import checkpoint, rows, tabled, text, with_text
from bitproof_spec.klyn.vectors.models import HALF_ADAM, PLAIN
from bitproof_spec.klyn.vectors.tables import TWELVE
from tests.klyn.judging import findings, refused, suite


def test_a_duplicate_name_is_refused_and_named_v1() -> None:
    found = list(refused("manifest-text/duplicate-*"))
    assert {each.rule for each in found} == {"KNN-TXT-04"}
    assert all("again" in each.found for each in found)
    assert {name for each in found for name in ("seed", "format", "offset", "step") if f"'{name}'" in each.found} == {
        "seed",
        "format",
        "offset",
        "step",
    }


def test_overlaps_holes_and_other_orders_are_refused_v2() -> None:
    rules = {each.rule for each in refused("table/offset-*", "table/first-*", "table/bias-before-kernel")}
    assert rules == {"KNN-TAB-08", "KNN-TAB-04"}
    kernel, bias = rows(PLAIN)
    shared = tabled(PLAIN, [kernel, bias._replace(offset=0)], end=24)
    assert "KNN-TAB-08" in {each.rule for each in findings(shared)}


def test_a_length_that_the_shape_does_not_give_is_refused_v3() -> None:
    assert {each.rule for each in refused("table/length-*", "table/last-4-longer")} == {"KNN-TAB-07"}
    kernel, bias = rows(PLAIN)
    short = tabled(PLAIN, [kernel._replace(data=kernel.data[:20]), bias._replace(offset=20)], end=28)
    assert [(each.rule, each.found, each.owed[:2]) for each in findings(short)] == [
        ("KNN-TAB-07", "20", "24"),
        ("KNN-TAB-08", "20", "64"),
    ]


def test_a_file_that_is_cut_is_called_truncated_v4() -> None:
    found = list(refused("header/cut-to-*", "header/manifest-beyond-*", "table/end-cut-*"))
    assert all("truncated" in each.owed for each in found)
    file = encode(KNN, HALF_ADAM)
    for cut in (1, 63, 64, len(file)):
        assert "truncated" in findings(file[: len(file) - cut])[0].owed


def test_only_the_given_file_can_hold_data_v8() -> None:
    assert [each.where for each in refused("model/row-path")] == ["/tensors/0/path"]


def test_a_foreign_file_is_no_knn_file_before_anything_is_parsed_v10_v11() -> None:
    for each in refused("header/foreign-*"):
        assert (each.rule, each.where) == ("KNN-HDR-02", "0x0..0x8")
        assert "no KNN file" in each.found


def test_deep_nesting_is_a_finding_v12() -> None:
    found = list(refused("manifest-text/deep-*", "manifest-text/depth-33"))
    assert {each.rule for each in found} == {"KNN-TXT-08"}
    assert {each.rule for each in refused("manifest-text/depth-32")} == {"KNN-MEM-01"}


def test_an_endless_integer_is_a_finding_that_names_its_member_v13_y9() -> None:
    for each in refused("manifest-text/5000-digits", "manifest-text/2-*", "manifest-text/17-digits"):
        assert each.rule == "KNN-TXT-07"
        assert "/model/stages/1/seed" in each.found


def test_numbers_that_are_none_in_json_or_no_integers_are_refused_v14() -> None:
    names = ("nan", "infinity", "minus-infinity", "fraction", "exponent", "minus", "minus-zero")
    rules = {each.rule for each in refused(*(f"manifest-text/{name}" for name in names))}
    assert rules == {"KNN-TXT-01", "KNN-TXT-06"}
    assert {each.rule for each in refused("training/*infinite", "training/*nan")} == {"KNN-REA-02"}


def test_ill_formed_text_and_lone_surrogates_are_refused_v15() -> None:
    rules = {each.rule for each in refused("manifest-text/*surrogate*", "manifest-text/byte-order-mark")}
    assert rules == {"KNN-TXT-02", "KNN-TXT-03", "KNN-TXT-05"}
    pair = with_text(
        PLAIN, text(PLAIN).replace(b'"dense_1"', b'"\\ud83d\\udcbe"')
    )  # well formed: only the name is wrong
    assert [(each.rule, each.found) for each in findings(pair)] == [("KNN-MEM-09", '"\U0001f4be"')]
    assert {each.rule for each in refused("model/name-nul", "model/name-emoji")} == {"KNN-MEM-09"}


def test_empty_tensors_are_kept_apart_with_their_shapes_v16() -> None:
    dense = (Dense("a", 1, False, "relu", 1), Dense("b", 3, False, "tanh", 2), Dense("c", 1, True, "relu", 3))
    one = checkpoint("binary64", (Input("i", (0,)), *dense))
    assert [block.shape for _, block in one.tensors] == [(0, 1), (1, 3), (3, 1), (1,)]
    kernels = (Conv2D(name, 2, (1, 2), (1, 1), "same", False, "relu", 1) for name in ("first", "second"))
    two = checkpoint("binary32", (Input("i", (0, 1, 0)), *kernels))
    assert [block.shape for _, block in two.tensors] == [(1, 2, 0, 2), (1, 2, 2, 2)]
    for document in (one, two):
        assert KNN.judge(OfBytes(encode(KNN, document))) == document


def test_a_shape_that_could_be_broadcast_or_reshaped_is_refused_v17() -> None:
    for each in refused("table/shape-*"):
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


def test_alignment_comes_from_the_format_never_from_the_file_v28() -> None:
    found = {each.rule for each in refused("model/alignment", "table/offset-32", "table/offset-65", "header/m*or-*")}
    assert found == {"KNN-MEM-03", "KNN-TAB-08", "KNN-HDR-03", "KNN-HDR-04"}


def test_sizes_that_wrap_or_hide_behind_a_zero_are_refused_g1_g3() -> None:
    found = {
        each.rule for each in refused("sizes/input-[!b]*", "sizes/kernel-2-63", "sizes/output-*", "sizes/claims-*")
    }
    assert found == {"KNN-SIZ-01", "KNN-SIZ-02", "KNN-TAB-09"}
    claim = suite()["sizes/claims-2-40-bytes"].file
    assert [each.rule for each in findings(claim)] == ["KNN-TAB-09", "KNN-TAB-10"]
