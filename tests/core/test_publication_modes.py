"""Modes and links: what the new file may, and where it lands."""

from __future__ import annotations

import io
import os
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bitproof import files
from bitproof.files import publish, publish_bytes
from tests.core.children import in_child


@pytest.fixture(autouse=True, params=["unnamed", "named"])
def _route(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "named":
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o027, 0o077, 0o777])
def test_a_new_file_has_the_mode_that_umask_leaves_a5(tmp_path: Path, mask: int) -> None:
    with umask(mask):
        publish_bytes(tmp_path / "x", [b"new"])
        assert os.umask(mask) == mask
    assert mode(tmp_path / "x") == 0o666 & ~mask


@pytest.mark.parametrize("kept", [0o640, 0o600, 0o666, 0o755, 0o444, 0o400, 0o000])
def test_an_existing_file_keeps_its_mode_a5(tmp_path: Path, kept: int) -> None:
    (tmp_path / "x").write_bytes(b"old")
    (tmp_path / "x").chmod(kept)
    with umask(0o022):
        publish_bytes(tmp_path / "x", [b"new"])
    assert mode(tmp_path / "x") == kept
    (tmp_path / "x").chmod(0o600)
    assert (tmp_path / "x").read_bytes() == b"new"


def test_set_id_and_sticky_bits_are_not_passed_on(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"old")
    (tmp_path / "x").chmod(0o7751)
    publish_bytes(tmp_path / "x", [b"new"])
    assert mode(tmp_path / "x") == 0o751


def test_the_umask_is_never_set_a5(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_mask: int) -> int:
        raise AssertionError("the umask belongs to the whole process")

    monkeypatch.setattr(os, "umask", refuse)
    publish_bytes(tmp_path / "x", [b"new"])


def test_files_that_other_threads_create_keep_their_modes_a5(tmp_path: Path) -> None:
    stop = threading.Event()
    modes: set[int] = set()

    def create(folder: Path) -> None:
        folder.mkdir()
        for number in range(100_000):
            if stop.is_set():
                return
            (folder / str(number)).touch()
            modes.add(mode(folder / str(number)))
            (folder / str(number)).unlink()

    with umask(0o027):
        others = [threading.Thread(target=create, args=(tmp_path / name,)) for name in ("one", "two")]
        for other in others:
            other.start()
        for number in range(100):
            publish_bytes(tmp_path / f"{number}.knn", [b"new"], durable=False)
        stop.set()
        for other in others:
            other.join()
    assert modes == {0o640}
    assert {mode(path) for path in tmp_path.glob("*.knn")} == {0o640}


def test_where_no_umask_is_told_the_system_applies_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_umask", lambda: None)
    with umask(0o027):
        publish_bytes(tmp_path / "x", [b"new"])
    assert mode(tmp_path / "x") == 0o640


@pytest.mark.parametrize("status", [None, b"Name:\tpython\nPid:\t7\n", b"Umask:\t0027\n"])
def test_the_umask_is_read_where_it_is_told(monkeypatch: pytest.MonkeyPatch, status: bytes | None) -> None:
    def stand_in(_path: str, _mode: str) -> io.BytesIO:
        if status is None:
            raise FileNotFoundError
        return io.BytesIO(status)

    monkeypatch.setattr(files, "open", stand_in, raising=False)
    assert files._umask() == (0o027 if status and status.startswith(b"Umask") else None)


def test_a_file_whose_mode_will_be_set_is_private_until_it_is_complete(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"old")
    (tmp_path / "x").chmod(0o664)
    seen = []

    def fill(output: files.OutputFile) -> None:
        output.write(b"new")
        seen.append(stat.S_IMODE(os.fstat(output._descriptor).st_mode))

    publish(tmp_path / "x", fill)
    assert (seen, mode(tmp_path / "x")) == ([0o600], 0o664)


def test_a_link_is_followed_and_stays_a_link_a6(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "real.knn").write_bytes(b"old")
    (tmp_path / "store" / "real.knn").chmod(0o640)
    (tmp_path / "best.knn").symlink_to("store/real.knn")
    publish_bytes(tmp_path / "best.knn", [b"new"])
    assert os.readlink(tmp_path / "best.knn") == "store/real.knn"
    assert (tmp_path / "store" / "real.knn").read_bytes() == b"new"
    assert mode(tmp_path / "store" / "real.knn") == 0o640
    assert (os.listdir(tmp_path / "store"), sorted(os.listdir(tmp_path))) == (["real.knn"], ["best.knn", "store"])


