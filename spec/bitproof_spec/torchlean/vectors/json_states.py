"""Vectors of the JSON state's text and structure."""

from __future__ import annotations

from collections.abc import Iterator

from bitproof_spec.document import Block
from bitproof_spec.format import encode
from bitproof_spec.torchlean.encodings import COMPLEX_OPEN, FLOAT, OLD_TAG
from bitproof_spec.torchlean.framing import RANK_LIMIT
from bitproof_spec.torchlean.json_state import TLJSON, JsonState
from bitproof_spec.torchlean.rules_state import JSON_RULES
from bitproof_spec.torchlean.vectors.building import Maker
from bitproof_spec.vectors import Vector

MAKE = Maker(TLJSON, JSON_RULES)
ONE, MINUS_ZERO = 0x3FF0000000000000, 1 << 63
PLAIN = "state/plain"
NESTED = COMPLEX_OPEN * 19 + FLOAT.tag + ")" * 19  # 555 characters


def floats(shape: tuple[int, ...], *words: int) -> Block:
    """A block of Float words."""
    return Block(FLOAT.storage, shape, b"".join(word.to_bytes(8, "little") for word in words))


KNOWN = JsonState(FLOAT.tag, (floats((2,), ONE, MINUS_ZERO),))


def json_states() -> Iterator[Vector]:
    """Text, top level, tag, tensors and shapes."""
    yield MAKE.valid(PLAIN, "TLJ-TXT-01 TLJ-TAG-01 TLJ-CNT-01", KNOWN, "The plainest file is refused.")
    respelled = b'\t{ "format":"%s" ,"state":[{"shape":[2],\r\n"values":[%d,%d]}]}\n' % (
        FLOAT.tag.encode(),
        ONE,
        MINUS_ZERO,
    )
    yield MAKE.valid("text/any-spelling", "TLJ-TXT-01", KNOWN, "Only one writer's text is read.", respelled)
    yield MAKE.valid("state/empty", "TLJ-STA-01", JsonState(FLOAT.tag, ()), "A model without state can't be saved.")
    shapes = JsonState(FLOAT.tag, (floats((), 7), floats((0,)), floats((2, 1), 1, 2), floats((3, 0))))
    yield MAKE.valid("state/shapes", "TLJ-SHP-01 TLJ-CNT-01", shapes, "Scalars or tensors without elements are lost.")
    rank = JsonState(FLOAT.tag, (floats((1,) * RANK_LIMIT, 5),))
    yield MAKE.valid("state/rank-limit", "TLJ-SHP-02", rank, "A bound is taken as exclusive.")
    broken = JsonState(FLOAT.tag, (floats((2, 3), ONE, *range(5)), floats((1,), 3)))
    yield MAKE.valid("text/broken-lines", "TLJ-TXT-01", broken, "Only one writer's text is read.")
    yield from _texts()
    yield from _structures()
    yield MAKE.valid("budget/kept", "TLJ-MAX-01", KNOWN, "A budget is taken as exclusive.", max_bytes=16)
    yield MAKE.invalid("budget/over", "TLJ-MAX-01", encode(TLJSON, KNOWN), "/state", "budget/kept", max_bytes=15)


def _texts() -> Iterator[Vector]:
    plain = text("[1]")
    at = plain.rindex(b"[1]") + 1
    for name, rule, file, offset in (
        ("empty", "TLJ-TXT-01", b"", 0),
        ("nan", "TLJ-TXT-01", text("[NaN]"), at),
        ("trailing", "TLJ-TXT-01", plain + b"{}", len(plain)),
        ("control", "TLJ-TXT-01", b'{"format": "a\tb"}', 13),
        ("bom", "TLJ-TXT-02", b"\xef\xbb\xbf" + plain, 0),
        ("utf8", "TLJ-TXT-02", b'{"format": "\xff"}', 12),
        ("surrogate", "TLJ-TXT-02", b'{"format": "\\ud800"}', 12),
        ("minus", "TLJ-TXT-04", text("[-0]"), at),
        ("fraction", "TLJ-TXT-04", text("[1.0]"), at),
        ("exponent", "TLJ-TXT-04", text("[1e3]"), at),
        ("zero", "TLJ-TXT-04", text("[01]"), at),
        ("digits", "TLJ-TXT-05", text(f"[{'1' * 4097}]"), at),
        ("depth", "TLJ-TXT-05", b"[" * 33, 32),
    ):
        yield MAKE.invalid(f"text/{name}", rule, file, f"{offset:#x}..{offset + 1:#x}", PLAIN)
    twice = b'{"format": "a", "\\u0066ormat": "b"}'
    yield MAKE.invalid("text/duplicate", "TLJ-TXT-03", twice, "0x10..0x11", PLAIN)


