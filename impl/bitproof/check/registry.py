"""The formats that the tools know: how each is recognised, and where everything else about it is.

An entry is data and costs nothing; the module that it names is imported when a file of the format is met. To add a
format, write its `Tools` and put one `Known` into `FORMATS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, cast

from bitproof_spec.document import Document

if TYPE_CHECKING:
    from bitproof.check.content import Overview, Region
    from bitproof_spec.document import Leaf
    from bitproof_spec.format import Format, View
    from bitproof_spec.rules import Rulebook
    from bitproof_spec.vectors import Vector
    from bitproof_spec.violations import Violation

D = TypeVar("D", bound=Document)


class Tools(Protocol[D]):
    """Everything that the tools need of one format; `D` is its document."""

    @property
    def rules(self) -> Rulebook:
        """The rules of the format's own document."""
        ...

    def format(self, max_bytes: int | None, /) -> Format[D]:
        """The format; `max_bytes` bounds the bytes of its tensors, None is the format's own default."""
        ...

    def advice(self, view: View, /) -> Iterable[Violation]:
        """What a file that conforms could do better."""
        ...

    def overview(self, document: D, view: View, /) -> Overview:
        """What is in a file that conforms, for `bitproof inspect`. The document's tensors may lack their bytes."""
        ...

    def regions(self, document: D, view: View, /) -> Iterable[Region]:
        """The regions that tile a file that conforms, in order. The document's tensors may lack their bytes."""
        ...

    def detail(self, view: View, region: Region, offset: int, /) -> str:
        """What stands at an offset of a region that is no tensor's; "" when there is nothing to add."""
        ...

    def vectors(self) -> Iterator[Vector]:
        """The conformance vectors, always in the same order; made one by one, since some are large."""
        ...

    def word(self, where: str, leaf: Leaf, /) -> tuple[str, bytes] | None:
        """The scalar format's tag and the little-endian word of a leaf that writes a number as one; else None."""
        ...


class Known(NamedTuple):
    """How a format is recognised. `tools` is `module:attribute` of its Tools.

    `holds` decides by the first and last bytes of a file; `suffixes` are lower case. In folders a suffix counts only
    where the file begins with `lead`.
    """

    name: str
    title: str
    magic: bytes
    tools: str
    suffixes: tuple[str, ...] = ()
    lead: bytes = b""
    holds: Callable[[bytes, bytes], bool] | None = None

    def recognises(self, head: bytes, tail: bytes) -> bool:
        """Whether the content alone says that the file has this format."""
        return self.holds(head, tail) if self.holds else head.startswith(self.magic)

    def load(self) -> Tools[Any]:
        """The tools of the format; imports its specification."""
        module, _, attribute = self.tools.partition(":")
        return cast("Tools[Any]", getattr(import_module(module), attribute))


_TORCHLEAN_TAG = re.compile(rb'"format"[ \t\n\r]*:[ \t\n\r]*"torchlean_')


def holds_torchlean_json(head: bytes, tail: bytes) -> bool:
    """Whether a file is an object whose `format`, at either end, begins with `torchlean_`."""
    return head.lstrip().startswith(b"{") and any(_TORCHLEAN_TAG.search(end) for end in (head, tail))


FORMATS: tuple[Known, ...] = (
    Known("knn", "KNN 1.0, bitproof profile", b"\x89KNN\r\n\x1a\n", "bitproof.check.knn:KNN_TOOLS", (".knn",)),
    Known(
        "tlsf32b",
        "TorchLean TLSF32B 1",
        b"TLSF32B",
        "bitproof.check.torchlean:STREAMED_TOOLS",
        holds=lambda head, _: head.startswith((b"TLSF32B", b"TLPF32B")),
    ),
    Known("tladamf", "TorchLean TLADAMF 2 to 4", b"TLADAMF", "bitproof.check.torchlean_optimizer:OPTIMIZER_TOOLS"),
    Known(
        "tljson",
        "TorchLean JSON state",
        b'{"state":',
        "bitproof.check.torchlean:JSON_TOOLS",
        holds=holds_torchlean_json,
    ),
)
