"""Vectors of the JSON state's scalars: every encoding, its widest and most fragile words, and what is no word of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from bitproof_spec import formats
from bitproof_spec.document import Block
from bitproof_spec.encoding import Configured
from bitproof_spec.formats import BinaryFormat, Specials, default_bias
from bitproof_spec.torchlean.encodings import FLOAT, FLOAT32, StateEncoding, complex_state, configured_state
from bitproof_spec.torchlean.json_state import JsonState
from bitproof_spec.torchlean.vectors.json_states import MAKE, text
from bitproof_spec.vectors import Vector

S = TypeVar("S")

WIDTHS = (4, 5, 8, 12, 16, 19, 64, 65, 300, 4096)


def json_scalars() -> Iterator[Vector]:
    """Native, configured and complex words."""
    wide = _state(FLOAT, _words(formats.BINARY64, nans=[0x7FF8000000000000]))
    narrow = _state(FLOAT32, _words(formats.BINARY32, nans=[0x7FC00000]))
    for name, document in (("float", wide), ("float32", narrow)):
        yield MAKE.valid(f"scalar/{name}", "TLJ-SCA-01 TLJ-NAN-01", document, "Words pass through a float and change.")
    for name, format in (*formats.NAMED.items(), *((f"width-{bits}", of_width(bits)) for bits in WIDTHS)):
        configured = configured_state(format, Configured)
        document = _state(configured, _words(format, nans=[(1 << format.bits) - 1]))
        yield MAKE.valid(
            f"scalar/{name}", "TLJ-TAG-01 TLJ-SCA-02", document, "Words of this format are lost or taken for others."
        )
        file = text(f"[{1 << format.bits}]", configured.tag)
        yield MAKE.invalid(f"scalar/{name}-too-wide", "TLJ-SCA-02", file, "/state/0/values/0", f"scalar/{name}")
    yield from _complex()
    for name, tag, word in (
        ("float-signalling", FLOAT.tag, 0x7FF0000000000001),
        ("float-negative", FLOAT.tag, 0xFFF8000000000000),
        ("float-payload", FLOAT.tag, 0x7FF8000000000001),
        ("float32-signalling", FLOAT32.tag, 0x7F800001),
        ("float32-payload", FLOAT32.tag, 0x7FC12345),
    ):
        twin = f"scalar/{name.partition('-')[0]}"
        yield MAKE.invalid(f"scalar/{name}-nan", "TLJ-NAN-01", text(f"[{word}]", tag), "/state/0/values/0", twin)
    for name, value in (("bool", "true"), ("pair", "[1, 2]"), ("string", '"1"'), ("null", "null")):
        yield MAKE.invalid(f"scalar/{name}", "TLJ-SCA-01", text(f"[{value}]"), "/state/0/values/0", "state/plain")


def _complex() -> Iterator[Vector]:
    encoding = complex_state(configured_state(formats.BINARY32, Configured))
    document = _state(encoding, [0x7F80000180000000, 1 << 32])
    yield MAKE.valid("scalar/complex", "TLJ-SCA-01", document, "A part loses its sign or its payload.")
    nested = complex_state(encoding)
    document = _state(nested, [1 | 2 << 32 | 3 << 64 | 0x7F800001 << 96])
    yield MAKE.valid("scalar/complex-of-complex", "TLJ-TAG-01 TLJ-SCA-01", document, "Only one level is read.")
    native = complex_state(FLOAT32)
    document = _state(native, [0x7FC00000 | 0x80000000 << 32])
    yield MAKE.valid("scalar/complex-float32", "TLJ-NAN-01", document, "The one NaN of a native float is refused.")
    file, where = text(f"[[1, {0x7FC00001}]]", native.tag), "/state/0/values/0/1"
    yield MAKE.invalid("scalar/complex-float32-nan", "TLJ-NAN-01", file, where, "scalar/complex-float32")
    for name, value in (("number", "1"), ("one", "[1]"), ("three", "[1, 2, 3]")):
        file = text(f"[{value}]", encoding.tag)
        yield MAKE.invalid(f"scalar/complex-{name}", "TLJ-SCA-01", file, "/state/0/values/0", "scalar/complex")


def of_width(bits: int) -> BinaryFormat:
    """An IEEE format of that many bits, about a third of them in the exponent."""
    exponent = max(2, min(bits // 3, 20))
    return BinaryFormat(exponent, bits - 1 - exponent, default_bias(exponent, Specials.IEEE))


def _words(format: BinaryFormat, nans: list[int]) -> list[int]:
    """Zeros of both signs, edges of the subnormals, the largest finite, and the NaNs given."""
    least_normal = 1 << format.fraction_bits
    return [0, format.sign_word, 1, least_normal - 1, least_normal, format.largest, *nans]


def _state(encoding: StateEncoding[S], words: list[int]) -> JsonState:
    """A state of one tensor of words."""
    data = b"".join(word.to_bytes(encoding.width, "little") for word in words)
    return JsonState(encoding.tag, (Block(encoding.storage, (len(words),), data),))