def _structures() -> Iterator[Vector]:
    whole = text("[1]").decode()
    tensor = whole[whole.index("[{") + 1 : whole.index("}]") + 1]
    for name, rule, where, new in (
        ("top-array", "TLJ-TOP-01", "/", "[]"),
        ("no-state", "TLJ-TOP-02", "/state", f'{{"format": "{FLOAT.tag}"}}'),
        ("unknown-member", "TLJ-TOP-02", "/dtype", whole.replace('"format"', '"dtype": 1, "format"')),
        ("tag-number", "TLJ-TAG-01", "/format", whole.replace(f'"{FLOAT.tag}"', "64")),
        ("tag-unknown", "TLJ-TAG-01", "/format", whole.replace(FLOAT.tag, "torchlean_state_bits_v2")),
        ("tag-nested", "TLJ-TAG-01", "/format", whole.replace(FLOAT.tag, NESTED)),
        ("tag-wide", "TLJ-TAG-01", "/format", whole.replace(FLOAT.tag, "torchlean_state_binary_11_4085_1023_ieee_v1")),
        (
            "tag-leading-zero",
            "TLJ-TAG-01",
            "/format",
            whole.replace(FLOAT.tag, "torchlean_state_binary_05_2_15_ieee_v1"),
        ),
        ("tag-no-bias", "TLJ-TAG-01", "/format", whole.replace(FLOAT.tag, "torchlean_state_binary_5_10_ieee_v1")),
        ("tag-top-bias", "TLJ-TAG-01", "/format", whole.replace(FLOAT.tag, "torchlean_state_binary_5_10_31_ieee_v1")),
        ("tag-zero-bias", "TLJ-TAG-01", "/format", whole.replace(FLOAT.tag, "torchlean_state_binary_5_10_0_ieee_v1")),
        ("old-family", "TLJ-OLD-01", "/format", whole.replace(FLOAT.tag, OLD_TAG)),
        ("state-object", "TLJ-STA-01", "/state", whole.replace(f"[{tensor}]", "{}")),
        ("tensor-null", "TLJ-TEN-01", "/state/0", whole.replace(tensor, "null")),
        ("no-shape", "TLJ-TEN-02", "/state/0/shape", whole.replace('"shape": [1], ', "")),
        ("tensor-name", "TLJ-TEN-02", "/state/0/name", whole.replace('"shape"', '"name": "w", "shape"')),
        ("shape-number", "TLJ-SHP-01", "/state/0/shape", whole.replace('"shape": [1]', '"shape": 1')),
        ("shape-bool", "TLJ-SHP-01", "/state/0/shape/0", whole.replace('"shape": [1]', '"shape": [true]')),
        ("values-number", "TLJ-VAL-01", "/state/0/values", whole.replace('"values": [1]', '"values": 1')),
        ("too-few", "TLJ-CNT-01", "/state/0/values", whole.replace('"values": [1]', '"values": []')),
        ("too-many", "TLJ-CNT-01", "/state/0/values", whole.replace('"values": [1]', '"values": [1, 2]')),
        ("wraps", "TLJ-CNT-01", "/state/0/values", whole.replace('"shape": [1]', '"shape": [4294967296, 4294967296]')),
    ):
        yield MAKE.invalid(f"state/{name}", rule, new.encode(), where, PLAIN)
    ones = ", ".join(["1"] * (RANK_LIMIT + 1))
    long = whole.replace('"shape": [1]', f'"shape": [{ones}]').encode()
    yield MAKE.invalid("state/rank", "TLJ-SHP-02", long, "/state/0/shape", "state/rank-limit")


def text(values: str, tag: str = FLOAT.tag) -> bytes:
    """The text of a state of one tensor [1], its values as given."""
    return f'{{"state": [{{"shape": [1], "values": {values}}}], "format": "{tag}"}}'.encode()
