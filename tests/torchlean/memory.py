"""`python -m tests.torchlean.memory FOLDER TENSORS BYTES`: the most memory that saving, checking and loading takes.

One JSON object: for each operation the bytes beyond what was resident before it, at their peak (Linux only). The
states have TENSORS tensors of BYTES bytes each; Float's has tensors twice as large, widened from the same file.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import torch

from bitproof.torchlean import Sgd, checkpoint
from bitproof.torchlean.backends import EagerNative, PlainEager
from bitproof.torchlean.context import Context
from bitproof.torchlean.objective import Backend, ShapeList
from bitproof.torchlean.optimizers import Adam, Moments
from bitproof.torchlean.params import Param, ParamList
from bitproof.torchlean.scalars import Float, Float32
from bitproof.views import open_view
from bitproof_spec.document import Document
from bitproof_spec.format import Format
from bitproof_spec.torchlean.optimizer_file import OptimizerFile
from bitproof_spec.torchlean.streamed import TLSF32B
from bitproof_spec.violations import Violations

D = TypeVar("D", bound=Document)
ROOT = Path(__file__).parents[2]


class Large:
    """An objective of many equal vectors, whose loss nobody asks for."""

    use_cuda = False
    input_shapes: ShapeList = ()
    data_input_shapes: ShapeList = ()

    def __init__(self, scalar: type[object], backend: Backend, tensors: int, elements: int) -> None:
        dtype = torch.float32 if scalar is Float32 else torch.float64
        self.scalar = scalar
        self.backend = backend
        self.state_shapes: ShapeList = ((elements,),) * tensors
        self._params = ParamList(scalar, [Param(torch.ones(elements, dtype=dtype), True) for _ in range(tensors)])

    def parameters(self) -> ParamList[object]:
        """The vectors."""
        return self._params

    def forget(self) -> None:
        """Let all tensors go."""
        self._params = ParamList(self.scalar, [])
        if isinstance(self.backend, EagerNative):
            self.backend.moments.clear()

    def loss(self, state: Sequence[torch.Tensor], batch: Sequence[torch.Tensor], context: Context) -> torch.Tensor:
        """Their sum."""
        return torch.stack([tensor.sum() for tensor in state]).sum()


def most(operation: Callable[[], object]) -> int:
    """Bytes that an operation takes at its peak beyond what was resident before."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5")
    before = resident("VmRSS")
    operation()
    return resident("VmHWM") - before


def resident(name: str) -> int:
    """A figure of this process's status, in bytes."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return 1024 * int(next(line.split()[1] for line in lines if line.startswith(f"{name}:")))


def check(path: Path, format: Format[D]) -> None:
    """Judge a file as the checker does."""
    with open_view(path, keep=False) as view:
        assert not isinstance(format.judge(view), Violations)


def measure(folder: Path, tensors: int, nbytes: int) -> Iterator[tuple[str, int]]:
    """Each operation's peak by its name."""
    elements, stream, moments = nbytes // 4, folder / "stream", folder / "moments"
    small = Large(Float32, PlainEager(Sgd(0.1)), 1, 4)
    checkpoint.save(small, folder / "small")  # whatever is made once is made now
    checkpoint.load(small, folder / "small")
    backend = EagerNative(Adam(0.1))
    module = Large(Float32, backend, tensors, elements)
    yield "write", most(lambda: checkpoint.save(module, stream))
    yield "check", most(lambda: check(stream, TLSF32B))
    yield "read", most(lambda: checkpoint.load(module, stream))
    backend.bound = backend.optimizer.config
    for index in range(tensors):
        backend.moments[index] = Moments(1, torch.ones(elements), torch.ones(elements))
    yield "write moments", most(lambda: checkpoint.optimizer.save(module, moments))
    yield "check moments", most(lambda: check(moments, OptimizerFile()))
    yield "read moments", most(lambda: checkpoint.optimizer.load(module, moments))
    module.forget()
    wide = Large(Float, PlainEager(Sgd(0.1)), tensors, elements)
    yield "read and widen", most(lambda: checkpoint.load(wide, stream))


def measured(folder: Path, tensors: int, nbytes: int) -> Mapping[str, float]:
    """Each operation's peak in tensors beyond what it can't do without, measured in a process of its own.

    That is nothing, or for a load the staged state. Of a widening load the tensor is twice as large, of moments it is
    the two of one slot.
    """
    command = [sys.executable, "-m", "tests.torchlean.memory", str(folder), str(tensors), str(nbytes)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    large = {"read and widen", "write moments", "check moments", "read moments"}
    size = {name: nbytes * (2 if name in large else 1) for name in found}
    staged = {name: tensors if name.startswith("read") else 0 for name in found}
    return {name: found[name] / size[name] - staged[name] for name in found}


if __name__ == "__main__":
    where, count, size = sys.argv[1:]
    print(json.dumps(dict(measure(Path(where), int(count), int(size)))))
