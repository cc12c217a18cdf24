"""What the target of a state owes of a document that the judge accepts: one order, all findings collected.

Order: the tag of the scalar; number of tensors; tensor by tensor shape and size; words of tensors that share storage.
Normative document: spec/torchlean.md, clauses LAY-….
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bitproof_spec.document import Block, first_difference, words
from bitproof_spec.torchlean.framing import product
from bitproof_spec.violations import Violation


def other_scalar(found: str, owed: str) -> Iterator[Violation]:
    """The one finding of a state in another scalar; its tensors aren't looked at."""
    if found != owed:
        yield Violation("LAY-TAG-01", "/format", found, owed)


def misfits(shapes: Sequence[tuple[int, ...]], width: int, blocks: Sequence[Block]) -> Iterator[Violation]:
    """Number of tensors, then every shape or size that differs, both shown; `width` is the bytes of an element."""
    if len(shapes) != len(blocks):
        yield Violation("LAY-COUNT-01", "/", f"{len(blocks)} tensors", f"{len(shapes)}")
    for index, (shape, block) in enumerate(zip(shapes, blocks, strict=False)):
        size = width * product(shape)
        if shape != block.shape:
            yield Violation("LAY-SHAPE-01", f"tensor {index}", str(list(block.shape)), str(list(shape)))
        elif len(block.data) != size:
            yield Violation("LAY-SIZE-01", f"tensor {index}", f"{len(block.data)} bytes", f"{size}")


def untied(ties: Sequence[int], blocks: Sequence[Block]) -> Iterator[Violation]:
    """Tensors that share storage in the target and differ in the file, at their first differing element.

    `ties` holds for each tensor of the target the first that shares its storage, itself where none does.
    """
    for index, (first, block) in enumerate(zip(ties, blocks, strict=False)):
        if first < index and blocks[first].shape == block.shape:
            byte = first_difference(blocks[first].data, block.data)
            if byte is not None:
                element = byte * product(block.shape) // len(block.data)
                owed = f"{words(blocks[first], element)}, as tensor {first} that shares its storage"
                yield Violation("LAY-TIE-01", f"tensor {index}[{element}]", words(block, element), owed)
