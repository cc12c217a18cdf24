"""Vectors of the manifest-text band: what is no strict JSON, and what is, however it looks."""

from __future__ import annotations

from collections.abc import Iterator

from bitproof_spec.klyn.constants import HEADER_SIZE, VALUES_LIMIT
from bitproof_spec.klyn.header import span
from bitproof_spec.klyn.vectors.building import invalid, manifest, text, with_text
from bitproof_spec.klyn.vectors.models import NONE, PLAIN, SGD
from bitproof_spec.strict_json import JsonValue
from bitproof_spec.vectors import Vector

AREA = "manifest-text"
SEED = b'"seed":7'
NAME = b'"dense_1"'

# Each: case, clause, what is replaced in the text of the plain model, by what, and how far into that its fault is.
FAULTS: tuple[tuple[str, str, bytes, bytes, int], ...] = (
    ("comma-before-brace", "KNN-TXT-01", b'"training":null}', b'"training":null,}', 16),
    ("comma-before-bracket", "KNN-TXT-01", b'"shape":[3]', b'"shape":[3,]', 11),
    ("comma-missing", "KNN-TXT-01", b'"seed":7,', b'"seed":7 ', 9),
    ("colon-missing", "KNN-TXT-01", SEED, b'"seed" 7', 7),
    ("single-quotes", "KNN-TXT-01", b'"format"', b"'format'", 0),
    ("comment", "KNN-TXT-01", SEED, b'"seed":/**/7', 7),
    ("bare-word", "KNN-TXT-01", b'"training":null', b'"training":none', 11),
    ("capital-literal", "KNN-TXT-01", b'"training":null', b'"training":Null', 11),
    ("nan", "KNN-TXT-01", SEED, b'"seed":NaN', 7),
    ("infinity", "KNN-TXT-01", SEED, b'"seed":Infinity', 7),
    ("minus-infinity", "KNN-TXT-01", SEED, b'"seed":-Infinity', 7),
    ("plus-sign", "KNN-TXT-01", SEED, b'"seed":+7', 7),
    ("hexadecimal", "KNN-TXT-01", SEED, b'"seed":0x7', 8),
    ("control-character", "KNN-TXT-01", NAME, b'"dense\n1"', 6),
    ("nul-character", "KNN-TXT-01", NAME, b'"dense\x001"', 6),
    ("bad-escape", "KNN-TXT-01", NAME, b'"dense\\x5f1"', 6),
    ("short-escape", "KNN-TXT-01", NAME, b'"dense\\u005"', 6),
    ("form-feed", "KNN-TXT-01", SEED, b'"seed":\x0c7', 7),
    ("no-break-space", "KNN-TXT-01", SEED, b'"seed":\xc2\xa07', 7),
    ("trailing-value", "KNN-TXT-01", b'"training":null}', b'"training":null}{}', 16),
    ("trailing-nul", "KNN-TXT-01", b'"training":null}', b'"training":null}\x00', 16),
    ("overlong-2", "KNN-TXT-03", NAME, b'"dense\xc0\xaf1"', 6),
    ("overlong-3", "KNN-TXT-03", NAME, b'"dense\xe0\x80\xaf1"', 6),
    ("surrogate-bytes", "KNN-TXT-03", NAME, b'"dense\xed\xa0\x801"', 6),
    ("beyond-10ffff", "KNN-TXT-03", NAME, b'"dense\xf4\x90\x80\x801"', 6),
    ("cut-sequence", "KNN-TXT-03", NAME, b'"dense\xe2\x82"', 6),
    ("stray-continuation", "KNN-TXT-03", NAME, b'"dense\x801"', 6),
    ("latin-1", "KNN-TXT-03", NAME, b'"dens\xe9_1"', 5),
    ("lone-high-surrogate", "KNN-TXT-05", NAME, b'"dense\\ud8001"', 6),
    ("lone-low-surrogate", "KNN-TXT-05", NAME, b'"dense\\udc001"', 6),
    ("reversed-pair", "KNN-TXT-05", NAME, b'"dense\\udc00\\ud800"', 6),
    ("half-pair", "KNN-TXT-05", NAME, b'"dense\\ud800\\u0041"', 6),
    ("minus", "KNN-TXT-06", SEED, b'"seed":-7', 7),
    ("minus-zero", "KNN-TXT-06", SEED, b'"seed":-0', 7),
    ("fraction", "KNN-TXT-06", SEED, b'"seed":7.0', 7),
    ("exponent", "KNN-TXT-06", SEED, b'"seed":7e0', 7),
    ("leading-zero", "KNN-TXT-06", SEED, b'"seed":07', 7),
    ("2-53", "KNN-TXT-07", SEED, b'"seed":9007199254740992', 7),
    ("2-64", "KNN-TXT-07", SEED, b'"seed":18446744073709551616', 7),
    ("17-digits", "KNN-TXT-07", SEED, b'"seed":10000000000000000', 7),
    ("5000-digits", "KNN-TXT-07", SEED, b'"seed":' + b"9" * 5000, 7),
    ("depth-33", "KNN-TXT-08", SEED, b'"seed":' + b"[" * 29 + b"]" * 29, 35),
    ("duplicate-seed", "KNN-TXT-04", SEED, b'"seed":7,"seed":7', 9),
    ("duplicate-escaped", "KNN-TXT-04", SEED, b'"seed":7,"s\\u0065ed":8', 9),
    ("duplicate-format", "KNN-TXT-04", b'"training":null}', b'"training":null,"format":"knn"}', 16),
    ("duplicate-row-member", "KNN-TXT-04", b'"offset":64', b'"offset":0,"offset":64', 11),
    ("duplicate-unknown", "KNN-TXT-04", SEED, b'"seed":7,"\xc3\xa9":1,"\\u00E9":1', 16),
)


