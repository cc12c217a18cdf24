"""A contract that holds and that CrossHair can't confirm."""

from __future__ import annotations


def multiple_by_mask(number: int) -> int:
    """The least multiple of 64 that is at least a number, by masking.

    pre: number >= 0
    post: __return__ % 64 == 0
    """
    return (number + 63) & ~63
