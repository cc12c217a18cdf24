"""Saves in a process of their own: another locale, working directory, user, limit, or end."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
_HEAD = """
import os, sys
from bitproof.files import OutputFile, escape_path, publish, publish_bytes
"""


def start_child(
    code: str, *arguments: str, cwd: Path | None = None, locale: str = "C.UTF-8", **environment: str
) -> subprocess.Popen[str]:
    """A Python process that runs `code`, with `os`, `sys` and the publication imported."""
    given = {"PYTHONPATH": f"{ROOT / 'impl'}{os.pathsep}{ROOT / 'spec'}{os.pathsep}{ROOT}", "LC_ALL": locale}
    return subprocess.Popen(
        [sys.executable, "-c", _HEAD + textwrap.dedent(code), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="surrogateescape",
        cwd=cwd,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **given, **environment},
    )


def in_child(
    code: str, *arguments: str, cwd: Path | None = None, locale: str = "C.UTF-8", code_owed: int = 0, **environment: str
) -> str:
    """What such a process printed. AssertionError when it wrote to stderr or ended with another code than owed."""
    child = start_child(code, *arguments, cwd=cwd, locale=locale, **environment)
    out, err = child.communicate(timeout=300)
    assert (child.returncode, err) == (code_owed, ""), f"{child.returncode}: {err}"
    return out
