"""`Checkpointable[S]`: how a scalar's modules are written to a file and read back, on the CPU and on CUDA.

Float32: TLSF32B. Float on the CPU: exact JSON, and TLSF32B read and widened exactly. Float on CUDA: TLSF32B of the
device's binary32 mirror.
"""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from bitproof.paths import FilePathLike, escape_path
from bitproof.torchlean import files
from bitproof.torchlean.canonical_nans import owe_canonical
from bitproof.torchlean.errors import StateError
from bitproof.torchlean.params import ParamList
from bitproof.torchlean.scalars import Float, Float32, dtype_of
from bitproof.torchlean.state_io import JsonTarget, StreamedTarget
from bitproof.views import open_view
from bitproof_spec.target import load
from bitproof_spec.torchlean.json_state import TLJSON
from bitproof_spec.torchlean.streamed import MAGIC, OLD_MAGIC, TLSF32B

S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)


class Checkpointable(Protocol[S_contra]):
    """The file form of a scalar's parameter lists; errors are those of `checkpoint.save` and `checkpoint.load`."""

    def write(self, use_cuda: bool, path: FilePathLike, params: ParamList[S_contra]) -> None:
        """Write every parameter and persistent buffer in order, published whole or not at all."""
        ...

    def read(self, use_cuda: bool, path: FilePathLike, params: ParamList[S_contra]) -> None:
        """Validate and restore every parameter and persistent buffer in order, all or nothing."""
        ...


class Streaming(Generic[S]):
    """TLSF32B, one tensor in host memory at a time when writing."""

    def __init__(self, scalar: type[S]) -> None:
        self._scalar = scalar

    def write(self, use_cuda: bool, path: FilePathLike, params: ParamList[S]) -> None:
        """Write binary32 words. TypeError for tensors of another dtype than the scalar has there; OSError."""
        owe_dtype(self._scalar, use_cuda, params)
        files.publish_document(path, TLSF32B, StreamedTarget(params).lend())

    def read(self, use_cuda: bool, path: FilePathLike, params: ParamList[S]) -> None:
        """Restore from TLSF32B only. StateError with every finding, nothing changed; TypeError as `write`; OSError."""
        owe_dtype(self._scalar, use_cuda, params)
        with open_view(path, keep=True) as view:
            load(StreamedTarget(params), TLSF32B, view, error=StateError, subject=escape_path(path))


class FloatFiles(Generic[S]):
    """Float: JSON words on the CPU, the mirror's binary32 words on CUDA; both are read on either side of the file."""

    def __init__(self, scalar: type[S]) -> None:
        self._scalar = scalar
        self._streaming = Streaming(scalar)

    def write(self, use_cuda: bool, path: FilePathLike, params: ParamList[S]) -> None:
        """Write the words. StateError naming tensor and index of a NaN that JSON can't hold; TypeError; OSError."""
        if use_cuda:
            self._streaming.write(use_cuda, path, params)
            return
        owe_dtype(self._scalar, use_cuda, params)
        document = JsonTarget(params).capture()
        owe_canonical(document, path)
        files.publish_document(path, TLJSON, document)

    def read(self, use_cuda: bool, path: FilePathLike, params: ParamList[S]) -> None:
        """Restore; a TLSF32B file is taken as is by the mirror and widened exactly on the CPU. Raises as Streaming."""
        owe_dtype(self._scalar, use_cuda, params)
        subject = escape_path(path)
        with open_view(path, keep=True) as view:
            if view.look("TLS-HDR-01", 0, len(MAGIC)) in (MAGIC, OLD_MAGIC):
                load(StreamedTarget(params), TLSF32B, view, error=StateError, subject=subject)
            else:
                load(JsonTarget(params), TLJSON, view, error=StateError, subject=subject)


FLOAT_FILES: Checkpointable[Float] = FloatFiles(Float)
FLOAT32_FILES: Checkpointable[Float32] = Streaming(Float32)


def checkpointable(scalar: type[S]) -> Checkpointable[S]:
    """The files of a scalar: Float or Float32; TypeError for another."""
    if scalar is Float:
        return FloatFiles(scalar)
    if scalar is Float32:
        return Streaming(scalar)
    raise TypeError(f"the runtime's scalars are Float and Float32, not {scalar.__name__}")


def owe_dtype(scalar: type[S], use_cuda: bool, params: ParamList[S]) -> None:
    """TypeError unless the tensors have the dtype of the scalar on that device."""
    owed = dtype_of(scalar, use_cuda=use_cuda)
    for index, tensor in enumerate(params.tensors):
        if tensor.dtype is not owed:
            raise TypeError(f"tensor {index} of a {scalar.__name__} module is {tensor.dtype}, not {owed}")
