"""The tags of JSON states, from scalar to text and back; different scalars have different tags.

    Float                 torchlean_state_bits_v1                       (binary64; of the NaNs only 7ff8000000000000)
    Float32               torchlean_state_float32_bits_v1               (binary32; of the NaNs only 7fc00000)
    configured binary     torchlean_state_binary_{exp}_{frac}_{bias}_{specials}_v1      (every word)
    Complex of X          torchlean_state_complex_v1({the tag of X})

Normative document: spec/torchlean.md, clause TLJ-TAG-01.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from bitproof_spec.formats import BINARY32, BINARY64, BinaryFormat, Specials

FLOAT_TAG = "torchlean_state_bits_v1"
FLOAT32_TAG = "torchlean_state_float32_bits_v1"
OLD_TAG = "torchlean_paramlist_bits_v1"
COMPLEX_OPEN = "torchlean_state_complex_v1("
TAG_LIMIT = 512
_CONFIGURED = re.compile(
    r"torchlean_state_binary_([1-9][0-9]{0,4})_([1-9][0-9]{0,4})_(0|[1-9][0-9]*)_([a-z-]+)_v1", re.ASCII
)


@dataclass(frozen=True)
class Native:
    """The runtime's own binary64 (`Float`) or binary32 (`Float32`): one NaN word only, the canonical quiet one."""

    format: BinaryFormat
    tag: str
    nan: int


@dataclass(frozen=True)
class Configured:
    """A configured binary format; every word is a value, NaN payloads too."""

    format: BinaryFormat

    @property
    def tag(self) -> str:
        """`torchlean_state_` + the format's parameters + `_v1`."""
        return f"torchlean_state_{self.format.tag}_v1"


@dataclass(frozen=True)
class ComplexScalar:
    """A complex number over a scalar, real part first."""

    part: Scalar

    @property
    def tag(self) -> str:
        """The component's tag in parentheses."""
        return f"{COMPLEX_OPEN}{self.part.tag})"


Scalar: TypeAlias = "Native | Configured | ComplexScalar"

FLOAT = Native(BINARY64, FLOAT_TAG, 0x7FF8000000000000)
FLOAT32 = Native(BINARY32, FLOAT32_TAG, 0x7FC00000)


def scalar_of(tag: str) -> Scalar | None:
    """The scalar that a tag names, None for a text that is no tag; complex nests as far as `TAG_LIMIT` allows."""
    if len(tag) > TAG_LIMIT:
        return None
    depth = 0
    while tag.startswith(COMPLEX_OPEN) and tag.endswith(")"):
        tag, depth = tag[len(COMPLEX_OPEN) : -1], depth + 1
    scalar = _real(tag)
    for _ in range(depth if scalar is not None else 0):
        scalar = ComplexScalar(scalar) if scalar is not None else None
    return scalar


def _real(tag: str) -> Scalar | None:
    if tag in (FLOAT_TAG, FLOAT32_TAG):
        return FLOAT if tag == FLOAT_TAG else FLOAT32
    match = _CONFIGURED.fullmatch(tag)
    if match is None:
        return None
    exponent, fraction, bias, specials = match.groups()
    try:
        return Configured(BinaryFormat(int(exponent), int(fraction), int(bias), Specials(specials)))
    except ValueError:  # parameters outside what a configured format may have
        return None
