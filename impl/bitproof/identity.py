"""Which bitproof this is: its version, the profile of each format, and a digest of the specification that judges."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import bitproof_spec
from bitproof import __version__
from bitproof.check.registry import FORMATS


def identity() -> dict[str, object]:
    """Version, format profiles, and the specification's digest, as plain values."""
    return {"version": __version__, "formats": [known.title for known in FORMATS], "spec_sha256": spec_digest()}


def spec_digest() -> str:
    """SHA-256, in hex, over the specification's source files: each one's path in the package, size and content.

    Equal digests mean equal rules and equal verdicts, whatever the package's version says.
    """
    root, digest = Path(bitproof_spec.__file__).parent, sha256()
    for path in sorted(root.rglob("*.py"), key=lambda path: path.relative_to(root).as_posix()):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(root).as_posix()}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()
