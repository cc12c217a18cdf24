"""Paths as given: kinds, odd names, what is refused, and names in messages."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest

from bitproof.files import FilePathLike, escape_path, publish_bytes
from bitproof_spec.publication import is_temporary
from tests.core.children import in_child


class FromPath:
    """Something path-like that isn't a Path."""

    def __init__(self, path: bytes) -> None:
        self.path = path

    def __fspath__(self) -> bytes:
        return self.path


def test_every_kind_of_path_works_alike_p6(tmp_path: Path) -> None:
    raw = os.fsencode(tmp_path)
    kinds: list[FilePathLike] = [f"{tmp_path}/str", tmp_path / "Path", raw + b"/bytes", FromPath(raw + b"/like")]
    for kind in kinds:
        publish_bytes(kind, [b"value"])
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == dict.fromkeys(
        ("str", "Path", "bytes", "like"), b"value"
    )


@pytest.mark.parametrize("bad", [3, None, True, 1.5, bytearray(b"x"), ["x"], memoryview(b"x")])
def test_what_is_no_path_is_a_type_error_p6(bad: str) -> None:
    with pytest.raises(TypeError):
        publish_bytes(bad, [b"x"])


@pytest.mark.parametrize("path", ["m.knn", "./m.knn", "../inner/m.knn", "inner/../../inner/m.knn"])
def test_relative_paths_work_p8(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    inner = tmp_path / "inner"
    (inner / "inner").mkdir(parents=True)
    monkeypatch.chdir(inner)
    publish_bytes(path, [b"value"])
    assert (inner / "m.knn").read_bytes() == b"value"


@pytest.mark.parametrize("path", [".", "..", "", "/", "folder", "folder/", "folder/.", "linked", "file/", "file/x"])
def test_what_is_no_file_is_refused_and_nothing_appears_p8(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "linked").symlink_to("folder")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OSError, match=r"Is a directory|Not a directory|an empty path") as raised:
        publish_bytes(path, [b"x"])
    assert raised.value.filename == path
    assert sorted(os.listdir()) == ["file", "folder", "linked"]
    assert os.listdir("folder") == []
    assert (tmp_path / "file").read_bytes() == b"old"


@pytest.mark.parametrize("path", ["a\0b", b"a\0b", "a\ud800b"])
def test_what_can_be_no_name_is_a_value_error_p8(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str | bytes
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r"no (file|name) can") as raised:
        publish_bytes(path, [b"x"])
    assert type(raised.value) is ValueError
    assert str(raised.value).isprintable()
    assert os.listdir() == []


def test_a_deleted_working_directory_is_an_error_p8(tmp_path: Path) -> None:
    child = in_child(
        """
        os.mkdir("gone"); os.chdir("gone"); os.rmdir("../gone")
        try: publish_bytes("m.knn", [b"x"])
        except FileNotFoundError as error: print(error.filename)
        """,
        cwd=tmp_path,
    )
    assert child == "m.knn\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody without rights")
@pytest.mark.parametrize("unnamed", ["unnamed", "named"])
def test_a_read_only_working_directory_is_an_error_p8(tmp_path: Path, unnamed: str) -> None:
    (tmp_path / "m.knn").write_bytes(b"old")
    tmp_path.chmod(0o555)
    child = in_child(
        """
        if sys.argv[1] == "named": del os.O_TMPFILE
        os.setgroups([]); os.setegid(65534); os.seteuid(65534)
        try: publish_bytes("m.knn", [b"x"])
        except PermissionError as error: print(error.filename)
        """,
        unnamed,
        cwd=tmp_path,
    )
    assert child == "m.knn\n"
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"m.knn": b"old"}


def test_a_missing_parent_is_refused_and_not_made_p2(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        publish_bytes(tmp_path / "模型" / "m.knn", [b"x"])
    assert raised.value.filename == str(tmp_path / "模型" / "m.knn")
    assert list(tmp_path.iterdir()) == []


def test_a_tilde_is_a_letter_p5(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home)
    with pytest.raises(FileNotFoundError):
        publish_bytes("~/m.knn", [b"x"])
    publish_bytes("~", [b"x"])
    assert os.listdir(home) == ["~"]
    assert os.path.isfile("~")


ODD_NAMES = {
    "tilde": b"~root",
    "glob": b"a*b?[c]",
    "percent": b"%s%d%%20",
    "braces": b"{0}{name}$HOME`x`",
    "blank ends": b" x ",
    "dash": b"-rf",
    "dots": b"...",
    "newline": b"line\nbreak\r\t",
    "escape": b"\x1b[31mred\x07",
    "backslash": b"a\\b\\x00",
    "no UTF-8": b"ck_\xff\xfe\x80",
    "cut UTF-8": "模".encode()[:2],
    "CJK and emoji": "ck_é_模型_💾.knn".encode(),
    "255 bytes": b"n" * 255,
    "255 bytes of CJK": "模".encode() * 85,
    "224 bytes": b"n" * 224,
    "225 bytes": b"n" * 225,
    "like a temporary": b".x.0123456789abcdef.bitproof-tmp",
}


@pytest.mark.parametrize("name", ODD_NAMES.values(), ids=ODD_NAMES)
@pytest.mark.parametrize("unnamed", [True, False], ids=["unnamed", "named"])
def test_odd_names_are_used_as_given_p1_p2_p7(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: bytes, unnamed: bool
) -> None:
    if not unnamed:
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    path = os.path.join(os.fsencode(tmp_path), name)
    publish_bytes(path, [b"first"])
    publish_bytes(os.fsdecode(path), [b"second"])
    assert os.listdir(os.fsencode(tmp_path)) == [name]
    assert Path(os.fsdecode(path)).read_bytes() == b"second"


def test_composed_and_decomposed_names_are_two_files_p1(tmp_path: Path) -> None:
    names = [unicodedata.normalize(form, "ck_é_模型_💾.knn") for form in ("NFC", "NFD")]
    for name in names:
        publish_bytes(tmp_path / name, [name.encode()])
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {name: name for name in names}


def test_a_name_too_long_is_the_systems_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="File name too long"):
        publish_bytes(tmp_path / ("n" * 256), [b"x"])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("locale", ["C", "C.UTF-8", "POSIX"])
