"""Filling the file of a save: short writes, positions, batches, threads, and errors that nobody may forget."""

from __future__ import annotations

import array
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from bitproof.files import Octets, OutputFile, publish, publish_bytes
from bitproof.output_file import BATCH


def _sizes_asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of all writes from here on."""
    asked: list[int] = []
    real = os.pwrite

    def noted(descriptor: int, data: memoryview, at: int) -> int:
        asked.append(len(data))
        return real(descriptor, data, at)

    monkeypatch.setattr(os, "pwrite", noted)
    return asked


def test_chunks_of_every_kind_arrive_in_order(tmp_path: Path) -> None:
    words = array.array("H", [0x1234, 0xABCD])
    nothing = memoryview(array.array("I"))
    chunks: list[Octets] = [b"head", bytearray(b"\x00\xff"), memoryview(words), b"", nothing, b"tail"]
    publish_bytes(tmp_path / "x", chunks)
    assert (tmp_path / "x").read_bytes() == b"head\x00\xff" + words.tobytes() + b"tail"


def test_no_chunks_make_an_empty_file(tmp_path: Path) -> None:
    publish_bytes(tmp_path / "x", [])
    assert (tmp_path / "x").read_bytes() == b""


def test_batches_and_chunks_larger_than_a_batch_keep_their_order(tmp_path: Path) -> None:
    chunks = [bytes([n]) * size for n, size in enumerate([3, BATCH - 1, 2, BATCH, BATCH + 1, 1, 0, BATCH - 3, 3, 5])]
    publish_bytes(tmp_path / "x", chunks)
    assert (tmp_path / "x").read_bytes() == b"".join(chunks)


def test_small_chunks_share_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = _sizes_asked(monkeypatch)
    publish_bytes(tmp_path / "x", [bytes([n % 251]) * 1024 for n in range(10_000)])
    assert sum(calls) == 10_000 * 1024
    assert len(calls) <= 10


def test_positioned_and_sequential_writes_do_not_move_each_other(tmp_path: Path) -> None:
    def fill(output: OutputFile) -> None:
        output.write(b"ab")
        output.write_at(6, b"gh")
        assert output.size == 8
        output.write(b"cd")
        output.write_at(4, b"ef")
        output.write_at(0, b"")
        assert output.size == 8

    publish(tmp_path / "x", fill)
    assert (tmp_path / "x").read_bytes() == b"abcdefgh"


def test_threads_write_at_positions(tmp_path: Path) -> None:
    blocks = [bytes([n]) * 5000 for n in range(32)]

    def fill(output: OutputFile) -> None:
        writers = [threading.Thread(target=output.write_at, args=(n * 5000, block)) for n, block in enumerate(blocks)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()

    publish(tmp_path / "x", fill)
    assert (tmp_path / "x").read_bytes() == b"".join(blocks)


def test_without_positioned_writes_one_position_is_shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The way of Windows, as far as another system can show it."""
    monkeypatch.delattr(os, "pwrite", raising=False)
    monkeypatch.setattr(sys, "platform", "win32")
    test_threads_write_at_positions(tmp_path)
    test_positioned_and_sequential_writes_do_not_move_each_other(tmp_path)


def _short(largest: Callable[[int], int]) -> Callable[[int, memoryview, int], int]:
    real = os.pwrite
    return lambda descriptor, data, at: real(descriptor, data[: largest(len(data))], at)


@pytest.mark.parametrize("largest", [lambda _asked: 1, lambda asked: (asked + 1) // 2], ids=["a byte", "half"])
@pytest.mark.parametrize("unnamed", [True, False], ids=["unnamed", "named"])
def test_short_writes_are_continued_p1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, largest: Callable[[int], int], unnamed: bool
) -> None:
    if not unnamed:
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    monkeypatch.setattr(os, "pwrite", _short(largest))

    def fill(output: OutputFile) -> None:
        output.writev([b"abcdefg", b"hij"])
        output.write_at(10, b"klm")

    publish(tmp_path / "x", fill)
    assert (tmp_path / "x").read_bytes() == b"abcdefghijklm"


@pytest.mark.parametrize("written", [0, -1])
def test_a_write_without_progress_is_an_error_p1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: int) -> None:
    (tmp_path / "x").write_bytes(b"old")
    monkeypatch.setattr(os, "pwrite", lambda *_call: written)
    with pytest.raises(OSError, match="no progress"):
        publish_bytes(tmp_path / "x", [b"new"])
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"x": b"old"}


def test_a_file_that_lost_bytes_is_refused_by_its_size_p1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "pwrite", lambda _descriptor, data, _at: len(data))
    with pytest.raises(OSError, match="0 bytes after 3 were written"):
        publish_bytes(tmp_path / "x", [b"new"])
    assert list(tmp_path.iterdir()) == []


