"""What commands take alike: numbers of bytes, offsets."""

from __future__ import annotations

import argparse

_UNITS = {"": 1, "kib": 2**10, "mib": 2**20, "gib": 2**30, "tib": 2**40, "kb": 10**3, "mb": 10**6, "gb": 10**9}


def byte_count(text: str) -> int:
    """A number of bytes: 1048576, 0x100000, 512MiB, 2GB; ArgumentTypeError for anything else."""
    digits = text.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
    unit = text[len(digits) :].strip().lower()
    if text.lower().startswith("0x"):
        digits, unit = text, ""
    if unit not in _UNITS:
        raise argparse.ArgumentTypeError(f"{text!r} has no unit of bytes: use KiB, MiB, GiB, kB, MB, GB or none")
    return offset(digits) * _UNITS[unit]


def offset(text: str) -> int:
    """A natural number, decimal or hexadecimal with 0x; ArgumentTypeError for anything else."""
    try:
        number = int(text, 16) if text.lower().startswith("0x") else int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no natural number")
    return number
