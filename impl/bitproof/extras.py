"""What to say when an optional dependency is missing; imports nothing itself."""

from __future__ import annotations


def missing(package: str, extra: str) -> ModuleNotFoundError:
    """The error of a module that needs `package`, naming the extra of bitproof that installs it."""
    return ModuleNotFoundError(
        f"this part of bitproof needs {package}: pip install 'bitproof[{extra}]'",
        name=package,
    )
