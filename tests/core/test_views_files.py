"""Views of real files, pipes and devices: bounded memory, nothing left open, nothing mapped, errors by name."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from bitproof import buffers
from bitproof.paths import FilePathLike
from bitproof.views import FileChanged, open_descriptor, open_view
from bitproof_spec.document import Block
from bitproof_spec.format import OfBytes

CONTENT = bytes(range(251)) * 8000
RANGES = [(0, 100), (128, 70), (1000, 600_000), (601_024, 600_000), (1_201_024, 0)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tensors.knn"
    path.write_bytes(CONTENT)
    return path


def descriptors(path: Path) -> list[str]:
    """What this process has open under the path."""
    links = []
    for entry in os.scandir("/proc/self/fd"):
        try:
            links.append(os.readlink(entry.path))
        except FileNotFoundError:  # the listing's own descriptor
            continue
    return [link for link in links if path.name in link]


def mappings(path: Path) -> list[str]:
    """What this process has mapped of the path."""
    return [line for line in Path("/proc/self/maps").read_text().splitlines() if path.name in line]


@pytest.mark.parametrize("keep", [False, True])
def test_a_file_is_seen_as_the_specification_sees_its_bytes(file: Path, keep: bool) -> None:
    spec = OfBytes(CONTENT)
    with open_view(file, keep=keep) as view:
        assert view.size == spec.size
        assert view.look("c", 5, 1000) == spec.look("c", 5, 1000)
        found, owed = view.blocks("c", RANGES, digest=True), spec.blocks("c", RANGES, digest=True)
    assert [payload.sha256 for payload in found] == [payload.sha256 for payload in owed]
    assert [bytes(payload.data) for payload in found] == [payload.data if keep else b"" for payload in owed]


def test_short_reads_of_the_system_are_continued(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = os.preadv

    def short(descriptor: int, into: list[memoryview], offset: int) -> int:
        return whole(descriptor, [into[0][: 1 + offset % 30_000]], offset)

    monkeypatch.setattr(os, "preadv", short)
    with open_view(file, keep=True, jobs=2) as view:
        found = view.blocks("c", RANGES, digest=True)
    assert [bytes(payload.data) for payload in found] == [
        p.data for p in OfBytes(CONTENT).blocks("c", RANGES, digest=False)
    ]


@pytest.mark.parametrize("keep", [False, True])
def test_a9_no_descriptor_and_no_mapping_outlives_a_load(file: Path, keep: bool) -> None:
    with open_view(file, keep=keep) as view:
        found = view.blocks("c", RANGES, digest=True)
        assert (descriptors(file), mappings(file)) == ([str(file)], [])
    arrays = [buffers.adopt(Block("uint8", (len(payload.data),), payload.data)) for payload in found]
    assert (descriptors(file), mappings(file)) == ([], [])
    file.write_bytes(b"")
    assert bytes(arrays[0]) == (CONTENT[:100] if keep else b"")
    with pytest.raises(ValueError, match="the view is closed"):
        view.look("c", 0, 1)


def test_a9_no_descriptor_outlives_a_load_that_failed(file: Path) -> None:
    def load() -> None:
        with open_view(file, keep=True) as view:
            os.truncate(file, 10)
            view.blocks("c", RANGES, digest=True)

    with pytest.raises(FileChanged, match=r"ended at byte 10, and had 2008000 when it was opened: .*tensors\.knn"):
        load()
    assert (descriptors(file), mappings(file)) == ([], [])


@pytest.mark.parametrize("cut", [1, 63, 64, 300_000, len(CONTENT)])
def test_v4_the_size_is_the_file_s_own_and_a_cut_end_is_missing(file: Path, cut: int) -> None:
    os.truncate(file, len(CONTENT) - cut)
    with open_view(file, keep=False) as view:
        assert view.size == len(CONTENT) - cut
        assert view.look("c", max(0, view.size - 10), 64) == CONTENT[: view.size][-10:]


def test_v4_the_size_stays_when_the_file_grows_or_is_replaced(file: Path, tmp_path: Path) -> None:
    with open_view(file, keep=False) as view:
        with open(file, "ab") as more:
            more.write(b"more")
        assert view.look("c", len(CONTENT) - 1, 9) == CONTENT[-1:]
        other = tmp_path / "other"
        other.write_bytes(b"another file")
        other.replace(file)
        assert view.size == len(CONTENT)
        assert view.look("c", 0, 9) == CONTENT[:9]


def test_g1_a_huge_sparse_file_is_judged_by_what_is_looked_at(tmp_path: Path) -> None:
    path = tmp_path / "sparse"
    with open(path, "wb") as file:
        file.truncate(1 << 42)
        file.seek((1 << 42) - 3)
        file.write(b"end")
    with open_view(path, keep=True) as view:
        assert view.size == 1 << 42
        assert view.look("c", (1 << 42) - 4, 100) == b"\0end"
        found = view.blocks("c", [(1 << 41, 5), ((1 << 42) - 3, 3)], digest=True)
    assert [bytes(payload.data) for payload in found] == [bytes(5), b"end"]


CHECK_IN_BOUNDED_MEMORY = """
import sys
from concurrent.futures import ThreadPoolExecutor
from bitproof.views import open_view

