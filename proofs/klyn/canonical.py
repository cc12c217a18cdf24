"""The law of canonical text: a document comes back from its file, and equal states have equal bytes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

from bitproof.klyn.strategies import checkpoints, spellings
from bitproof_spec.document import Block
from bitproof_spec.format import OfBytes, encode
from bitproof_spec.klyn.advice import advise
from bitproof_spec.klyn.container import KNN
from bitproof_spec.klyn.document import Checkpoint
from bitproof_spec.klyn.vectors.building import manifest, text, with_text
from proofs.law import Law, Result, part
from proofs.sampling import sample

Write: TypeAlias = Callable[[Checkpoint], bytes]
EXAMPLES = 300
KNN_FILE: Write = partial(encode, KNN)


def comes_back(write: Write, document: Checkpoint) -> bool:
    """Whether the judge reads from a document's file that document."""
    return KNN.judge(OfBytes(write(document))) == document


def one_file(write: Write, spelled: tuple[Checkpoint, bytes]) -> bool:
    """Whether a file in any spelling is written again as the one canonical file, which stays as it is."""
    document, file = spelled
    read = KNN.judge(OfBytes(file))
    if not isinstance(read, Checkpoint):
        return False
    again = write(read)
    return again == write(document) and not advise(OfBytes(again)) and (file == again or bool(advise(OfBytes(file))))


def all_come_back(write: Write) -> Result:
    """judge(segments(d)) = d."""
    return sample(partial(comes_back, write), checkpoints(), EXAMPLES)


def all_one_file(write: Write) -> Result:
    """segments(judge(b)) = b for canonical b, and the same bytes for every other spelling of them."""
    return sample(partial(one_file, write), spellings(), EXAMPLES)


def quieted(document: Checkpoint) -> bytes:
    """A twin that quiets signalling NaNs of binary32, as a path through a float value does."""
    tensors = tuple((id, _quieted(block)) for id, block in document.tensors)
    return encode(KNN, Checkpoint(document.precision, document.stages, document.training, tensors))


def _quieted(block: Block) -> Block:
    return Block(block.tag, block.shape, b"".join(_words(block))) if block.tag == "binary32" else block


def _words(block: Block) -> Iterator[bytes]:
    for at in range(0, len(block.data), 4):
        word = int.from_bytes(block.data[at : at + 4], "little")
        nan = word & 0x7FFFFFFF > 0x7F800000
        yield (word | 0x00400000 if nan else word).to_bytes(4, "little")


def in_given_order(document: Checkpoint) -> bytes:
    """A twin whose members stand as they were made, not sorted."""
    return with_text(document, json.dumps(manifest(document), separators=(",", ":")).encode())


def indented(document: Checkpoint) -> bytes:
    """A twin that ends its text with a line."""
    return with_text(document, text(document) + b"\n")


LAW = Law(
    id="canonical",
    statement="a KNN document comes back from its file bit for bit, and equal states have equal bytes in one spelling",
    committed="tested",
    parts=(
        part(
            "judge(segments(d)) = d",
            "Hypothesis",
            "tested",
            all_come_back,
            KNN_FILE,
            {"signalling NaNs quieted": quieted},
        ),
        part(
            "every spelling is written again in one",
            "Hypothesis",
            "tested",
            all_one_file,
            KNN_FILE,
            {"members in the order they were made": in_given_order, "a line at the end": indented},
        ),
    ),
)
