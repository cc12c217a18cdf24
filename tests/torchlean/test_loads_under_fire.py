"""Loads whose file is damaged in any byte, replaced or cut meanwhile: all of one state, or nothing of another."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from bitproof.reading import FileChanged
from bitproof.strategies import flips
from bitproof.tensors import words
from bitproof.torchlean import StateError, checkpoint, files
from bitproof.torchlean.backends import EagerNative
from bitproof.torchlean.module import Module
from bitproof.torchlean.objective import Objective
from bitproof.torchlean.optimizer_io import OptimizerTarget
from bitproof.torchlean.optimizers import AdamW
from bitproof.torchlean.scalars import Float32
from bitproof.torchlean.state_io import StreamedTarget
from tests.torchlean.builders import batch, linear, plain
from tests.torchlean.training import everything, trained

Load = Callable[[Objective[Any], Path], None]


def small(seed: int) -> Objective[Any]:
    """One layer with optimizer state."""
    return stepped(Module(linear(), Float32, EagerNative(AdamW(0.03, 0.85, 0.97, 3e-7, 0.02)), seed=seed))


def stepped(objective: Objective[Any]) -> Objective[Any]:
    """After one update."""
    objective.backend.step(objective, batch())
    return objective


def test_a10_a_flip_in_any_byte_of_a_stream_is_refused_whole_or_loaded_whole(tmp_path: Path) -> None:
    # TLR-FIL-05
    checkpoint.save(small(3), tmp_path / "m")
    target, refused = small(4), 0
    file = (tmp_path / "m").read_bytes()
    for damaged in flips(file, near=len(file)):
        (tmp_path / "d").write_bytes(damaged)
        before = everything(target)
        try:
            checkpoint.load(target, tmp_path / "d")
        except StateError:
            refused += 1
            assert everything(target) == before
        else:
            assert StreamedTarget(target.parameters()).capture() == files.read_streamed(tmp_path / "d")
    payload = sum(4 * tensor.numel() for tensor in target.parameters().tensors)
    assert refused == len(file) - payload


def test_a10_a_flip_in_any_byte_of_an_optimizer_file_is_refused_whole_or_loaded_whole(tmp_path: Path) -> None:
    checkpoint.optimizer.save(small(3), tmp_path / "o")
    file = (tmp_path / "o").read_bytes()
    target, refused, loaded = small(4), 0, 0
    for damaged in flips(file, near=len(file)):
        (tmp_path / "d").write_bytes(damaged)
        before = everything(target)
        try:
            checkpoint.optimizer.load(target, tmp_path / "d")
        except StateError:
            refused += 1
            assert everything(target) == before
        else:
            loaded += 1
            assert OptimizerTarget(target).capture() == files.read_optimizer(tmp_path / "d")
    entries = files.read_optimizer(tmp_path / "o").entries
    free = 8 + sum(8 + 2 * len(entry.first.data) for entry in entries)  # the counter, steps and moments
    assert (refused, loaded) == (len(file) - free, free)


def test_a10_a_flip_in_any_byte_of_a_json_state_is_refused_whole_or_loaded_whole(tmp_path: Path) -> None:
    checkpoint.save(plain(3), tmp_path / "j")
    target = plain(4)
    for damaged in flips((tmp_path / "j").read_bytes(), near=2000):
        (tmp_path / "d").write_bytes(damaged)
        before = everything(target)
        try:
            checkpoint.load(target, tmp_path / "d")
        except StateError:
            assert everything(target) == before
        else:
            held = [bytes(block.data) for block in files.read_json(tmp_path / "d").blocks]
            assert [words(tensor).tobytes() for tensor in target.parameters().tensors] == held


@contextmanager
def at_read(number: int, act: Callable[[], None]) -> Iterator[list[int]]:
    """While it is on, `act` is done right before the read of that number, from 0."""
    reads: list[int] = []
    real = os.preadv

    def read(*given: Any) -> int:
        if len(reads) == number:
            act()
        reads.append(number)
        return real(*given)

    with mock.patch.object(os, "preadv", read):
        yield reads


def stream(folder: Path) -> tuple[Load, Path, Path, Objective[Any], object]:
    """A load, its file, another valid file, its target, and what the first file makes of that."""
    for name, seed in (("one", 3), ("other", 9)):
        checkpoint.save(trained(1, seed), folder / name)
    return _case(checkpoint.load, folder, trained(1, 4), trained(1, 4))


def json_state(folder: Path) -> tuple[Load, Path, Path, Objective[Any], object]:
    for name, seed in (("one", 3), ("other", 9)):
        checkpoint.save(plain(seed), folder / name)
    return _case(checkpoint.load, folder, plain(4), plain(4))


def optimizer(folder: Path) -> tuple[Load, Path, Path, Objective[Any], object]:
    for name, seed in (("one", 3), ("other", 9)):
        checkpoint.optimizer.save(trained(1, seed), folder / name)
    return _case(checkpoint.optimizer.load, folder, trained(1, 4), trained(1, 4))


def _case(
    load: Load, folder: Path, target: Objective[Any], control: Objective[Any]
) -> tuple[Load, Path, Path, Objective[Any], object]:
    load(control, folder / "one")
    owed = everything(control)
    load(control, folder / "other")
    assert everything(control) != owed
    return load, folder / "one", folder / "other", target, owed


CASES = pytest.mark.parametrize("case", [stream, json_state, optimizer])


@CASES
def test_a_file_that_is_replaced_while_it_is_read_cannot_mix_in(case: Callable[..., Any], tmp_path: Path) -> None:
    load, one, other, target, owed = case(tmp_path)
    old, new = one.read_bytes(), other.read_bytes()
    start, number = everything(target), 0
    while True:
        one.write_bytes(old)
        other.write_bytes(new)
        with at_read(number, lambda: os.replace(other, one)) as reads:
            load(target, one)
        assert everything(target) == owed != start
        if len(reads) <= number:
            break
        number += 1
        assert one.read_bytes() == new
    assert number > 2 or case is json_state


@CASES
def test_a_file_that_is_cut_while_it_is_read_is_an_error_of_the_system_and_changes_nothing(
    case: Callable[..., Any], tmp_path: Path
) -> None:
    load, one, _, target, _ = case(tmp_path)
    old, start = one.read_bytes(), everything(target)
    another = case(tmp_path)[3]
    with at_read(0, lambda: None) as reads:
        load(another, one)
    for number in range(len(reads)):
        one.write_bytes(old)
        with at_read(number, lambda: os.truncate(one, 0)), pytest.raises(FileChanged):
            load(target, one)
        assert everything(target) == start


@CASES
def test_a9_no_descriptor_is_left_and_a_loaded_state_does_not_depend_on_its_file(
    case: Callable[..., Any], tmp_path: Path
) -> None:
    load, one, _, target, owed = case(tmp_path)
    load(target, one)
    bad = one.with_name("bad")
    bad.write_bytes(one.read_bytes()[:-1])
    with pytest.raises(StateError):
        load(target, bad)
    one.write_bytes(bytes(len(one.read_bytes())))
    one.unlink()
    assert everything(target) == owed
    opened = [os.path.realpath(f"/proc/self/fd/{descriptor}") for descriptor in os.listdir("/proc/self/fd")]
    assert not [name for name in opened if name.startswith(str(tmp_path))]
    assert str(tmp_path) not in Path("/proc/self/maps").read_text("utf-8")