def test_names_work_in_every_locale_p2(tmp_path: Path, locale: str) -> None:
    folder = tmp_path / "模型_💾"
    folder.mkdir()
    child = in_child(
        """
        path = os.fsencode(sys.argv[1])
        publish_bytes(sys.argv[1], [b"one"]); publish_bytes(path, [open(path, "rb").read(), b"+two"])
        try: publish_bytes(path + b"/x", [b"x"])
        except NotADirectoryError as error: print(error); print(escape_path(error.filename, sys.stdout.encoding))
        """,
        str(folder / "ck_é.knn"),
        locale=locale,
    )
    assert (folder / "ck_é.knn").read_bytes() == b"one+two"
    assert len(child.splitlines()) == 2
    assert [path.name for path in folder.iterdir()] == ["ck_é.knn"]


def test_a_failure_prints_a_name_that_is_not_utf8_p7(tmp_path: Path) -> None:
    child = in_child(
        """
        path = os.fsdecode(os.fsencode(sys.argv[1]) + b"/ck_\\xff\\n.knn/x")
        try: publish_bytes(path, [b"x"])
        except OSError as error: print(error); print(escape_path(path)); print(escape_path(path, "ascii"))
        """,
        str(tmp_path),
    )
    assert child.splitlines() == [
        f"[Errno 2] No such file or directory: '{tmp_path}/ck_\\udcff\\n.knn/x'",
        f"{tmp_path}/ck_\\xff\\n.knn/x",
        f"{tmp_path}/ck_\\xff\\n.knn/x",
    ]


ESCAPES: dict[str, tuple[FilePathLike, str, str]] = {
    "plain": ("a b-ü.knn", "utf-8", "a b-ü.knn"),
    "bytes": (b"ck_\xff\x80", "utf-8", r"ck_\xff\x80"),
    "Path": (Path("a/b"), "utf-8", "a/b"),
    "newline": ("a\nb\r\t\0", "utf-8", r"a\nb\r\t\x00"),
    "terminal": ("\x1b[31m\x9b", "utf-8", r"\x1b[31m\u009b"),
    "backslash": (r"a\xff", "utf-8", r"a\\xff"),
    "right to left": ("a\u202eb", "utf-8", r"a\u202eb"),
    "line separator": ("a\u2028b", "utf-8", r"a\u2028b"),
    "lone surrogate": ("a\ud800b", "utf-8", r"a\ud800b"),
    "ASCII": ("é模💾", "ascii", r"\u00e9\u6a21\U0001f4be"),
    "Latin-1": ("é模", "latin-1", r"é\u6a21"),
}


@pytest.mark.parametrize(("path", "encoding", "text"), ESCAPES.values(), ids=ESCAPES)
def test_paths_in_messages_are_printable_p7(path: FilePathLike, encoding: str, text: str) -> None:
    escaped = escape_path(path, encoding)
    assert escaped == text
    assert escaped.isprintable()
    assert escaped.encode(encoding)


def test_no_two_names_are_printed_alike_p7() -> None:
    firsts = b"\\xf\xff\nn\xc2\xc3"
    names = [bytes([a, b]) for a in firsts for b in range(256) if b not in (0, 47)]
    for encoding in ("utf-8", "ascii"):
        assert len({escape_path(name, encoding) for name in names}) == len(names)


def test_a_name_like_a_temporary_is_not_mistaken_for_ours(tmp_path: Path) -> None:
    name = ".x.0123456789abcdef.bitproof-tmp"
    (tmp_path / name).write_bytes(b"somebody's")
    publish_bytes(tmp_path / "x", [b"new"])
    assert is_temporary(os.fsencode(name))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {name: b"somebody's", "x": b"new"}
