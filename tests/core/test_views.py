"""Views against the specification's view of the same bytes: short reads, threads, damage and many small ranges."""

from __future__ import annotations

import errno
import threading
import time
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitproof import reading
from bitproof.reading import FileChanged, FileView
from bitproof.views import from_bytes
from bitproof_spec.format import OfBytes, Payload

FILE = Random(11).randbytes(3_000_000)
Ranges = list[tuple[int, int]]


class Disk:
    """A file that is read in short pieces and counts the reads; `fault_at` an offset, reading fails."""

    def __init__(self, file: bytes, most: int = 1 << 30, fault_at: int = 1 << 62) -> None:
        self.file, self.most, self.fault_at = file, most, fault_at
        self.reads = 0

    def __call__(self, buffer: memoryview, offset: int) -> int:
        self.reads += 1
        if offset <= self.fault_at < offset + len(buffer):
            raise OSError(errno.EIO, "a bad sector")
        found = self.file[offset : offset + min(len(buffer), self.most)]
        buffer[: len(found)] = found
        return len(found)


def same(found: Sequence[Payload], owed: Sequence[Payload], *, keep: bool) -> bool:
    """Whether a view's payloads are those of the specification, without the bytes where they were dropped."""
    return [(bytes(p.data), p.sha256) for p in found] == [(p.data if keep else b"", p.sha256) for p in owed]


@pytest.mark.parametrize("keep", [False, True])
def test_any_ranges_with_short_reads_on_any_number_of_threads_are_as_in_the_specification(
    keep: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "PIECE", 100)
    monkeypatch.setattr(reading, "INLINE", 300)

    @settings(derandomize=True, deadline=None, database=None, max_examples=150)
    @given(
        st.binary(max_size=1000),
        st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 300)), max_size=12),
        st.integers(1, 400),
        st.integers(1, 3),
        st.booleans(),
    )
    def check(file: bytes, wanted: Ranges, most: int, jobs: int, ordered: bool) -> None:
        inside = [(min(start, len(file)), min(length, max(0, len(file) - start))) for start, length in wanted]
        ranges = sorted(inside) if ordered else inside
        view = FileView(Disk(file, most), len(file), keep=keep, jobs=jobs)
        spec = OfBytes(file)
        assert view.size == spec.size
        assert same(view.blocks("c", ranges, digest=True), spec.blocks("c", ranges, digest=True), keep=keep)
        for start, length in wanted:
            assert view.look("c", start, length) == spec.look("c", start, length)

    check()


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("digest", [False, True])
def test_tensors_larger_than_a_piece_are_as_in_the_specification(keep: bool, digest: bool) -> None:
    piece = reading.PIECE
    ranges = [(0, piece), (7, piece + 1), (64, 2 * piece - 1), (64, 2 * piece), (1, 2 * piece + 1), (5, 0), (9, 9)]
    view = FileView(Disk(FILE, 70_001), len(FILE), keep=keep, jobs=3)
    owed = OfBytes(FILE).blocks("c", ranges, digest=digest)
    assert same(view.blocks("c", ranges, digest=digest), owed, keep=keep)


def test_thousands_of_small_ranges_take_few_reads() -> None:
    ranges = [(start, 60) for start in range(0, len(FILE) - 64, 64)]
    for keep in (False, True):
        disk = Disk(FILE)
        found = FileView(disk, len(FILE), keep=keep, jobs=1).blocks("c", ranges, digest=True)
        assert same(found, OfBytes(FILE).blocks("c", ranges, digest=True), keep=keep)
        assert disk.reads <= len(FILE) // reading.PIECE + 1


def test_a_check_without_digests_reads_nothing() -> None:
    disk = Disk(FILE)
    assert FileView(disk, len(FILE), keep=False).blocks("c", [(0, 9), (9, 9)], digest=False) == [Payload(b"", b"")] * 2
    assert disk.reads == 0


def test_i4_what_is_kept_is_writable_aligned_and_shared_with_nobody() -> None:
    ranges = [(0, 1000), (1, 1000), (3, 0), (8, reading.PIECE + 8), (8, reading.PIECE + 8), (64, 100), (164, 3)]
    found = from_bytes(FILE, keep=True).blocks("c", ranges, digest=True)
    for number, payload in enumerate(found):
        assert isinstance(payload.data, memoryview)
        assert (payload.data.readonly, payload.data.format, payload.data.ndim) == (False, "B", 1)
        payload.data[:] = bytes([number]) * len(payload.data)
    assert all(set(payload.data) <= {number} for number, payload in enumerate(found))
    assert from_bytes(FILE, keep=True).look("c", 0, len(FILE)) == FILE


def test_a_large_tensor_s_memory_is_freed_by_itself() -> None:
    view = from_bytes(FILE, keep=True)
    found = view.blocks("c", [(0, 1_000_000), (1_000_000, 1_000_000)], digest=False)
    owners = [payload.data.obj for payload in found if isinstance(payload.data, memoryview)]
    assert len(owners) == 2
    assert owners[0] is not owners[1]


