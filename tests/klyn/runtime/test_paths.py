"""Which paths a model takes, and that nothing but the given file is made or opened."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bitproof.klyn import Dense, FilePath, Float32, Input, Sequential
from tests.klyn.runtime.models import owe_same


@pytest.fixture
def model() -> Sequential[Float32]:
    return Sequential[Float32]([Input((3,)), Dense(2)])


@pytest.fixture
def inside(tmp_path: Path) -> Iterator[Path]:
    before = os.getcwd()
    os.chdir(tmp_path)
    yield tmp_path
    os.chdir(before)


class Pathlike:
    """Any object with a path."""

    def __init__(self, path: str | bytes) -> None:
        self._path = path

    def __fspath__(self) -> Any:
        return self._path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


TAKEN = [
    "m.knn",
    "m.KNN",
    "m.Knn",
    "m",
    ".knn",
    ".hidden",
    "a.b.knn",
    "m.pt.knn",
    "..knn",
    "é_模型_💾.knn",
    "~",
    "%{}*?",
]
REFUSED = ["m.pt", "m.keras", "m.pth", "m.", "m.knn.", "m.knn.bak", ".hidden.pt", "m.knn ", "..", "m.5"]


@pytest.mark.parametrize("name", TAKEN)
def test_no_suffix_or_knn_in_any_case_is_written_as_given(model: Sequential[Float32], name: str, inside: Path) -> None:
    model.save(name)
    assert names(inside) == [name]
    owe_same(model.capture(), Sequential[Float32].load(name).capture())
    model.load_weights(name)


@pytest.mark.parametrize("name", REFUSED)
def test_any_other_suffix_is_refused_by_name_before_a_file_is_touched(
    model: Sequential[Float32], name: str, inside: Path
) -> None:
    for call in (model.save, model.load_weights, Sequential[Float32].load):
        with pytest.raises(ValueError, match=r"\.knn or none"):
            call(name)
    assert names(inside) == []


def test_a_dot_in_a_folders_name_is_no_suffix(model: Sequential[Float32], tmp_path: Path) -> None:
    (tmp_path / "v1.pt").mkdir()
    model.save(tmp_path / "v1.pt" / "m")
    assert names(tmp_path / "v1.pt") == ["m"]


def test_k_p6_strings_bytes_and_path_objects_are_alike_and_others_refused(
    model: Sequential[Float32], inside: Path
) -> None:
    for path in ("m.knn", b"m.knn", Path("m.knn"), FilePath("m.knn"), Pathlike("m.knn"), Pathlike(b"m.knn")):
        model.save(path)
        assert names(inside) == ["m.knn"]
        owe_same(model.capture(), Sequential[Float32].load(path).capture())
        model.load_weights(path)
        os.unlink("m.knn")
    for wrong in (1, None, 1.5, ["m.knn"], Pathlike(3)):  # type: ignore[arg-type]  # the fault
        for call in (model.save, model.load_weights, Sequential[Float32].load):
            with pytest.raises(TypeError):
                call(wrong)  # type: ignore[arg-type]  # the fault
    assert names(inside) == []


def test_k_p5_a_tilde_is_not_expanded_and_no_folder_of_that_name_appears(
    model: Sequential[Float32], inside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (inside / "home").mkdir()
    monkeypatch.setenv("HOME", str(inside / "home"))
    with pytest.raises(FileNotFoundError, match="~"):
        model.save("~/m.knn")
    assert names(inside) == ["home"]
    assert names(inside / "home") == []


def test_k_p2_a_missing_parent_is_refused_and_not_created(model: Sequential[Float32], tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"):
        model.save(tmp_path / "nowhere" / "m.knn")
    with pytest.raises(FileNotFoundError):
        Sequential[Float32].load(tmp_path / "m.knn")
    with pytest.raises(FileNotFoundError):
        model.load_weights(tmp_path / "m.knn")
    assert names(tmp_path) == []


def test_k_p8_odd_places_work_or_are_refused_and_leave_nothing(model: Sequential[Float32], inside: Path) -> None:
    model.save("m.knn")
    model.save("./m.knn")
    model.save(Path("../") / inside.name / "m.knn")
    (inside / "folder.knn").mkdir()
    for path, error in (
        ("folder.knn", IsADirectoryError),
        ("", FileNotFoundError),
        ("a\0b", ValueError),
        ("folder.knn/", ValueError),
        (".", (ValueError, IsADirectoryError)),
    ):
        with pytest.raises(error):
            model.save(path)
        with pytest.raises(error):
            Sequential[Float32].load(path)
    assert names(inside) == ["folder.knn", "m.knn"]
    assert names(inside / "folder.knn") == []


def test_k_p8_a_folder_that_is_gone_gives_the_systems_error(model: Sequential[Float32], inside: Path) -> None:
    (inside / "gone").mkdir()
    os.chdir("gone")
    (inside / "gone").rmdir()
    with pytest.raises(FileNotFoundError):
        model.save("m.knn")
    os.chdir(inside)
    assert names(inside) == []


def test_saving_and_loading_open_nothing_but_the_given_file_and_its_folder(
    model: Sequential[Float32], tmp_path: Path, opened_files: list[str]
) -> None:
    model.save(tmp_path / "warm.knn")  # imports what it needs
    opened_files.clear()
    model.save(tmp_path / "m.knn")
    Sequential[Float32].load(tmp_path / "m.knn")
    assert set(opened_files) <= {str(tmp_path / "m.knn"), str(tmp_path), ".", "m.knn", "/proc/thread-self/status"}


def test_data_is_not_needed_to_save(model: Sequential[Float32], tmp_path: Path) -> None:
    model.predict(np.ones((1, 3)))
    model.save(tmp_path / "m")
    assert names(tmp_path) == ["m"]