def test_a_failed_save_over_a_link_leaves_link_and_target_a6(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "real.knn").write_bytes(b"old")
    (tmp_path / "best.knn").symlink_to(tmp_path / "store" / "real.knn")

    def fill(output: files.OutputFile) -> None:
        output.write(b"new")
        beside = os.listdir(tmp_path / "store")
        assert len(os.listdir(tmp_path)) == 2  # a temporary lies beside the target, if anywhere
        assert len(beside) == (1 if hasattr(os, "O_TMPFILE") else 2)
        raise RuntimeError("half way")

    with pytest.raises(RuntimeError):
        publish(tmp_path / "best.knn", fill)
    assert (tmp_path / "best.knn").is_symlink()
    assert (tmp_path / "best.knn").read_bytes() == b"old"
    assert os.listdir(tmp_path / "store") == ["real.knn"]


def test_a_dangling_link_creates_its_target_a6(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    (tmp_path / "best.knn").symlink_to("store/later.knn")
    publish_bytes(tmp_path / "best.knn", [b"new"])
    assert (tmp_path / "best.knn").is_symlink()
    assert (tmp_path / "store" / "later.knn").read_bytes() == b"new"


def test_a_dangling_link_into_a_missing_folder_is_an_error_a6(tmp_path: Path) -> None:
    (tmp_path / "best.knn").symlink_to("store/later.knn")
    with pytest.raises(FileNotFoundError) as raised:
        publish_bytes(tmp_path / "best.knn", [b"new"])
    assert raised.value.filename == str(tmp_path / "best.knn")
    assert os.listdir(tmp_path) == ["best.knn"]


@pytest.mark.parametrize("target", ["folder", "folder/", ".", "folder/..", "/"])
def test_a_link_to_a_directory_is_refused_a6(tmp_path: Path, target: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "best.knn").symlink_to(target)
    with pytest.raises(IsADirectoryError):
        publish_bytes(tmp_path / "best.knn", [b"new"])
    assert os.readlink(tmp_path / "best.knn") == target
    assert sorted(os.listdir(tmp_path)) == ["best.knn", "folder"]
    assert os.listdir(tmp_path / "folder") == []


def test_chains_of_links_are_followed_through_folders_a6(tmp_path: Path) -> None:
    for folder in ("a/b", "c"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "one").symlink_to("a/b/two")
    (tmp_path / "a" / "b" / "two").symlink_to("../../c/three")
    (tmp_path / "c" / "three").symlink_to("four")
    (tmp_path / "c" / "four").symlink_to(tmp_path / "a" / "five")
    publish_bytes(tmp_path / "one", [b"new"])
    assert (tmp_path / "a" / "five").read_bytes() == b"new"
    assert (tmp_path / "one").read_bytes() == b"new"


@pytest.mark.parametrize(("links", "works"), [(40, True), (41, False)])
def test_as_many_links_are_followed_as_the_system_follows_a6(tmp_path: Path, links: int, works: bool) -> None:
    for number in range(links):
        (tmp_path / f"link {number}").symlink_to(f"link {number + 1}")
    if works:
        publish_bytes(tmp_path / "link 0", [b"new"])
        assert (tmp_path / "link 0").read_bytes() == b"new"
    else:
        with pytest.raises(OSError, match="Too many levels of symbolic links"):
            publish_bytes(tmp_path / "link 0", [b"new"])
        assert len(os.listdir(tmp_path)) == links


def test_a_circle_of_links_is_an_error_a6(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    with pytest.raises(OSError, match="Too many levels of symbolic links"):
        publish_bytes(tmp_path / "one", [b"new"])
    assert sorted(os.listdir(tmp_path)) == ["one", "two"]


def test_another_hard_link_keeps_the_old_bytes(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"old")
    os.link(tmp_path / "x", tmp_path / "backup")
    publish_bytes(tmp_path / "x", [b"new"])
    assert ((tmp_path / "x").read_bytes(), (tmp_path / "backup").read_bytes()) == (b"new", b"old")


@pytest.mark.parametrize("kind", ["pipe", "socket", "device", "link to a device"])
def test_special_files_are_refused_and_stay(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        in_child("import socket; socket.socket(socket.AF_UNIX).bind(sys.argv[1])", str(path))
    elif kind == "device":
        try:
            os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(1, 3))
        except PermissionError:
            pytest.skip("only root can make a device")
    else:
        path.symlink_to("/dev/null")
    before = path.lstat()
    with pytest.raises(OSError, match="not a regular file"):
        publish_bytes(path, [b"new"])
    assert path.lstat() == before
    assert os.listdir(tmp_path) == ["x"]
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_a_folder_moved_while_saving_takes_the_file_with_it(tmp_path: Path) -> None:
    (tmp_path / "before").mkdir()

    def fill(output: files.OutputFile) -> None:
        output.write(b"new")
        (tmp_path / "before").rename(tmp_path / "after")
        (tmp_path / "before").mkdir()

    publish(tmp_path / "before" / "x", fill)
    assert os.listdir(tmp_path / "before") == []
    assert os.listdir(tmp_path / "after") == ["x"]
