"""Vectors of the header band: the 64 bytes, whole files cut or extended, and foreign files under our name."""

from __future__ import annotations

from collections.abc import Iterator

from bitproof_spec.format import encode
from bitproof_spec.klyn.constants import HEADER_SIZE, MANIFEST_LIMIT
from bitproof_spec.klyn.container import KNN
from bitproof_spec.klyn.header import (
    DIGEST_FIELD,
    FILE_FIELD,
    FLAGS_FIELD,
    MAGIC_FIELD,
    MAJOR_FIELD,
    MANIFEST_FIELD,
    MINOR_FIELD,
    Field,
    span,
)
from bitproof_spec.klyn.vectors.building import flipped, invalid, patched, text, valid, with_text
from bitproof_spec.klyn.vectors.models import NONE, PLAIN
from bitproof_spec.vectors import Vector

AREA = "header"
LFS = (
    b"version https://git-lfs.github.com/spec/v1\n"
    b"oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
)
FOREIGN = {
    "zip": b"PK\x03\x04" + bytes(200),
    "hdf5": b"\x89HDF\r\n\x1a\n" + bytes(200),
    "png": b"\x89PNG\r\n\x1a\n" + bytes(200),
    "lfs-pointer": LFS,
    "html": b"<!DOCTYPE html><html><head><title>404 Not Found</title></head><body>Not Found</body></html>",
    "safetensors": (80).to_bytes(8, "little")
    + b'{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'.ljust(80)
    + bytes(4),
    "zeros": bytes(256),
}


MAGICS = {"lf": b"\x89KNN\n\x1a\n\x00", "crlf": b"\x89KNN\r\r\n\x1a", "7bit": b"\x09KNN\r\n\x1a\n"}
NUMBERS: tuple[tuple[Field, tuple[int, ...]], ...] = (
    (MAJOR_FIELD, (0, 2, 256)),
    (MINOR_FIELD, (1, 2**15)),
    (FLAGS_FIELD, (1, 2**31)),
)
TWIN, BARE = "model/plain", "model/no-tensors"


def header() -> Iterator[Vector]:
    """Every field wrong in turn, at its boundaries."""
    plain, none = encode(KNN, PLAIN), encode(KNN, NONE)
    for size in (0, 1, 8, 63):
        yield invalid(AREA, f"cut-to-{size}", "KNN-HDR-01", none[:size], f"0x0..{size:#x}", BARE)
    effect = "It is reported as too large, or parsed."
    for name, file in FOREIGN.items():
        yield invalid(AREA, f"foreign-{name}", "KNN-HDR-02", file, MAGIC_FIELD.where, TWIN, effect)
    for name, magic in MAGICS.items():
        yield invalid(AREA, f"magic-{name}", "KNN-HDR-02", magic + plain[8:], MAGIC_FIELD.where, TWIN)
    for field, numbers in NUMBERS:
        for number in numbers:
            file = patched(plain, field, number)
            yield invalid(AREA, f"{field.name}-{number}", field.clause, file, field.where, TWIN)
    seed = plain.index(b'"seed":7') + 7
    for name, at in {"manifest-digest": HEADER_SIZE - 1, "manifest-bit": seed}.items():
        yield invalid(AREA, name, "KNN-HDR-09", flipped(plain, at), DIGEST_FIELD.where, TWIN)
    yield from _manifest_lengths(none)
    yield from _file_lengths(plain, none)


def _manifest_lengths(none: bytes) -> Iterator[Vector]:
    where, manifest = MANIFEST_FIELD.where, text(NONE)
    limit = with_text(NONE, manifest.ljust(MANIFEST_LIMIT))
    vector = valid(AREA, "manifest-16-mib", "KNN-HDR-06", NONE, "The bound is taken for exclusive.", limit)
    end = HEADER_SIZE + len(manifest)
    yield vector._replace(findings=(("KNN-ADV-01", span(end, end + 1)),))
    over = with_text(NONE, manifest.ljust(MANIFEST_LIMIT + 1))
    yield invalid(AREA, "manifest-16-mib-and-1", "KNN-HDR-06", over, where, "header/manifest-16-mib")
    yield invalid(AREA, "manifest-empty", "KNN-HDR-06", with_text(NONE, b""), where, BARE)
    for name, length in {"2-63": 2**63, "2-64-less-1": 2**64 - 1}.items():
        file = patched(none, MANIFEST_FIELD, length)
        yield invalid(AREA, f"manifest-{name}", "KNN-HDR-06", file, where, BARE)
    for name, length in {"1": len(manifest) + 1, "64": len(manifest) + 64, "to-limit": MANIFEST_LIMIT}.items():
        file = patched(none, MANIFEST_FIELD, length)
        yield invalid(AREA, f"manifest-beyond-{name}", "KNN-HDR-07", file, where, BARE)


def _file_lengths(plain: bytes, none: bytes) -> Iterator[Vector]:
    end = HEADER_SIZE + len(text(PLAIN))
    for size in (HEADER_SIZE, HEADER_SIZE + 1, end - 1):
        yield invalid(AREA, f"cut-to-{size}", "KNN-HDR-07", plain[:size], MANIFEST_FIELD.where, TWIN)
    where, size = FILE_FIELD.where, len(none)
    for cut in (end, len(plain) - 64, len(plain) - 4, len(plain) - 1):
        yield invalid(AREA, f"cut-to-{cut}", "KNN-HDR-08", plain[:cut], where, TWIN)
    for name, more in {"1": b"\0", "64": bytes(64), "newline": b"\n"}.items():
        yield invalid(AREA, f"appended-{name}", "KNN-HDR-08", plain + more, where, TWIN)
    stated = {"0": 0, "less-1": size - 1, "and-1": size + 1, "2-40": 2**40, "2-64-less-1": 2**64 - 1}
    for name, length in stated.items():
        file = patched(none, FILE_FIELD, length)
        yield invalid(AREA, f"file-length-{name}", "KNN-HDR-08", file, where, BARE)