def texts() -> Iterator[Vector]:
    """Each fault of strict JSON by itself in an otherwise valid file."""
    plain = text(PLAIN)
    for name, clause, old, new, into in FAULTS:
        at = plain.index(old)
        start = HEADER_SIZE + at + into
        file = with_text(PLAIN, plain[:at] + new + plain[at + len(old) :])
        yield invalid(AREA, name, clause, file, span(start, start + 1), "model/plain")
    yield from _whole_texts()
    yield from _counts()


def _whole_texts() -> Iterator[Vector]:
    none, twin = text(NONE), "model/no-tensors"
    for name, clause, changed, at in (
        ("byte-order-mark", "KNN-TXT-02", b"\xef\xbb\xbf" + none, 0),
        ("utf-16", "KNN-TXT-01", none.decode().encode("utf-16-le"), 1),
        ("only-spaces", "KNN-TXT-01", b" " * 64, 64),
        ("cut-in-object", "KNN-TXT-01", none[:-1], len(none) - 1),
        ("cut-in-string", "KNN-TXT-01", none[:4], 4),
        ("deep-arrays", "KNN-TXT-08", b"[" * 100_000, 32),
        ("deep-objects", "KNN-TXT-08", b'{"":' * 100_000, 128),
    ):
        start = HEADER_SIZE + at
        yield invalid(AREA, name, clause, with_text(NONE, changed), span(start, start + 1), twin)
    step = text(SGD).replace(b'"step":6', b'"step":6,"st\\u0065p":7')
    start = HEADER_SIZE + step.index(b'"st\\')
    file = with_text(SGD, step)
    yield invalid(AREA, "duplicate-step", "KNN-TXT-04", file, span(start, start + 1), "model/sgd-momentum-dropout")


def _counts() -> Iterator[Vector]:
    """At the bounds on values and depth: a text that keeps them is refused by its members, and not before."""
    plain, twin = text(PLAIN), "model/plain"
    at = plain.index(b"[3]")
    free = VALUES_LIMIT - values(manifest(PLAIN)) + 1  # elements that a shape of 1 may have instead
    kept = with_text(PLAIN, plain[:at] + b"[" + b"0," * (free - 1) + b"0]" + plain[at + 3 :])
    yield invalid(AREA, "values-2-20", "KNN-MEM-11", kept, "/model/stages/0/shape", twin)
    more = plain[:at] + b"[" + b"0," * free + b"0]" + plain[at + 3 :]
    start = HEADER_SIZE + len(more) - len("null}")  # the last value of all is the one too many
    yield invalid(AREA, "values-2-20-and-1", "KNN-TXT-09", with_text(PLAIN, more), span(start, start + 1), twin)
    deep = with_text(PLAIN, plain.replace(SEED, b'"seed":' + b"[" * 28 + b"]" * 28))
    yield invalid(AREA, "depth-32", "KNN-MEM-01", deep, "/model/stages/1/seed", twin)


def values(value: JsonValue) -> int:
    """The number of values in a value, itself counted, names not."""
    items = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else ()
    return 1 + sum(values(item) for item in items)
