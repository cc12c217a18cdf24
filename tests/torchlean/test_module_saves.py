"""Modules saved over files, loaded twice, and loaded with faults: old bytes, own memory, nothing half done."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from unittest import mock

import pytest

from bitproof import tensors
from bitproof.klyn.errors import ValueException
from bitproof.torchlean import StateError, checkpoint
from bitproof.torchlean.checkpointable import checkpointable
from bitproof.torchlean.scalars import Float
from tests.torchlean.builders import bits, linear32, native, plain


def test_a10_a_load_that_fails_at_any_byte_or_tensor_changes_nothing(tmp_path: Path) -> None:
    source, target = native(3), native(4)
    checkpoint.save(source, tmp_path / "m")
    file = (tmp_path / "m").read_bytes()
    before = bits(target.parameters())
    for length in range(0, len(file), 3):
        (tmp_path / "cut").write_bytes(file[:length])
        with pytest.raises(StateError):
            checkpoint.load(target, tmp_path / "cut")
        assert bits(target.parameters()) == before
    for fault in range(len(before)):
        with failing("adopt", fault), pytest.raises(MemoryError):
            checkpoint.load(target, tmp_path / "m")
        assert bits(target.parameters()) == before


@contextmanager
def failing(name: str, fault: int) -> Iterator[None]:
    """While it is on, the call of that number of a function that makes tensors raises MemoryError."""
    calls, real = count(), getattr(tensors, name)

    def planted(*given: object) -> object:
        if next(calls) == fault:
            raise MemoryError("planted")
        return real(*given)

    with mock.patch.object(tensors, name, planted):
        yield


def test_i4_i2_loaded_tensors_keep_their_identity_are_writable_and_share_nothing(tmp_path: Path) -> None:
    source, one, other = linear32(3), linear32(4), linear32(4)
    checkpoint.save(source, tmp_path / "m")
    views = [t.view(-1) for t in one.parameters().tensors]
    checkpoint.load(one, tmp_path / "m")
    checkpoint.load(other, tmp_path / "m")
    for view in views:
        view.add_(1)
    assert bits(other.parameters()) == bits(source.parameters()) != bits(one.parameters())
    checkpoint.load(one, tmp_path / "m")
    assert bits(one.parameters()) == bits(source.parameters())


def test_a13_a8_a_save_is_complete_when_it_returns_and_may_go_over_its_own_file(tmp_path: Path) -> None:
    source = linear32(3)
    owed = bits(source.parameters())
    checkpoint.save(source, tmp_path / "m")
    for tensor in source.parameters().tensors:
        tensor.fill_(float("nan"))
    checkpoint.load(source, tmp_path / "m")
    checkpoint.save(source, tmp_path / "m")
    assert bits(source.parameters()) == owed


def test_a1_a_save_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    # TLR-FIL-07
    checkpoint.save(linear32(3), tmp_path / "m")
    old = (tmp_path / "m").read_bytes()
    full = OSError(28, "planted")
    with mock.patch("os.rename", side_effect=full), mock.patch("os.replace", side_effect=full):  # noqa: SIM117
        with pytest.raises(OSError, match="planted"):
            checkpoint.save(linear32(4), tmp_path / "m")
    assert (tmp_path / "m").read_bytes() == old
    assert os.listdir(tmp_path) == ["m"]


SAVES = """
import sys
from tests.torchlean.builders import batch, native, plain
from bitproof.torchlean import checkpoint
module = native(3)
module.backend.step(module, batch())
checkpoint.save(module, sys.argv[1] + ".stream")
checkpoint.optimizer.save(module, sys.argv[1] + ".moments")
checkpoint.save(plain(3), sys.argv[1] + ".json")
"""


def test_b12_equal_state_gives_equal_bytes_in_every_process(tmp_path: Path) -> None:
    for seed in ("1", "2"):
        command = [sys.executable, "-c", SAVES, str(tmp_path / f"of process {seed}")]
        environment = {**os.environ, "PYTHONHASHSEED": seed, "OMP_NUM_THREADS": "1"}
        subprocess.run(command, cwd=Path(__file__).parents[2], env=environment, check=True)
    for kind in ("stream", "moments", "json"):
        one, other = (tmp_path / f"of process {seed}.{kind}" for seed in ("1", "2"))
        assert one.read_bytes() == other.read_bytes()
        assert one.stat().st_size > 100


def test_errors_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        checkpoint.load(linear32(), tmp_path / "none")
    with pytest.raises(TypeError, match="float32"):
        checkpointable(Float).write(True, tmp_path / "m", plain().parameters())
    with pytest.raises(TypeError, match="scalars"):
        checkpointable(int)
    assert not issubclass(StateError, ValueException)
    assert os.listdir(tmp_path) == []
