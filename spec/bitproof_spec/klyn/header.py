"""The 64 bytes at the start of a KNN file: fields, writer, reader, and the first gate of the judge."""

from __future__ import annotations

from typing import NamedTuple

from bitproof_spec.findings import Findings, counted
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
    """The fields of 64 bytes; total: it judges nothing, and a number that is cut has zeros for what is missing."""
    magic, *numbers, digest = (raw[field.offset : field.offset + field.size] for field in FIELDS)
    major, minor, flags, manifest_length, file_length = (int.from_bytes(number, "little") for number in numbers)
    return Header(magic, major, minor, flags, manifest_length, file_length, digest)


FATAL = frozenset({"KNN-HDR-01", "KNN-HDR-02", "KNN-HDR-03", "KNN-HDR-04", "KNN-HDR-06", "KNN-HDR-07"})


def checks(header: Header, held: int, size: int) -> tuple[tuple[str, bool], ...]:
    """Each clause of the gate and whether it holds, in the order of offsets; `held` bytes of the header are there."""
    return (
        ("KNN-HDR-01", held >= HEADER_SIZE),
        ("KNN-HDR-02", header.magic == MAGIC),
        ("KNN-HDR-03", header.major == MAJOR),
        ("KNN-HDR-04", header.minor == MINOR),
        ("KNN-HDR-05", header.flags == FLAGS),
        ("KNN-HDR-06", 1 <= header.manifest_length <= MANIFEST_LIMIT),
        ("KNN-HDR-07", header.manifest_length <= size - HEADER_SIZE),
        ("KNN-HDR-08", header.file_length == size),
    )


def judge_header(raw: bytes, size: int, findings: Findings) -> Header:
    """Gate 1: the header of a file of `size` bytes that begins with `raw`.

    What is FATAL ends the gate at once; findings at lower offsets are kept.
    """
    header = unpack(raw)
    for clause, holds in checks(header, len(raw), size):
        if not holds and not findings.add(clause, *_told(clause, header, len(raw), size)) and clause in FATAL:
            break
    return header


def _told(clause: str, header: Header, held: int, size: int) -> tuple[str, object, object]:
    """Where a clause of the gate is broken, what was found and what was owed."""
    rest, cut = size - HEADER_SIZE, ": truncated" if header.file_length > size else ""
    manifest = MANIFEST_FIELD.where
    told: dict[str, tuple[str, object, object]] = {
        "KNN-HDR-01": (span(0, held), counted(size, "byte"), f"at least {HEADER_SIZE}: truncated"),
        "KNN-HDR-02": (MAGIC_FIELD.where, f"{header.magic.hex()}, no KNN file", MAGIC.hex()),
        "KNN-HDR-03": (MAJOR_FIELD.where, header.major, MAJOR),
        "KNN-HDR-04": (MINOR_FIELD.where, header.minor, MINOR),
        "KNN-HDR-05": (FLAGS_FIELD.where, f"{header.flags:#x}", FLAGS),
        "KNN-HDR-06": (manifest, header.manifest_length, f"1 to {MANIFEST_LIMIT}"),
        "KNN-HDR-07": (manifest, header.manifest_length, f"at most {rest}, to the file's end: truncated"),
        "KNN-HDR-08": (FILE_FIELD.where, header.file_length, f"{size}, the file's size{cut}"),
    }
    return told[clause]


def span(start: int, end: int) -> str:
    """A half-open byte range, as findings write it."""
    return f"{start:#x}..{end:#x}"
