"""Files and targets that a model refuses, each by name, and what a loaded model still owes."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest

from bitproof.klyn import (
    Float32,
    Sequential,
    ValueException,
)
from bitproof_spec.format import encode
from bitproof_spec.klyn.container import KNN
from tests.klyn.runtime.exact import PRECISIONS
from tests.klyn.runtime.models import image_data, images, line, line_data, owe_same, train

EACH = pytest.mark.parametrize("precision", PRECISIONS)
Model = Sequential[Any]


def rewritten(path: Path, change: Callable[[Any], object]) -> None:
    """Change the manifest of a file, its digest and its lengths with it."""
    raw = path.read_bytes()
    length = int.from_bytes(raw[16:24], "little")
    manifest = json.loads(raw[64 : 64 + length])
    change(manifest)
    text = json.dumps(manifest, separators=(",", ":")).encode()
    start, old = -(-(64 + len(text)) // 64) * 64, -(-(64 + length) // 64) * 64
    body = raw[old:]
    size = (start + len(body)).to_bytes(8, "little")
    header = raw[:16] + len(text).to_bytes(8, "little") + size + sha256(text).digest()
    path.write_bytes(header + text + bytes(start - 64 - len(text)) + body)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m["training"]["optimizer"].pop("epsilon"), r"/training/optimizer/epsilon: found absent"),
        (lambda m: m["training"]["optimizer"].update(amsgrad=True), r"/training/optimizer/amsgrad"),
        (lambda m: m["training"].update(schedule=None), r"/training/schedule"),
        (lambda m: m["training"].pop("step"), r"/training/step: found absent"),
    ],
    ids=["epsilon missing", "unknown member", "unknown schedule", "step missing"],
)
def test_k_r15_a_member_too_few_or_too_many_is_refused_at_load_by_name(
    change: Callable[[Any], object], message: str, tmp_path: Path
) -> None:
    images(Float32).save(tmp_path / "m.knn")
    rewritten(tmp_path / "m.knn", lambda manifest: None)
    Sequential[Float32].load(tmp_path / "m.knn")
    rewritten(tmp_path / "m.knn", change)
    live = images(Float32)
    before = live.capture()
    for load in (Sequential[Float32].load, live.load_weights):
        with pytest.raises(ValueException, match=message):
            load(tmp_path / "m.knn")
    owe_same(before, live.capture())


def test_k_r10_a_generators_state_that_is_missing_or_renamed_is_refused(tmp_path: Path) -> None:
    document = images(Float32).capture()
    assert document.training is not None
    random = document.training.random
    for broken in ((), random[:1], (random[0]._replace(stage="elsewhere"), random[1]), random[::-1]):
        file = encode(KNN, replace(document, training=document.training._replace(random=broken)))
        (tmp_path / "m.knn").write_bytes(file)
        with pytest.raises(ValueException, match="KNN-RND-0"):
            Sequential[Float32].load(tmp_path / "m.knn")


def test_a_classification_file_from_before_regression_loads_as_classification(tmp_path: Path) -> None:
    model = images(Float32)
    train(model)
    model.save(tmp_path / "m.knn")
    rewritten(tmp_path / "m.knn", lambda manifest: manifest["training"].pop("loss"))
    loaded = Sequential[Float32].load(tmp_path / "m.knn")
    owe_same(model.capture(), loaded.capture())
    with pytest.raises(TypeError, match="integer classes"):
        loaded.fit(image_data()[0], np.ones((10, 3)), verbose=0)


@EACH
def test_the_floating_target_contract_comes_back_with_a_regression(precision: Any, tmp_path: Path) -> None:
    model = line(precision)
    train(model)
    model.save(tmp_path / "m.knn")
    loaded: Model = Sequential[precision].load(tmp_path / "m.knn")
    x, y = line_data()
    for each in (model, loaded):
        before = each.capture()
        for wrong, error, named in (
            (np.ones((10, 2), np.int64), TypeError, "floating targets"),
            (np.ones((10, 2), bool), TypeError, "bool"),
            (np.ones((10, 3)), ValueError, r"\(10, 3\).*\(10, 2\)"),
            (np.ones((9, 2)), ValueError, r"\(9, 2\).*\(10, 2\)"),
            (np.ones(10), ValueError, r"\(10,\).*\(10, 2\)"),
        ):
            for call in (each.fit, each.evaluate):
                with pytest.raises(error, match=named):
                    call(x, wrong)
        owe_same(before, each.capture())
        each.fit(x, y, seed=2, verbose=0)
    owe_same(model.capture(), loaded.capture())


TABLES: dict[str, tuple[Callable[[Any], object], str]] = {
    "renamed": (lambda m: m["tensors"][0].update(id="conv2d_1/weight"), "KNN-TAB-02"),
    "dropped": (lambda m: m["tensors"].pop(), "KNN-TAB-01"),
    "reshaped": (lambda m: m["tensors"][0].update(shape=[2, 2, 2, 1]), "KNN-TAB-06"),
    "of another type": (lambda m: m["tensors"][0].update(dtype="binary16"), "KNN-TAB-05"),
    "a path": (lambda m: m["tensors"][0].update(path="../../etc/passwd"), "KNN-MEM-03"),
}


@pytest.mark.parametrize(("change", "rule"), TABLES.values(), ids=TABLES)
def test_k_v8_v21_a_table_that_differs_in_one_tensor_is_refused_and_the_model_stays(
    change: Callable[[Any], object], rule: str, tmp_path: Path, opened_files: list[str]
) -> None:
    live = images(Float32)
    train(live)
    live.save(tmp_path / "m.knn")
    rewritten(tmp_path / "m.knn", change)
    train(live)
    before = live.capture()
    opened_files.clear()
    for load in (Sequential[Float32].load, live.load_weights):
        with pytest.raises(ValueException, match=rule):
            load(tmp_path / "m.knn")
    assert set(opened_files) == {str(tmp_path / "m.knn")}
    owe_same(before, live.capture())


@pytest.mark.parametrize("kind", ["pt", "keras", "pointer", "page", "empty"])
def test_k_v10_v11_files_of_other_kinds_under_the_suffix_are_named_as_no_knn(kind: str, tmp_path: Path) -> None:
    path, archive = tmp_path / "m.knn", tmp_path / "m.zip"
    with ZipFile(archive, "w") as members:
        members.writestr("data.pkl" if kind == "pt" else "config.json", b"{}" * 99)
    texts = {
        "pointer": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12\n",
        "page": b"<!DOCTYPE html><html><body>Not found, and more than sixty-four bytes of it.</body></html>",
        "empty": b"",
    }
    path.write_bytes(texts.get(kind, archive.read_bytes()))
    live = images(Float32)
    before = live.capture()
    rule = "KNN-HDR-0[12]" if len(path.read_bytes()) < 64 else "KNN-HDR-02"
    for load in (Sequential[Float32].load, live.load_weights):
        with pytest.raises(ValueException, match=rule) as refused:
            load(path)
        assert len(refused.value.violations) == 1
    owe_same(before, live.capture())
