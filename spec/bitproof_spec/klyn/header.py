"""The 64 bytes at the start of a KNN file: fields, writer, reader, and the first gate of the judge."""

from __future__ import annotations

from typing import NamedTuple

from bitproof_spec.findings import Findings
from bitproof_spec.klyn.constants import FLAGS, HEADER_SIZE, MAGIC, MAJOR, MANIFEST_LIMIT, MINOR


class Field(NamedTuple):
    """One field: the clause that governs it, its name, offset and size in bytes."""

    clause: str
    name: str
    offset: int
    size: int

    @property
    def where(self) -> str:
        """Its byte range, as findings write it."""
        return span(self.offset, self.offset + self.size)


MAGIC_FIELD = Field("KNN-HDR-02", "magic", 0, 8)
MAJOR_FIELD = Field("KNN-HDR-03", "major", 8, 2)
MINOR_FIELD = Field("KNN-HDR-04", "minor", 10, 2)
FLAGS_FIELD = Field("KNN-HDR-05", "flags", 12, 4)
MANIFEST_FIELD = Field("KNN-HDR-06", "manifest_length", 16, 8)
FILE_FIELD = Field("KNN-HDR-08", "file_length", 24, 8)
DIGEST_FIELD = Field("KNN-HDR-09", "manifest_sha256", 32, 32)
FIELDS = (MAGIC_FIELD, MAJOR_FIELD, MINOR_FIELD, FLAGS_FIELD, MANIFEST_FIELD, FILE_FIELD, DIGEST_FIELD)


class Header(NamedTuple):
    """The values of the fields; lengths in bytes. Every value of these sizes can be packed, right or wrong."""

    magic: bytes
    major: int
    minor: int
    flags: int
    manifest_length: int
    file_length: int
    manifest_sha256: bytes


def of_manifest(length: int, file_length: int, sha256: bytes) -> Header:
    """The header that a file with such a manifest owes."""
    return Header(MAGIC, MAJOR, MINOR, FLAGS, length, file_length, sha256)


def pack(header: Header) -> bytes:
    """The 64 bytes of a header; OverflowError when a number doesn't fit its field."""
    numbers = (n.to_bytes(field.size, "little") for field, n in zip(FIELDS[1:-1], header[1:-1], strict=True))
    return header.magic + b"".join(numbers) + header.manifest_sha256


def unpack(raw: bytes) -> Header:
    """The fields of 64 bytes; total: it judges nothing, and missing bytes read as zeros."""
    whole = raw.ljust(HEADER_SIZE, b"\0")
    parts = [whole[field.offset : field.offset + field.size] for field in FIELDS]
    major, minor, flags, manifest_length, file_length = (int.from_bytes(part, "little") for part in parts[1:-1])
    return Header(parts[0], major, minor, flags, manifest_length, file_length, parts[-1])


def judge_header(raw: bytes, size: int, findings: Findings) -> Header:
    """Gate 1: the header of a file of `size` bytes that begins with `raw`.

    A file too short, magic, version or manifest length end the gate at once; findings at lower offsets are kept.
    """
    header, owe = unpack(raw), findings.owe
    if not owe(len(raw) >= HEADER_SIZE, "KNN-HDR-01", span(0, len(raw)), f"{size} bytes", "at least 64: truncated"):
        return header
    magic = f"{header.magic.hex()}, no KNN file"
    if not owe(header.magic == MAGIC, "KNN-HDR-02", MAGIC_FIELD.where, magic, MAGIC.hex()):
        return header
    if not owe(header.major == MAJOR, "KNN-HDR-03", MAJOR_FIELD.where, header.major, MAJOR):
        return header
    if not owe(header.minor == MINOR, "KNN-HDR-04", MINOR_FIELD.where, header.minor, MINOR):
        return header
    owe(header.flags == FLAGS, "KNN-HDR-05", FLAGS_FIELD.where, f"{header.flags:#x}", FLAGS)
    _judge_lengths(header, size, findings)
    return header


def _judge_lengths(header: Header, size: int, findings: Findings) -> None:
    length, held = header.manifest_length, size - HEADER_SIZE
    where = MANIFEST_FIELD.where
    if not findings.owe(1 <= length <= MANIFEST_LIMIT, "KNN-HDR-06", where, length, f"1 to {MANIFEST_LIMIT}"):
        return
    if not findings.owe(length <= held, "KNN-HDR-07", where, length, f"at most {held}, to the file's end: truncated"):
        return
    cut = ": truncated" if header.file_length > size else ""
    right = header.file_length == size
    findings.owe(right, "KNN-HDR-08", FILE_FIELD.where, header.file_length, f"{size}, the file's size{cut}")


def span(start: int, end: int) -> str:
    """A half-open byte range, as findings write it."""
    return f"{start:#x}..{end:#x}"
