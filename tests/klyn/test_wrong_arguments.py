"""Values that are no checkpoint, bound or path: TypeErrors that name the argument or the member, and no file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bitproof.klyn as klyn
from bitproof_spec.document import Block
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.stages import Dense, Input

STAGES = (Input("a", (1,)), Dense("d", 1, False, "linear", 3))
DATA = b"\x01\x02\x03\x04"


def checkpoint(**members: Any) -> Any:
    """A checkpoint that conforms, but for the members given."""
    plain: dict[str, Any] = {"precision": "binary32", "stages": STAGES, "training": None, "tensors": (pair(),)}
    return Checkpoint(**{**plain, **members})


def pair(tag: Any = "binary32", shape: Any = (1, 1), data: Any = DATA) -> Any:
    """The one tensor that `STAGES` have, but for what is given."""
    return "d/kernel", Block(tag, shape, data)


WRONG = {
    "checkpoint is a Checkpoint, not int": 5,
    "checkpoint is a Checkpoint, not dict": {"precision": "binary32"},
    r"checkpoint\.precision is .*, not list": checkpoint(precision=[]),
    r"checkpoint\.stages is .*, not list": checkpoint(stages=list(STAGES)),
    r"checkpoint\.stages\[0\]\.shape is .*, not list": checkpoint(stages=(Input("a", [1]), STAGES[1])),  # type: ignore[arg-type]  # the fault
    r"checkpoint\.stages\[1\]\.units is .*, not int64": checkpoint(
        stages=(STAGES[0], Dense("d", np.int64(1), False, "linear", 3))  # type: ignore[arg-type]  # the fault
    ),
    r"checkpoint\.training is .*, not dict": checkpoint(training={}),
    r"checkpoint\.tensors is a tuple, not NoneType": checkpoint(tensors=None),
    r"checkpoint\.tensors is a tuple, not str": checkpoint(tensors="ab"),
    r"checkpoint\.tensors is a tuple, not dict": checkpoint(tensors=dict([pair()])),
    r"tensors\[0\] is a tuple of an id and a Block, not Block": checkpoint(tensors=(pair()[1],)),
    r"tensors\[0\] is a tuple of an id and a Block, not tuple": checkpoint(tensors=((*pair(), 1),)),
    r"tensors\[0\]\[0\] is .*, not bytes": checkpoint(tensors=((b"d/kernel", pair()[1]),)),
    r"tensors\[0\]\[1\] is a Block, not bytes": checkpoint(tensors=(("d/kernel", DATA),)),
    r"tensors\[1\]\[1\]\.data is bytes or a memoryview, not str": checkpoint(tensors=(pair(), pair(data="abcd"))),
    r"tensors\[0\]\[1\]\.data is bytes or a memoryview, not NoneType": checkpoint(tensors=(pair(data=None),)),
    r"tensors\[0\]\[1\]\.data is bytes or a memoryview, not ndarray": checkpoint(
        tensors=(pair(data=np.ones(1, "<f4")),)
    ),
    r"tensors\[0\]\[1\]\.data is .* flat unsigned bytes": checkpoint(tensors=(pair(data=memoryview(DATA).cast("i")),)),
    r"\[0\]\[1\]\.data is .* flat unsigned bytes": checkpoint(tensors=(pair(data=memoryview(DATA).cast("B", (2, 2))),)),
    r"\[1\]\.data is .* flat unsigned bytes": checkpoint(tensors=(pair(data=memoryview(DATA + DATA)[::2]),)),
    r"tensors\[0\]\[1\]\.shape is .*, not list": checkpoint(tensors=(pair(shape=[1, 1]),)),
    r"tensors\[0\]\[1\]\.tag is .*, not type": checkpoint(tensors=(pair(tag=np.float32),)),
}


@pytest.mark.parametrize("named", WRONG)
def test_what_is_no_checkpoint_is_refused_by_the_name_of_its_member(named: str, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=named):
        klyn.write(tmp_path / "m.knn", WRONG[named])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("data", [DATA, memoryview(DATA), memoryview(bytearray(DATA))])
def test_what_is_one_is_written(data: Any, tmp_path: Path) -> None:
    klyn.write(tmp_path / "m.knn", checkpoint(tensors=(pair(data=data),)))
    assert klyn.read(tmp_path / "m.knn") == checkpoint()


@pytest.mark.parametrize("wrong", [1e9, True, False, np.True_, np.float64(4), "4", None])
def test_a_bound_that_is_no_integer_is_refused_by_name(wrong: Any, tmp_path: Path) -> None:
    klyn.write(tmp_path / "m.knn", checkpoint())
    with pytest.raises(TypeError, match=f"max_bytes is an integer, not {type(wrong).__name__}"):
        klyn.read(tmp_path / "m.knn", max_bytes=wrong)


def test_a_bound_is_any_integer_that_is_not_negative(tmp_path: Path) -> None:
    klyn.write(tmp_path / "m.knn", checkpoint())
    for bound in (4, np.int64(4), np.uint8(5)):
        assert klyn.read(tmp_path / "m.knn", max_bytes=bound) == checkpoint()  # type: ignore[arg-type]  # numpy's
    with pytest.raises(ValueError, match="max_bytes is not negative: -1"):
        klyn.read(tmp_path / "m.knn", max_bytes=-1)


@pytest.mark.parametrize("wrong", [5, None, ["m.knn"], 1.5])
def test_what_is_no_path_is_refused_by_name(wrong: Any) -> None:
    for call in (klyn.read, lambda path: klyn.write(path, checkpoint())):
        with pytest.raises(TypeError, match=f"path .*, bytes or os.PathLike, not {type(wrong).__name__}"):
            call(wrong)


def test_a_checkpoint_goes_under_any_suffix(tmp_path: Path) -> None:
    for name in ("m.txt", "m.knn", "m"):
        klyn.write(tmp_path / name, checkpoint())
        assert klyn.read(tmp_path / name) == checkpoint()
