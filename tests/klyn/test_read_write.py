"""Files written are the specification's segments byte for byte; what is read is as written, in memory of its own."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bitproof.klyn as klyn
from bitproof.buffers import adopt
from bitproof.reading import INLINE, PIECE
from bitproof.strategies import blocks
from bitproof_spec.document import Block
from bitproof_spec.encoding import Binary64
from bitproof_spec.format import encode
from bitproof_spec.klyn.constants import STORAGE
from bitproof_spec.klyn.container import KNN
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.stages import Dense, Dropout, Input, Stage
from bitproof_spec.klyn.tensors import table
from bitproof_spec.klyn.training import RandomState, Sgd, Training
from tests.core.children import in_child
from tests.klyn.small_files import DATA, SMALL_FILES

STAGES: tuple[Stage, ...] = (
    Input("pixels", (3,)),
    Dropout("drop", Binary64(0x3FD0000000000000), 11),
    Dense("mix", 2, True, "tanh", 5),
    Dense("out", 4, False, "linear", 6),
)
SGD = Sgd(Binary64(0x3FB999999999999A), Binary64(0x3FECCCCCCCCCCCCD), True)


def large(*units: int) -> Checkpoint:
    """Dense stages over an input of 256, so that kernel `i` has 1 KiB for each of its units of the stage before."""
    stages: list[Stage] = [Input("input", (256,))]
    stages += [Dense(f"dense-{index}", count, True, "relu", index) for index, count in enumerate(units)]
    specs = table("binary32", stages, None)
    noise = np.random.Generator(np.random.Philox(7))
    tensors = tuple((spec.name, Block("binary32", spec.shape, noise.bytes(spec.nbytes))) for spec in specs)
    return Checkpoint("binary32", tuple(stages), None, tensors)


@st.composite
def checkpoints(draw: st.DrawFn) -> Checkpoint:
    """One model of any precision with any words, its Dropout's counter anywhere in its 256 bits."""
    precision = draw(st.sampled_from(sorted(STORAGE)))
    step, counter = draw(st.integers(0, 2**53 - 1)), draw(st.integers(0, 2**256 - 1))
    training = None
    if precision != "binary16":
        training = Training(SGD, step, "mean_squared_error", None, (RandomState("drop", counter),))
    specs = table(precision, STAGES, training.optimizer if training else None)
    tensors = tuple((spec.name, draw(blocks(spec.storage, spec.shape))) for spec in specs)
    return Checkpoint(precision, STAGES, training, tensors)


@pytest.mark.parametrize("name", SMALL_FILES)
def test_a_canonical_file_is_read_and_written_again_byte_for_byte(tmp_path: Path, name: str) -> None:
    checkpoint = klyn.read(DATA / f"{name}.knn")
    klyn.write(tmp_path / "again", checkpoint)
    assert (tmp_path / "again").read_bytes() == SMALL_FILES[name] == encode(KNN, checkpoint)


@settings(derandomize=True, deadline=None, database=None, max_examples=40)
@given(checkpoint=checkpoints())
def test_any_checkpoint_is_written_as_the_specification_writes_it_and_comes_back(
    tmp_path_factory: pytest.TempPathFactory, checkpoint: Checkpoint
) -> None:
    path = tmp_path_factory.mktemp("any") / "file.knn"
    klyn.write(path, checkpoint, durable=False)
    assert path.read_bytes() == encode(KNN, checkpoint)
    assert klyn.read(path) == checkpoint


@pytest.mark.parametrize(
    "units",
    [
        (3,) * 40,  # small blocks only, several to a buffer
        (PIECE // 1024,),  # a block of exactly one buffer
        (PIECE // 1024 + 1,),  # and one that is larger
        (1, 2 * PIECE // 1024 + 3, 1, 2, INLINE // 1024, 5),  # large and small ones in turn, on threads
    ],
)
def test_large_and_small_blocks_are_written_as_the_specification_writes_them(
    tmp_path: Path, units: tuple[int, ...]
) -> None:
    checkpoint = large(*units)
    klyn.write(tmp_path / "file", checkpoint, durable=False)
    assert (tmp_path / "file").read_bytes() == encode(KNN, checkpoint)
    assert klyn.read(tmp_path / "file") == checkpoint


def test_what_is_read_is_writable_aligned_and_its_own_i4(tmp_path: Path) -> None:
    path = tmp_path / "file"
    klyn.write(path, large(2, 2048))
    before, first, second = path.read_bytes(), klyn.read(path), klyn.read(path)
    for (id, block), (_, other) in zip(first.tensors, second.tensors, strict=True):
        array = adopt(block)
        assert array.flags.writeable, id
        assert array.ctypes.data % 64 == 0, id
        array.view(np.uint32)[...] ^= 0xFFFFFFFF
        assert array.tobytes() != bytes(other.data), id
    assert path.read_bytes() == before


def test_a_checkpoint_survives_being_saved_over_its_own_file_a8(tmp_path: Path) -> None:
    path = tmp_path / "file"
    original = large(2, 2048, 3)
    klyn.write(path, original)
    loaded = klyn.read(path)
    klyn.write(path, loaded)
    assert path.read_bytes() == encode(KNN, original)
    with path.open("r+b") as file:  # and when the file is overwritten by other means
        file.write(bytes(path.stat().st_size))
    os.truncate(path, 10)
    assert loaded == original


@pytest.mark.parametrize("damage", [b"", b"\0"])
def test_no_descriptor_mapping_or_thread_outlives_a_read_a9(tmp_path: Path, damage: bytes) -> None:
    path = tmp_path / "file"
    klyn.write(path, large(2, 2048, 2048))
    path.write_bytes(path.read_bytes() + damage)
    threads = threading.active_count()
    try:
        kept: list[object] = [klyn.read(path)]
    except klyn.ValueException as error:
        kept = [error]
    descriptors = [os.path.realpath(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd")]
    assert str(path) not in descriptors
    assert str(path) not in Path("/proc/self/maps").read_text()
    assert threading.active_count() == threads
    assert isinstance(kept[0], klyn.ValueException) == bool(damage)


def test_equal_checkpoints_give_equal_bytes_in_two_processes_b12(tmp_path: Path) -> None:
    code = """
    from bitproof import klyn
    klyn.write(sys.argv[2], klyn.read(sys.argv[1]))
    """
    source = str(DATA / "half-adam.knn")
    for seed, name in (("0", "a.knn"), ("1", "another name"), ("4294967295", "c")):
        in_child(code, source, str(tmp_path / name), PYTHONHASHSEED=seed)
    files = {path.read_bytes() for path in tmp_path.iterdir()}
    assert files == {SMALL_FILES["half-adam"]}


def test_reading_and_writing_import_neither_numpy_nor_torch(tmp_path: Path) -> None:
    code = """
    from bitproof import klyn
    klyn.write(sys.argv[2], klyn.read(sys.argv[1]))
    print([name for name in ("numpy", "torch", "rich") if name in sys.modules])
    """
    assert in_child(code, str(DATA / "half-adam.knn"), str(tmp_path / "copy")) == "[]\n"