def test_large_tensors_are_read_at_the_same_time() -> None:
    together = threading.Barrier(2)

    def read(buffer: memoryview, offset: int) -> int:
        if offset in (0, 1 << 22):
            together.wait(60)  # breaks unless another thread comes while this one waits
        return len(buffer)

    view = FileView(read, 1 << 23, keep=False, jobs=2)
    assert len(view.blocks("c", [(0, 1 << 22), (1 << 22, 1 << 22)], digest=True)) == 2


@pytest.mark.parametrize("jobs", [1, 3])
def test_progress_adds_up_to_the_payloads(jobs: int) -> None:
    ranges = [(0, 2_500_000), (0, 2_000_000), (5, 100), (105, 7), (0, 0)]
    for keep in (False, True):
        told: list[int] = []
        view = FileView(Disk(FILE), len(FILE), keep=keep, jobs=jobs, progress=told.append)
        view.blocks("c", ranges, digest=True)
        assert sum(told) == sum(length for _, length in ranges)
        assert all(0 < step <= reading.PIECE for step in told)


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("keep", [False, True])
def test_a_read_that_fails_is_raised_with_the_file_s_name_and_stops_the_rest(jobs: int, keep: bool) -> None:
    ranges = [(at, 1 << 20) for at in (0, 1 << 20, 3, 5, 7, 9, 11, 13)]
    view = FileView(Disk(FILE, fault_at=1_500_000), len(FILE), keep=keep, jobs=jobs, name="some.knn")
    with pytest.raises(OSError, match=r"a bad sector: 'some\.knn'") as caught:
        view.blocks("c", ranges, digest=True)
    assert (caught.value.errno, caught.value.filename) == (errno.EIO, "some.knn")
    assert view.look("c", 5, 6) == FILE[5:11]


def test_the_first_error_ends_the_reading_of_other_tensors_between_two_pieces() -> None:
    failed, reads = threading.Event(), []

    def read(buffer: memoryview, offset: int) -> int:
        reads.append(offset)
        if offset == 1 << 26:
            failed.set()
            raise OSError(errno.EIO, "a bad sector")
        failed.wait(60)
        return len(buffer)

    view = FileView(read, 1 << 27, keep=False, jobs=2)
    with pytest.raises(OSError, match="a bad sector"):
        view.blocks("c", [(0, 1 << 26), (1 << 26, 1 << 26)], digest=True)
    assert len(reads) < 64  # of the 128 that the first tensor takes, whose result comes first


def test_an_interruption_is_raised_as_it_is() -> None:
    class Interrupted(BaseException):
        pass

    def progress(done: int) -> None:
        raise Interrupted

    for jobs in (1, 2):
        view = FileView(Disk(bytes(1 << 23)), 1 << 23, keep=False, jobs=jobs, progress=progress)
        with pytest.raises(Interrupted):
            view.blocks("c", [(0, 1 << 22), (1 << 22, 1 << 22)], digest=True)
        assert view.look("c", 0, 2) == bytes(2)


def test_progress_is_told_by_one_thread_at_a_time() -> None:
    talking, met = threading.Lock(), []

    def progress(done: int) -> None:
        met.append(talking.acquire(blocking=False))
        time.sleep(0.002)  # long enough for another thread to come by
        talking.release()

    view = FileView(Disk(bytes(1 << 24)), 1 << 24, keep=False, jobs=2, progress=progress)
    view.blocks("c", [(0, 1 << 23), (1 << 23, 1 << 23)], digest=True)
    assert all(met)


@pytest.mark.parametrize("left", [0, 1, 63, 64, 1000, 2_999_999])
def test_v4_a_file_that_became_shorter_is_an_error_and_never_zeros(left: int) -> None:
    view = FileView(Disk(FILE[:left]), len(FILE), keep=True, jobs=2, name=b"x\xff")
    with pytest.raises(FileChanged, match=f"TENSOR: the file ended at byte {left}, and had 3000000") as caught:
        view.blocks("TENSOR", [(0, len(FILE))], digest=True)
    assert caught.value.filename == b"x\xff"
    with pytest.raises(FileChanged, match=f"HEADER: the file ended at byte {left}"):
        view.look("HEADER", left, 1)
    assert view.look("HEADER", 0, left) == FILE[:left]


@pytest.mark.parametrize("kept", [0, 1, 63, 64, 100])
def test_v4_a_look_past_the_end_gives_what_is_there(kept: int) -> None:
    view, spec = from_bytes(FILE[:kept], keep=False), OfBytes(FILE[:kept])
    for start in (0, 1, 63, 64, 65, 200):
        assert view.look("c", start, 64) == spec.look("c", start, 64)


@pytest.mark.parametrize("outside", [(0, 101), (100, 1), (101, 0), (-1, 1), (50, -1), (1 << 62, 1 << 62)])
def test_a_range_outside_the_file_is_a_judge_s_mistake(outside: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="of a file of 100"):
        from_bytes(FILE[:100], keep=True).blocks("c", [(0, 1), outside], digest=True)