def status(field):
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith(field))

with ThreadPoolExecutor(1) as pool:  # what a first thread brings is not the view's
    pool.submit(int).result()
with open("/proc/self/clear_refs", "w") as peak:
    peak.write("5")  # the peak counts from here
idle = status("VmRSS")
with open_view(sys.argv[1], keep=False, jobs=8) as view:
    step = view.size // 16
    view.blocks("c", [(at, step) for at in range(0, view.size, step)], digest=True)
    view.blocks("c", [(at, 64) for at in range(0, 2**20, 64)], digest=True)
print(status("VmHWM") - idle)
"""


def test_g1_a_check_of_a_large_file_stays_within_16_mib(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with open(path, "wb") as file:
        file.truncate(256 << 20)
    out = subprocess.run(
        [sys.executable, "-c", CHECK_IN_BOUNDED_MEMORY, path], capture_output=True, text=True, check=True, timeout=60
    )
    assert int(out.stdout) < 16 << 10


def test_the_checker_s_view_imports_nothing_that_is_slow_to_start() -> None:
    code = (
        "import sys, bitproof.views as views\n"
        "with views.open_view('/dev/null', keep=True) as view: view.blocks('c', [(0, 0)], digest=True)\n"
        "print([name for name in ('numpy', 'torch', 'rich', 'tempfile', 'concurrent.futures') if name in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert out.stdout.strip() == "[]"


def test_v9_a_device_without_content_and_an_empty_file_have_no_bytes(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.touch()
    for path in ("/dev/null", empty):
        with open_view(path, keep=True) as view:
            assert view.size == 0
            assert view.look("c", 0, 64) == b""
            (payload,) = view.blocks("c", [(0, 0)], digest=True)
            assert (bytes(payload.data), payload.sha256) == (b"", sha256().digest())


@pytest.fixture
def pipe() -> Iterator[int]:
    source, sink = os.pipe()

    def write() -> None:
        with open(sink, "wb") as out:
            out.write(CONTENT)

    writer = threading.Thread(target=write)
    writer.start()
    yield source
    writer.join()
    os.close(source)


@pytest.mark.parametrize("keep", [False, True])
def test_a_pipe_is_seen_as_its_content(pipe: int, keep: bool) -> None:
    with open_descriptor(pipe, "standard input", keep=keep) as view:
        assert view.size == len(CONTENT)
        found = view.blocks("c", RANGES, digest=True)
    owed = OfBytes(CONTENT).blocks("c", RANGES, digest=True)
    assert [payload.sha256 for payload in found] == [payload.sha256 for payload in owed]
    os.fstat(pipe)  # it is the caller's to close


def test_a_file_whose_size_the_kernel_does_not_tell_is_read_to_its_end() -> None:
    with open_view("/proc/version", keep=False) as view:
        assert view.look("c", 0, 1000) == Path("/proc/version").read_bytes()


def test_a_redirected_file_is_seen_from_where_the_descriptor_stands(file: Path) -> None:
    with open(file, "rb", buffering=0) as source:
        source.seek(1000)
        with open_descriptor(source.fileno(), "standard input", keep=False) as view:
            assert view.size == len(CONTENT) - 1000
            assert view.look("c", 1, 5) == CONTENT[1001:1006]
        source.seek(10**7)
        with open_descriptor(source.fileno(), "standard input", keep=False) as view:
            assert view.size == 0


def test_an_endless_device_is_refused_at_the_limit() -> None:
    with (
        pytest.raises(OSError, match="more than 1000000 bytes from what isn't a regular file: '/dev/zero'"),
        open_view("/dev/zero", keep=False, spool_limit=10**6),
    ):
        pass


@pytest.mark.parametrize("name", ["ck_é_模型_💾.knn", os.fsdecode(b"ck_\xff.knn"), "~", "%s{0}*", " \n"])
def test_p1_p2_p5_p7_names_are_used_as_given(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"content")
    for form in (path, str(path), os.fsencode(path)):
        with open_view(form, keep=False) as view:
            assert view.look("c", 0, 9) == b"content"


@pytest.mark.parametrize(
    ("path", "error"),
    [(0, TypeError), (None, TypeError), ("a\0b", ValueError), ("", FileNotFoundError), ("/none", FileNotFoundError)],
)
def test_p6_what_is_no_path_is_refused(path: FilePathLike, error: type[Exception]) -> None:
    with pytest.raises(error), open_view(path, keep=False):
        pass


def test_a_directory_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError, match=str(tmp_path)), open_view(tmp_path, keep=False):
        pass
    assert descriptors(tmp_path) == []
