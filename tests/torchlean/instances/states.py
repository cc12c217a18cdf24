"""Immutable states of every encoding, held by an object that replaces them."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any

from hypothesis import strategies as st

from bitproof.held import Held
from bitproof.strategies import blocks, shapes
from bitproof.torchlean.state import Layout, State
from bitproof_spec.document import Block
from bitproof_spec.encoding import Configured
from bitproof_spec.formats import NAMED, BinaryFormat, Specials, default_bias
from bitproof_spec.torchlean.encodings import FLOAT, FLOAT32, StateEncoding, complex_state, configured_state
from bitproof_spec.torchlean.json_state import JsonState
from tests.torchlean.builders import LINEAR_SHAPES

WIDTHS = (4, 5, 8, 12, 16, 19, 64, 65, 128, 300)


def of_width(bits: int, specials: Specials = Specials.IEEE) -> BinaryFormat:
    """A format of that many bits, with about a third of them in the exponent."""
    exponent = max(2, min(bits // 3, 20))
    return BinaryFormat(exponent, bits - 1 - exponent, default_bias(exponent, specials), specials)


REAL: dict[str, StateEncoding[Any]] = {
    "float": FLOAT,
    "float32": FLOAT32,
    **{name: configured_state(format, Configured) for name, format in NAMED.items()},
    **{f"width-{bits}": configured_state(of_width(bits), Configured) for bits in WIDTHS},
    "finite-19": configured_state(of_width(19, Specials.FINITE), Configured),
    "unsigned-zero-65": configured_state(of_width(65, Specials.FINITE_UNSIGNED_ZERO), Configured),
    "max-nan-12": configured_state(of_width(12, Specials.FINITE_MAX_NAN), Configured),
}
ENCODINGS: dict[str, StateEncoding[Any]] = {
    **REAL,
    **{f"complex-{name}": complex_state(encoding) for name, encoding in REAL.items()},
    "complex-complex-float32": complex_state(complex_state(FLOAT32)),
    "complex-complex-width-5": complex_state(complex_state(REAL["width-5"])),
}
USUAL = ("float", "float32", "width-300", "e4m3fnuz", "complex-binary16", "complex-float32", "complex-complex-float32")


def live_state(encoding: StateEncoding[Any]) -> Held[JsonState, State[Any]]:
    """A state that is held. A step moves its words by one place, since they are no numbers to compute with."""
    layout: Layout[Any] = Layout(encoding, LINEAR_SHAPES)

    def rotated(state: State[Any]) -> State[Any]:
        held = [state.scalars(tensor) for tensor in range(len(LINEAR_SHAPES))]
        return layout.state([(*tensor[1:], *tensor[:1]) for tensor in held])

    words = [[(i + 1).to_bytes(encoding.width, "little") for i in range(prod(shape))] for shape in LINEAR_SHAPES]
    first = layout.state([[encoding.decode(word) for word in tensor] for tensor in words])
    return Held(first, target=layout, document=State.document, step=rotated)


def states(encoding: StateEncoding[Any]) -> st.SearchStrategy[JsonState]:
    """States of an encoding: half of them of the layout, half of any shapes."""
    fitting = st.tuples(*(stored(encoding, st.just(shape)) for shape in LINEAR_SHAPES))
    return (fitting | st.lists(stored(encoding, shapes()), max_size=3)).map(lambda b: JsonState(encoding.tag, tuple(b)))


@dataclass(frozen=True)
class Stored:
    """An encoding under the name of its format, by which the words are known at which something changes there."""

    encoding: StateEncoding[Any]

    @property
    def tag(self) -> str:
        """The format's name, where it has one."""
        parts = self.encoding.parts
        names = [name for name, format in NAMED.items() if format == parts.format and not parts.levels]
        return names[0] if names else self.encoding.tag

    @property
    def width(self) -> int:
        """Bytes of one word."""
        return self.encoding.width

    def accepts(self, word: bytes, /) -> bool:
        """What the encoding accepts."""
        return self.encoding.accepts(word)


def stored(encoding: StateEncoding[Any], shape: st.SearchStrategy[tuple[int, ...]]) -> st.SearchStrategy[Block]:
    """Blocks of words that the encoding takes, under the tag of its storage."""
    return blocks(Stored(encoding), shape).map(lambda b: Block(encoding.storage, b.shape, b.data))
