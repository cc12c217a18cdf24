"""TorchLean files without torch: read to documents, write from documents, published whole or not at all."""

from __future__ import annotations

from operator import attrgetter
from typing import TypeVar

from bitproof.files import publish_bytes
from bitproof.paths import FilePathLike, escape_path
from bitproof.torchlean.errors import StateError
from bitproof.views import open_view
from bitproof_spec.document import Document
from bitproof_spec.format import Format
from bitproof_spec.torchlean.json_state import JsonFormat, JsonState
from bitproof_spec.torchlean.optimizer_document import OptimizerState
from bitproof_spec.torchlean.optimizer_file import OptimizerFile
from bitproof_spec.torchlean.streamed import Streamed, Tensors
from bitproof_spec.torchlean.verifying import verify
from bitproof_spec.violations import Violations

D = TypeVar("D", bound=Document)


def read_streamed(path: FilePathLike, *, max_bytes: int | None = None) -> Tensors:
    """The tensors of a TLSF32B file, in memory of their own. StateError with every finding; OSError."""
    return _read(Streamed(max_bytes), path)


def read_json(path: FilePathLike, *, max_bytes: int | None = None) -> JsonState:
    """The tag and tensors of a JSON state. StateError with every finding; OSError."""
    return _read(JsonFormat(max_bytes), path)


def read_optimizer(path: FilePathLike, *, max_bytes: int | None = None) -> OptimizerState:
    """The optimizer state of a TLADAMF file, version 2, 3 or 4. StateError with every finding; OSError."""
    return _read(OptimizerFile(max_bytes), path)


def write(path: FilePathLike, format: Format[D], document: D, *, durable: bool = True) -> None:
    """Save a document's file, one segment in memory at a time; `durable=False` skips the syncs and nothing else.

    StateError when a reader would refuse the file, ValueError for what no file of the format can say, both before
    anything is touched; OSError when the system refuses a step.
    """
    refused = verify(format, document)
    if refused is not None:
        raise StateError(refused, escape_path(path))
    publish_document(path, format, document, durable=durable)


def publish_document(path: FilePathLike, format: Format[D], document: D, *, durable: bool = True) -> None:
    """As `write`, of a document that is known to be valid: whatever gives its tensors is asked for each only once."""
    publish_bytes(path, map(attrgetter("data"), format.segments(document)), durable=durable)  # map holds none of them


def _read(format: Format[D], path: FilePathLike) -> D:
    with open_view(path, keep=True) as view:
        document = format.judge(view)
    if isinstance(document, Violations):
        raise StateError(document, escape_path(path))
    return document
