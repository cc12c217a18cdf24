"""Reading and writing KNN files without torch; the bytes and the verdicts are those of `bitproof_spec.klyn`.

Neither the suffix of a name nor anything but the bytes matters here; which names a model takes is the model's affair.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import accumulate, pairwise

from bitproof.files import publish
from bitproof.klyn.errors import ValueException
from bitproof.klyn.owed import owe_checkpoint, owed_budget
from bitproof.output_file import OutputFile
from bitproof.paths import FilePathLike, escape_path
from bitproof.reading import INLINE, PIECE, batched, processors
from bitproof.threads import Crew
from bitproof.views import open_view
from bitproof_spec.document import Data
from bitproof_spec.klyn.constants import DEFAULT_BUDGET
from bitproof_spec.klyn.container import KNN, Knn
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.writing import Layout, layout
from bitproof_spec.violations import Violations


def read(path: FilePathLike, max_bytes: int = DEFAULT_BUDGET) -> Checkpoint:
    """The checkpoint in the file at `path`, every byte of it verified.

    Each tensor's data is a writable memoryview of 64-byte aligned memory of its own (`buffers.adopt` makes an array of
    it without a copy); the file is closed and no longer needed. `max_bytes` bounds the bytes of all tensors together,
    inclusive, before any memory is taken for them. The name may have any suffix; a model's `load` and `load_weights`
    take `.knn` or none.

    ValueException with every finding when the file is refused; OSError when it can't be read; TypeError or ValueError
    for a path or bound that is none.
    """
    budget = owed_budget(max_bytes)
    with open_view(path, keep=True) as view:
        verdict = Knn(budget).judge(view)
    if isinstance(verdict, Violations):
        raise ValueException(verdict, escape_path(path))
    return verdict


def write(path: FilePathLike, checkpoint: Checkpoint, *, durable: bool = True) -> None:
    """Publish the checkpoint's canonical file under `path`: whole, or not at all and the old file stays.

    Equal checkpoints give equal bytes. `durable=False` skips the syncs and nothing else (`files.publish`). The name
    may have any suffix; a model's `save` takes `.knn` or none.

    ValueException when the checkpoint would be no valid file, and TypeError, by name, for a checkpoint or member of
    another type, before anything is touched; OSError when the system refuses a step.
    """
    owe_checkpoint(checkpoint)
    refused = KNN.verify(checkpoint)
    if refused is not None:
        raise ValueException(refused, escape_path(path))
    plan = layout(checkpoint)
    publish(path, lambda output: _fill(output, plan), durable=durable)


def _fill(output: OutputFile, plan: Layout) -> None:
    """Blocks first, hashed while they are written, on threads where that pays; then the head, which has the digests."""
    blocks, ends = _Blocks(output, plan), accumulate(map(len, batched(plan.ranges)), initial=0)
    batches = list(pairwise(ends))
    if plan.size < INLINE or len(batches) < 2:
        done = [blocks.put(batch) for batch in batches]
    else:
        done = blocks.crew.map(blocks.put, batches, processors())
    digests = [digest for batch in done for digest in batch]
    output.write(b"".join(segment.data for segment in plan.head(digests)))


class _Blocks:
    """The blocks of one file under way. A batch is a run of small neighbours or one large block, as first and after."""

    def __init__(self, output: OutputFile, plan: Layout) -> None:
        self.crew = Crew()
        self._output = output
        self._blocks: Sequence[Data] = [block.data for _, block in plan.document.tensors]
        self._ranges = plan.ranges
        self._ends = (*(start for start, _ in plan.ranges[1:]), plan.size)  # of each block with the zeros after it

    def put(self, batch: tuple[int, int]) -> list[bytes]:
        """Write the blocks of a batch and the zeros after each; their digests."""
        first, after = batch
        if self._ranges[first][1] > PIECE:
            return [self._large(first)]
        start, end = self._ranges[first][0], self._ends[after - 1]
        whole = bytearray(end - start)
        for (place, length), block in zip(self._ranges[first:after], self._blocks[first:after], strict=True):
            whole[place - start : place - start + length] = block
        self._output.write_at(start, whole)
        return [sha256(block).digest() for block in self._blocks[first:after]]

    def _large(self, which: int) -> bytes:
        """Write a block piece by piece, each hashed while the processor's cache holds it."""
        (start, length), block, sha = self._ranges[which], memoryview(self._blocks[which]), sha256()
        for at in range(0, length, PIECE):
            self.crew.go_on()
            piece = block[at : at + PIECE]
            sha.update(piece)
            self._output.write_at(start + at, piece)
        self._output.write_at(start + length, bytes(self._ends[which] - start - length))
        return sha.digest()
