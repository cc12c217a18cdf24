"""Arguments of `read` and `write` held to their types, before the specification judges what they say.

TypeError names the first argument or member of another type; what the values may be is for findings to say.
"""

from __future__ import annotations

from operator import index

from bitproof_spec.document import Block
from bitproof_spec.klyn.document import Checkpoint


def owed_budget(max_bytes: object) -> int:
    """The bound as a plain int; TypeError unless it is an integer, booleans not counted, ValueError below 0."""
    try:
        budget = index(max_bytes)  # type: ignore[arg-type]  # the question is whether it is one
    except TypeError:
        raise _wrong("max_bytes", "an integer", max_bytes) from None
    if isinstance(max_bytes, bool):
        raise _wrong("max_bytes", "an integer", max_bytes)
    if budget < 0:
        raise ValueError(f"max_bytes is not negative: {budget}")
    return budget


def owe_checkpoint(checkpoint: object) -> None:
    """TypeError unless it is a Checkpoint of records, tuples, plain values and blocks of bytes."""
    if not isinstance(checkpoint, Checkpoint):
        raise _wrong("checkpoint", "a Checkpoint", checkpoint)
    for name in ("precision", "stages", "training"):
        _owe_plain(f"checkpoint.{name}", getattr(checkpoint, name))
    tensors: object = checkpoint.tensors
    if not isinstance(tensors, tuple):
        raise _wrong("checkpoint.tensors", "a tuple", tensors)
    for number, pair in enumerate(tensors):
        _owe_tensor(f"checkpoint.tensors[{number}]", pair)


def _owe_tensor(name: str, pair: object) -> None:
    """TypeError unless it is an id and a block of flat bytes."""
    if not isinstance(pair, tuple) or len(pair) != 2:
        raise _wrong(name, "a tuple of an id and a Block", pair)
    id, block = pair
    _owe_plain(f"{name}[0]", id)
    if not isinstance(block, Block):
        raise _wrong(f"{name}[1]", "a Block", block)
    _owe_plain(f"{name}[1].tag", block.tag)
    _owe_plain(f"{name}[1].shape", block.shape)
    data: object = block.data
    if isinstance(data, memoryview):
        if (data.format, data.ndim, data.c_contiguous) != ("B", 1, True):
            raise TypeError(f"{name}[1].data is a memoryview of other than flat unsigned bytes")
    elif not isinstance(data, bytes):
        raise _wrong(f"{name}[1].data", "bytes or a memoryview", data)


def _owe_plain(name: str, value: object) -> None:
    """TypeError unless it is text, a number or None, or a tuple or record of such; the innermost place is named."""
    if isinstance(value, tuple):
        fields = getattr(value, "_fields", None)
        for number, item in enumerate(value):
            _owe_plain(f"{name}.{fields[number]}" if fields else f"{name}[{number}]", item)
    elif not isinstance(value, str | int | float | None):
        raise _wrong(name, "text, a number, None, or a tuple of such", value)


def _wrong(name: str, owed: str, value: object) -> TypeError:
    return TypeError(f"{name} is {owed}, not {type(value).__name__}")