def test_no_call_asks_for_more_than_systems_take_p1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bitproof.output_file.LARGEST_WRITE", 7)
    asked = _sizes_asked(monkeypatch)
    publish_bytes(tmp_path / "x", [b"0123456789abcdef"])
    assert asked == [7, 7, 2]
    assert (tmp_path / "x").read_bytes() == b"0123456789abcdef"


def test_a_failed_write_is_not_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_call: object) -> int:
        raise OSError(28, "No space left on device")

    def fill(output: OutputFile) -> None:
        output.write(b"head")
        with monkeypatch.context() as patch:
            patch.setattr(os, "pwrite", refuse)
            with pytest.raises(OSError, match="No space"):
                output.write_at(0, b"body")
        output.write_at(0, b"body")

    with pytest.raises(OSError, match="No space") as raised:
        publish(tmp_path / "x", fill)
    assert raised.value.filename == str(tmp_path / "x")
    assert list(tmp_path.iterdir()) == []


def test_what_the_filler_raises_passes_through_untouched(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"old")

    def fill(output: OutputFile) -> None:
        output.write(b"new")
        os.stat(str(tmp_path / "another that is not there"))

    with pytest.raises(FileNotFoundError) as raised:
        publish(tmp_path / "x", fill)
    assert raised.value.filename == str(tmp_path / "another that is not there")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"x": b"old"}


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, SystemExit, MemoryError])
def test_an_interrupted_save_leaves_nothing(tmp_path: Path, interrupt: type[BaseException]) -> None:
    def fill(output: OutputFile) -> None:
        output.write(b"new")
        raise interrupt

    with pytest.raises(interrupt):
        publish(tmp_path / "x", fill)
    assert list(tmp_path.iterdir()) == []


def test_a_save_whose_threads_still_write_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started, go_on = threading.Event(), threading.Event()
    real = os.pwrite

    def slow(descriptor: int, data: memoryview, at: int) -> int:
        started.set()
        assert go_on.wait(60)
        return real(descriptor, data, at)

    monkeypatch.setattr(os, "pwrite", slow)
    kept: list[OutputFile] = []

    def fill(output: OutputFile) -> None:
        kept.append(output)
        threading.Thread(target=output.write_at, args=(0, b"late")).start()
        assert started.wait(60)
        threading.Timer(0.05, go_on.set).start()

    with pytest.raises(ValueError, match="other threads were still writing"):
        publish(tmp_path / "x", fill)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ValueError, match="the save is over"):
        kept[0].write(b"later still")


def test_a_save_given_up_waits_for_the_writes_under_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a thread would write to a descriptor that is closed, or that is another file's by then."""
    started, go_on = threading.Event(), threading.Event()
    written: list[int] = []
    real = os.pwrite

    def slow(descriptor: int, data: memoryview, at: int) -> int:
        started.set()
        assert go_on.wait(60)
        written.append(real(descriptor, data, at))
        return written[-1]

    def fill(output: OutputFile) -> None:
        threading.Thread(target=output.write_at, args=(0, b"late")).start()
        assert started.wait(60)
        threading.Timer(0.05, go_on.set).start()
        raise RuntimeError("given up")

    monkeypatch.setattr(os, "pwrite", slow)
    with pytest.raises(RuntimeError, match="given up"):
        publish(tmp_path / "x", fill)
    assert written == [4]
    assert list(tmp_path.iterdir()) == []


def test_nothing_can_be_written_after_the_save(tmp_path: Path) -> None:
    kept: list[OutputFile] = []
    publish(tmp_path / "x", kept.append)
    with pytest.raises(ValueError, match="the save is over"):
        kept[0].write_at(0, b"late")
    assert (tmp_path / "x").read_bytes() == b""


@pytest.mark.parametrize("bad", ["text", 3, None, memoryview(bytes(9))[::2]])
def test_what_is_not_bytes_is_a_type_error(tmp_path: Path, bad: bytes) -> None:
    with pytest.raises(TypeError):
        publish(tmp_path / "x", lambda output: output.write(bad))
    assert list(tmp_path.iterdir()) == []


def test_a_negative_offset_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not negative: -1"):
        publish(tmp_path / "x", lambda output: output.write_at(-1, b"x"))
    assert list(tmp_path.iterdir()) == []


def test_save_is_complete_when_it_returns_a13(tmp_path: Path) -> None:
    live = bytearray(b"step 7 " * 100)
    publish_bytes(tmp_path / "x", [memoryview(live)])
    live[:] = b"step 8 " * 100
    assert (tmp_path / "x").read_bytes() == b"step 7 " * 100
