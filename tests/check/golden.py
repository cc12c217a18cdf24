"""Outputs that are kept as text files, so that a change of what people see is seen in review.

`GOLDEN=write pytest tests/check` writes them anew; look at the difference before you keep it.
"""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "golden"


def owe_golden(name: str, text: str) -> None:
    """AssertionError unless the text is the one that is kept under this name."""
    path = FOLDER / f"{name}.txt"
    if os.environ.get("GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
