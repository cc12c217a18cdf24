"""TorchLean's streams: memory at 1 GiB, and time against torch and safetensors."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch

from bitproof.torchlean import files
from bitproof.torchlean.files import publish_document
from bitproof_spec.document import Block
from bitproof_spec.encoding import Configured
from bitproof_spec.formats import BINARY32
from bitproof_spec.torchlean.encodings import configured_state
from bitproof_spec.torchlean.json_state import TLJSON, JsonState
from bitproof_spec.torchlean.streamed import TLSF32B, Tensors
from tests.bench.measuring import Measured, best, milliseconds
from tests.torchlean.memory import measured

MIB = 2**20
Task = Callable[[], object]
VALUES = 1_000_000


def streaming() -> Iterator[Measured]:
    """Peaks of memory in tensors beyond what must be there; a stream of 256 MiB; a JSON state of a million values."""
    with TemporaryDirectory() as folder:
        if sys.platform == "linux":
            for name, most in measured(Path(folder), 64, 16 * MIB).items():
                yield Measured(f"{name} of 1 GiB, tensors more than needed", most, 1.0, "64 tensors of 16 MiB")
        yield from _stream(Path(folder))
        yield from _json(Path(folder))


def _stream(folder: Path) -> Iterator[Measured]:
    """Sixteen tensors of 16 MiB, in the page cache."""
    noise = np.random.Generator(np.random.Philox(7))
    arrays = [noise.random((2048, 2048), np.float32) for _ in range(16)]
    document = Tensors(tuple(Block("binary32", a.shape, a.reshape(-1).view(np.uint8).data) for a in arrays))
    tensors = {str(index): torch.from_numpy(array) for index, array in enumerate(arrays)}
    ours, torchs, theirs = folder / "ours", folder / "torchs", folder / "theirs"
    writes: dict[str, Task] = {
        "ours": partial(publish_document, ours, TLSF32B, document, durable=False),
        "torch": partial(torch.save, tensors, torchs),
    }
    reads: dict[str, Task] = {
        "ours": partial(files.read_streamed, ours),
        "torch": partial(torch.load, torchs, weights_only=True),
    }
    if find_spec("safetensors") is not None:
        from safetensors.numpy import load_file, save_file

        writes["safetensors"] = partial(save_file, dict(zip(tensors, arrays, strict=True)), str(theirs))
        reads["safetensors"] = partial(load_file, str(theirs))
    for kind, tasks in (("write", writes), ("read", reads)):
        times = best(tasks, 3)
        for other in (name for name in times if name != "ours"):
            detail = milliseconds(ours=times["ours"], theirs=times[other])
            yield Measured(f"{kind} of a stream of 256 MiB, to {other}", times["ours"] / times[other], None, detail)


def _json(folder: Path) -> Iterator[Measured]:
    """Words as decimal text; told beside the same values in a stream."""
    noise = np.random.Generator(np.random.Philox(8)).bytes(4 * VALUES)
    encoding = configured_state(BINARY32, Configured)
    state = JsonState(encoding.tag, (Block(encoding.storage, (VALUES,), noise),))
    stream = Tensors((Block("binary32", (VALUES,), noise),))
    json, text = folder / "json", folder / "stream"
    writes: dict[str, Task] = {
        "json": partial(publish_document, json, TLJSON, state, durable=False),
        "stream": partial(publish_document, text, TLSF32B, stream, durable=False),
    }
    reads: dict[str, Task] = {"json": partial(files.read_json, json), "stream": partial(files.read_streamed, text)}
    for kind, tasks in (("write", writes), ("read", reads)):
        times = best(tasks, 1)
        detail = milliseconds(json=times["json"], stream=times["stream"])
        yield Measured(f"{kind} of a million values, JSON to a stream", times["json"] / times["stream"], None, detail)
