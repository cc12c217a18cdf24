"""Saves that fail leave the old file whole and nothing else; bounds and paths are kept by both directions."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

import bitproof.klyn as klyn
from bitproof.check.judging import Options, check
from bitproof.reading import INLINE, PIECE
from bitproof_spec.document import Block
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.stages import Dense, Input
from bitproof_spec.klyn.vectors.building import Row, tabled
from tests.core.children import in_child
from tests.klyn.small_files import DATA, SMALL_FILES
from tests.klyn.test_read_write import large

SMALL, THREADED = large(2, 3), large(1, 2 * PIECE // 1024 + 3, 2, INLINE // 1024, 5)


class FailsAt:
    """A write at a position that fails the n-th time, as on a full disk."""

    def __init__(self, n: int) -> None:
        self.n, self.calls, self.pwrite = n, count(), os.pwrite

    def __call__(self, descriptor: int, data: bytes, offset: int) -> int:
        if next(self.calls) == self.n:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return self.pwrite(descriptor, data, offset)


@pytest.mark.parametrize("checkpoint", [SMALL, THREADED], ids=["small", "on threads"])
@pytest.mark.parametrize("old", [None, b"old"])
def test_a_write_that_fails_leaves_the_old_file_and_nothing_else_a11(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, checkpoint: Checkpoint, old: bytes | None
) -> None:
    path = tmp_path / "file.knn"
    if old is not None:
        path.write_bytes(old)
    before = contents(tmp_path)
    whole = FailsAt(-1)
    monkeypatch.setattr(os, "pwrite", whole)
    klyn.write(tmp_path / "elsewhere.knn", checkpoint, durable=False)
    (tmp_path / "elsewhere.knn").unlink()
    monkeypatch.undo()
    writes = next(whole.calls)
    assert writes > 1
    for n in range(writes):
        with monkeypatch.context() as patched:
            patched.setattr(os, "pwrite", FailsAt(n))
            with pytest.raises(OSError, match="No space left"):
                klyn.write(path, checkpoint)
        assert contents(tmp_path) == before
    klyn.write(path, checkpoint)
    assert klyn.read(path) == checkpoint


def test_a_limit_on_file_size_is_reported_and_leaves_the_old_file_a11(tmp_path: Path) -> None:
    code = """
    import resource, signal
    from bitproof import klyn
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    loaded = klyn.read(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
    try:
        klyn.write(sys.argv[2], loaded)
    except OSError as error:
        print(error.strerror)
    """
    path = tmp_path / "file.knn"
    path.write_bytes(b"old")
    assert in_child(code, str(DATA / "half-adam.knn"), str(path)) == "File too large\n"
    assert contents(tmp_path) == {"file.knn": b"old"}


def broken() -> Iterator[tuple[str, Checkpoint]]:
    """Checkpoints that no valid file holds, with the rule that each breaks."""
    good = large(2)
    (id, kernel), *rest = good.tensors
    yield "KNN-TAB-01", replace(good, tensors=tuple(rest))
    yield "KNN-TAB-07", replace(good, tensors=((id, replace(kernel, data=bytes(kernel.data)[:-4])), *rest))
    yield "KNN-TAB-05", replace(good, tensors=((id, Block("binary64", kernel.shape, kernel.data)), *rest))
    yield "KNN-STG-01", replace(good, stages=(*good.stages, Input("again", (1,))))
    yield "KNN-STG-02", replace(good, stages=(good.stages[0], good.stages[1]._replace(name="input")))


@pytest.mark.parametrize(("rule", "checkpoint"), list(broken()))
def test_a_checkpoint_that_no_file_can_hold_is_refused_before_anything_is_touched(
    tmp_path: Path, rule: str, checkpoint: Checkpoint
) -> None:
    with pytest.raises(klyn.ValueException) as raised:
        klyn.write(tmp_path / "new.knn", checkpoint)
    assert rule in {violation.rule for violation in raised.value.violations}
    assert contents(tmp_path) == {}


@pytest.mark.parametrize(
    ("max_bytes", "accepted"), [(56, True), (57, True), (2**64 - 1, True), (55, False), (0, False)]
)
def test_max_bytes_bounds_the_sum_of_all_tensors_inclusively_g5(max_bytes: int, accepted: bool) -> None:
    path = DATA / "half-adam.knn"
    if accepted:
        assert klyn.read(path, max_bytes) == klyn.read(path)
        return
    with pytest.raises(klyn.ValueException) as raised:
        klyn.read(path, max_bytes=max_bytes)
    (found,) = raised.value.violations
    assert (found.rule, found.where) == ("KNN-TAB-10", "/tensors")
    assert "56" in found.found
    assert str(max_bytes) in found.owed


def test_the_bound_is_2_gib_unless_another_is_given_g5(tmp_path: Path) -> None:
    stages = (Input("input", (2**15,)), Dense("dense", 2**14, True, "relu", 3))
    over = Checkpoint("binary32", stages, None, ())
    rows = [
        Row("dense/kernel", "binary32", (2**15, 2**14), b"", 0, 2**31),
        Row("dense/bias", "binary32", (2**14,), b""),
    ]
    rows[1] = rows[1]._replace(offset=2**31, length=2**16)
    file = tabled(over, rows, end=0)
    path, size = tmp_path / "sparse.knn", len(file) + 2**31 + 2**16
    path.write_bytes(file[:24] + size.to_bytes(8, "little") + file[32:])
    os.truncate(path, size)
    with pytest.raises(klyn.ValueException) as raised:
        klyn.read(path)
    said = [(found.rule, found.found, found.owed) for found in raised.value.violations]
    assert said == [("KNN-TAB-10", f"{2**31 + 2**16} bytes of tensors", f"at most {2**31}")]
    assert [found.rule for found in check(str(path), Options()).findings] == ["KNN-TAB-10"]


def test_a_file_without_tensors_meets_a_bound_of_zero_g5() -> None:
    assert klyn.read(DATA / "no-tensors.knn", max_bytes=0).tensors == ()


@pytest.mark.parametrize(("bad", "error"), [(-1, ValueError), (1.5, TypeError), (None, TypeError), ("1", TypeError)])
def test_a_bound_that_is_none_is_the_callers_mistake(bad: int, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"max_bytes|integer"):
        klyn.read(DATA / "half-adam.knn", max_bytes=bad)


class FromPath:
    """Something path-like that isn't a Path."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __fspath__(self) -> str:
        return str(self.path)


def test_every_kind_of_path_is_read_and_written_alike_p6(tmp_path: Path) -> None:
    path = tmp_path / "any name at all"
    for given in (str(path), path, os.fsencode(path), FromPath(path)):
        klyn.write(given, klyn.read(DATA / "inference.knn"))
        assert klyn.read(given) == klyn.read(DATA / "inference.knn")
        path.unlink()


@pytest.mark.parametrize("bad", [3, None, True, 1.5, ["x"]])
def test_what_is_no_path_is_a_type_error_p6(bad: str) -> None:
    checkpoint = klyn.read(DATA / "inference.knn")
    with pytest.raises(TypeError):
        klyn.read(bad)
    with pytest.raises(TypeError):
        klyn.write(bad, checkpoint)


def test_nothing_in_a_name_is_expanded_p5(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    checkpoint = klyn.read(DATA / "inference.knn")
    with pytest.raises(FileNotFoundError):
        klyn.write("~/model.knn", checkpoint)
    assert contents(tmp_path) == {}
    for name in ("~", "$HOME", "*", "%s {0}"):
        klyn.write(name, checkpoint)
        assert klyn.read(tmp_path / name) == checkpoint
    assert len(contents(tmp_path)) == 4


def test_names_of_other_scripts_and_undecodable_ones_work_under_any_locale_p2_p7(tmp_path: Path) -> None:
    code = """
    from bitproof import klyn
    loaded = klyn.read(sys.argv[1])
    folder = sys.argv[2]
    names = ["模型_💾.knn".encode(), b"ck_\\xff.knn", "ck_e\\u0301.knn".encode(), "ck_\\xe9.knn".encode()]
    for name in names:
        path = os.fsencode(folder) + b"/" + name
        klyn.write(path, loaded)
        assert klyn.read(path) == klyn.read(os.fsdecode(path)) == loaded
        open(path, "ab").write(b"x")
        try:
            klyn.read(path)
        except klyn.ValueException as error:
            print(ascii(error.subject.rpartition("/")[2]))
    assert sorted(os.listdir(os.fsencode(folder))) == sorted(names)
    """
    for locale in ("C", "C.UTF-8", "POSIX"):
        folder = tmp_path / locale
        folder.mkdir()
        said = in_child(code, str(DATA / "inference.knn"), str(folder), locale=locale, PYTHONUTF8="1")
        assert said.splitlines()[1] == "'ck_\\\\xff.knn'"
        assert len(said.splitlines()) == 4


def test_a_missing_parent_is_refused_and_not_created_p2(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        klyn.write(tmp_path / "missing" / "model.knn", klyn.read(DATA / "inference.knn"))
    with pytest.raises(FileNotFoundError):
        klyn.read(tmp_path / "missing" / "model.knn")
    assert contents(tmp_path) == {}


def test_a_directory_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        klyn.read(tmp_path)
    with pytest.raises(IsADirectoryError):
        klyn.write(tmp_path, klyn.read(DATA / "inference.knn"))


def contents(folder: Path) -> dict[str, bytes]:
    """Every file in a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_small_files_are_there() -> None:
    assert len(SMALL_FILES) == 5
