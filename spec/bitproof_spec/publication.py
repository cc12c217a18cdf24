"""Publication: how the bytes of a save come under their name, whole or not at all."""

from __future__ import annotations

LINKS_LIMIT = 40  # as many links as Linux follows
PERMISSIONS = 0o777  # set-id and sticky bits aren't passed on to another owner's bytes
NEW_FILE_MODE = 0o666  # less the umask
PRIVATE_MODE = 0o600  # of a file that has a temporary name before it is complete
NAME_KEPT = 224  # bytes of the destination's name in the temporary's
TOKEN_BYTES = 8  # of randomness in the temporary's name
ATTEMPTS = 8  # at a temporary name that nobody has
TEMPORARY_SUFFIX = b".bitproof-tmp"


def temporary_name(name: bytes, token: bytes) -> bytes:
    """The temporary's name: `.<name>.<16 hex>.bitproof-tmp`, at most 255 bytes. ValueError for another token size."""
    if len(token) != TOKEN_BYTES:
        raise ValueError(f"a token has {TOKEN_BYTES} bytes, not {len(token)}")
    return b".%b.%b%b" % (name[:NAME_KEPT], token.hex().encode("ascii"), TEMPORARY_SUFFIX)
