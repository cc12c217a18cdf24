"""What the tools need of TorchLean's states: TLSF32B streams and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod

from bitproof.check.content import Overview, Region, Table
from bitproof.check.pointing import pointer_at
from bitproof_spec.document import Block, Leaf
from bitproof_spec.format import View
from bitproof_spec.rules import Rulebook
from bitproof_spec.strict_json import Limits
from bitproof_spec.torchlean.json_state import DEPTH_LIMIT, DIGITS_LIMIT, JsonFormat, JsonState
from bitproof_spec.torchlean.streamed import ITEM_SIZE, Streamed, Tensors
from bitproof_spec.vectors import Vector
from bitproof_spec.violations import Violation

TEXT = "JSON text"


class StreamedTools:
    """The tools of TLSF32B."""

    @property
    def rules(self) -> Rulebook:
        """The rules TLS-… of `spec/torchlean.md`."""
        from bitproof_spec.torchlean.rules_state import STREAMED_RULES

        return STREAMED_RULES

    def format(self, max_bytes: int | None, /) -> Streamed:
        """The format; tensor bytes are bounded only when a bound is given."""
        return Streamed(max_bytes)

    def advice(self, view: View, /) -> Iterable[Violation]:
        """None: the format leaves no freedom."""
        return ()

    def overview(self, document: Tensors, view: View, /) -> Overview:
        """The tensors by position; a stream has no names."""
        return overview("tlsf32b", "binary32", document.blocks, ITEM_SIZE)

    def regions(self, document: Tensors, view: View, /) -> Iterator[Region]:
        """Magic, version, count, and of each tensor rank, dims, element count and payload."""
        yield Region(0, 7, "TLS-HDR-01", "magic = TLSF32B")
        yield Region(7, 15, "TLS-HDR-02", "version = 1")
        yield Region(15, 23, "TLS-CNT-01", f"tensors = {len(document.blocks):,}")
        at = 23
        for index, block in enumerate(document.blocks):
            yield from numbers(at, (("TLS-RNK-01", f"rank of tensor {index} = {len(block.shape)}", 1),))
            yield from shaped(at + 8, "TLS-SIZ-01", f"tensor {index}", block.shape)
            at += 16 + 8 * len(block.shape)
            size = ITEM_SIZE * prod(block.shape)
            yield Region(at, at + size, "TLS-PAY-01", f"tensor {index}", "binary32", block.shape)
            at += size

    def detail(self, view: View, region: Region, offset: int, /) -> str:
        """Nothing: a region says it all."""
        return ""

    def vectors(self) -> Iterator[Vector]:
        """The vectors of TLSF32B."""
        from bitproof_spec.torchlean.vectors.streamed_files import streamed_files

        return streamed_files()

    def word(self, where: str, leaf: Leaf, /) -> tuple[str, bytes] | None:
        """None: only tensors hold numbers."""
        return None


class JsonTools:
    """The tools of the JSON state."""

    @property
    def rules(self) -> Rulebook:
        """The rules TLJ-… of `spec/torchlean.md`."""
        from bitproof_spec.torchlean.rules_state import JSON_RULES

        return JSON_RULES

    def format(self, max_bytes: int | None, /) -> JsonFormat:
        """The format; tensor bytes are bounded only when a bound is given."""
        return JsonFormat(max_bytes)

    def advice(self, view: View, /) -> Iterable[Violation]:
        """None: readers take any spelling."""
        return ()

    def overview(self, document: JsonState, view: View, /) -> Overview:
        """The tag and the tensors by position; a state has no names."""
        width = next((len(b.data) // prod(b.shape) for b in document.blocks if prod(b.shape)), 0)
        return overview("tljson", document.tag, document.blocks, width)

    def regions(self, document: JsonState, view: View, /) -> Iterator[Region]:
        """One text."""
        yield Region(0, view.size, "TLJ-TXT-01", TEXT)

    def detail(self, view: View, region: Region, offset: int, /) -> str:
        """The JSON pointer of the value that stands at an offset."""
        text = view.look(region.clause, 0, offset + 1)
        pointer = pointer_at(text, Limits(len(text), DEPTH_LIMIT, len(text), DIGITS_LIMIT, None))
        return f"JSON pointer {pointer}" if pointer else ""

    def vectors(self) -> Iterator[Vector]:
        """The vectors of the JSON state."""
        from bitproof_spec.torchlean.vectors.json_scalars import json_scalars
        from bitproof_spec.torchlean.vectors.json_states import json_states

        yield from json_states()
        yield from json_scalars()

    def word(self, where: str, leaf: Leaf, /) -> tuple[str, bytes] | None:
        """None: only tensors hold numbers."""
        return None


def overview(name: str, scalar: str, blocks: Sequence[Block], width: int) -> Overview:
    """Facts and a table of a state's tensors, `width` bytes an element."""
    sizes = [prod(block.shape) for block in blocks]
    facts = (
        ("scalar", scalar),
        ("tensors", f"{len(blocks):,}"),
        ("elements", f"{sum(sizes):,}"),
        ("tensor bytes", f"{width * sum(sizes):,}"),
    )
    rows = tuple(
        (str(index), str(list(block.shape)), f"{size:,}")
        for index, (block, size) in enumerate(zip(blocks, sizes, strict=True))
    )
    plain: dict[str, object] = {"format": name, "scalar": scalar, "shapes": [list(block.shape) for block in blocks]}
    return Overview(facts, (Table("tensors", ("tensor#", "shape", "elements#"), rows),), plain)


def numbers(at: int, fields: Iterable[tuple[str, str, int]]) -> Iterator[Region]:
    """Regions of nat64s from an offset on: clause, what it is, how many numbers."""
    for clause, what, count in fields:
        yield Region(at, at + 8 * count, clause, what)
        at += 8 * count


def shaped(at: int, clause: str, name: str, dims: tuple[int, ...]) -> Iterator[Region]:
    """The dims, where there are any, and the element count of a tensor."""
    fields = ((clause, f"dims of {name} = {list(dims)}", len(dims)), (clause, f"elements of {name} = {prod(dims)}", 1))
    return numbers(at, (field for field in fields if field[2]))


STREAMED_TOOLS = StreamedTools()
JSON_TOOLS = JsonTools()
