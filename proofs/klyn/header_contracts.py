"""Contracts on the header for CrossHair, and the same contracts on broken twins."""

from __future__ import annotations

from bitproof_spec.klyn.header import Header, checks, pack, unpack

MAGIC = b"\x89KNN\r\n\x1a\n"


def packs_versions_and_flags(major: int, minor: int, flags: int) -> bytes:
    """Three fields are little-endian digits at their places, and nothing else depends on them.

    pre: 0 <= major < 2**16 and 0 <= minor < 2**16 and 0 <= flags < 2**32
    post: len(__return__) == 64
    post: list(__return__[8:12]) == [major % 256, major // 256, minor % 256, minor // 256]
    post: list(__return__[12:16]) == [flags // 256**place % 256 for place in range(4)]
    post: __return__[:8] == MAGIC and __return__[16:] == bytes([5] + 7 * [0] + [9] + 7 * [0] + 32 * [7])
    """
    return pack(Header(MAGIC, major, minor, flags, 5, 9, bytes(32 * [7])))


def packs_versions_exchanged(major: int, minor: int, flags: int) -> bytes:
    """A twin that exchanges two fields.

    pre: 0 <= major < 2**16 and 0 <= minor < 2**16 and 0 <= flags < 2**32
    post: list(__return__[8:12]) == [major % 256, major // 256, minor % 256, minor // 256]
    """
    return pack(Header(MAGIC, minor, major, flags, 5, 9, bytes(32 * [7])))


def packs_manifest_length(length: int) -> bytes:
    """The manifest's length is eight little-endian digits at 16.

    pre: 0 <= length < 2**64
    post: list(__return__[16:24]) == [length // 256**place % 256 for place in range(8)]
    post: __return__[:16] == MAGIC + bytes([1] + 7 * [0]) and __return__[24:] == bytes([9] + 7 * [0] + 32 * [7])
    """
    return pack(Header(MAGIC, 1, 0, 0, length, 9, bytes(32 * [7])))


def packs_file_length(length: int) -> bytes:
    """The file's length is eight little-endian digits at 24.

    pre: 0 <= length < 2**64
    post: list(__return__[24:32]) == [length // 256**place % 256 for place in range(8)]
    post: __return__[16:24] == bytes([5] + 7 * [0]) and __return__[32:] == bytes(32 * [7])
    """
    return pack(Header(MAGIC, 1, 0, 0, 5, length, bytes(32 * [7])))


def packs_bytes(magic: bytes, digest: bytes) -> bytes:
    """Magic and digest stand as they are.

    pre: len(magic) == 8 and len(digest) == 32
    post: __return__[:8] == magic
    post: __return__[32:] == digest
    """
    return pack(Header(magic, 1, 0, 0, 5, 9, digest))


def unpacks_small_fields(data: bytes) -> Header:
    """What is read is the sum of the digits.

    pre: len(data) == 8
    post: __return__.major == data[0] + 256 * data[1]
    post: __return__.minor == data[2] + 256 * data[3]
    post: __return__.flags == sum(data[4 + place] * 256**place for place in range(4))
    """
    return unpack(MAGIC + data + bytes(48))


def unpacks_lengths(data: bytes) -> Header:
    """What is read is the sum of the digits.

    pre: len(data) == 8
    post: __return__.manifest_length == sum(data[place] * 256**place for place in range(8))
    post: __return__.file_length == 0
    """
    return unpack(MAGIC + bytes(8) + data + bytes(40))


def unpacks_file_length(data: bytes) -> int:
    """What is read is the sum of the digits.

    pre: len(data) == 8
    post: __return__ == sum(data[place] * 256**place for place in range(8))
    """
    return unpack(MAGIC + bytes(16) + data + bytes(32)).file_length


def unpacks_file_length_of_32_bits(data: bytes) -> int:
    """A twin that reads half of the field.

    pre: len(data) == 8
    post: __return__ == sum(data[place] * 256**place for place in range(8))
    """
    return unpack(MAGIC + bytes(16) + data + bytes(32)).file_length % 2**32


def unpacks_anything(raw: bytes) -> Header:
    """Whatever the bytes, however few: a header, and never an exception.

    pre: len(raw) <= 64
    post: __return__.magic == raw[:8]
    post: 0 <= __return__.major < 2**16 and 0 <= __return__.minor < 2**16 and 0 <= __return__.flags < 2**32
    post: 0 <= __return__.manifest_length < 2**64 and 0 <= __return__.file_length < 2**64
    """
    return unpack(raw)


def unpacks_whole_headers_only(raw: bytes) -> Header:
    """A twin that relies on its bytes being there.

    pre: len(raw) <= 64
    post: __return__.magic == raw[:8]
    """
    raw[63]
    return unpack(raw)


def fits(manifest: int, size: int) -> bool:
    """Whether a manifest of that length is allowed in a file of that size."""
    return 1 <= manifest <= 2**24 and 64 + manifest <= size


def accepts(major: int, minor: int, flags: int, manifest: int, file: int, held: int, size: int) -> bool:
    """Every clause holds exactly for the header that a file of that size owes; the verdict is total.

    pre: 0 <= held <= 64 and held <= size and 0 <= manifest and 0 <= file
    post: __return__ == ((major, minor, flags, held, file) == (1, 0, 0, 64, size) and fits(manifest, size))
    """
    header = Header(MAGIC, major, minor, flags, manifest, file, b"")
    return all(holds for _, holds in checks(header, held, size))


def accepts_beyond_the_end(major: int, minor: int, flags: int, manifest: int, file: int, held: int, size: int) -> bool:
    """A twin that forgets one clause.

    pre: 0 <= held <= 64 and held <= size and 0 <= manifest and 0 <= file
    post: __return__ == ((major, minor, flags, held, file) == (1, 0, 0, 64, size) and fits(manifest, size))
    """
    header = Header(MAGIC, major, minor, flags, manifest, file, b"")
    return all(holds for clause, holds in checks(header, held, size) if clause != "KNN-HDR-07")
