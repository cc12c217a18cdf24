"""Contracts on sizes for CrossHair, and the same contracts on broken twins."""

from __future__ import annotations

from math import prod

from bitproof_spec.klyn.inference import bound
from bitproof_spec.klyn.shapes import padding_cells, transposed_size, window_size
from bitproof_spec.klyn.table import within_budget


def bounds_a_tensor(a: int, b: int, c: int, d: int) -> int:
    """What is compared with 2^63 is no less than the true size, nor than any one extent or product of two.

    pre: 0 <= a and 0 <= b and 0 <= c and 0 <= d
    post: __return__ >= 4 * a * b * c * d
    post: __return__ >= 4 * a and __return__ >= 4 * b and __return__ >= 4 * c and __return__ >= 4 * d
    post: __return__ >= 4 * a * b and __return__ >= 4 * c * d
    """
    return bound((a, b, c, d), 4)


def bounds_beside_a_zero(a: int, b: int) -> int:
    """An extent of 0 hides nothing.

    pre: 0 <= a and 0 <= b
    post: __return__ >= 8 * a and __return__ >= 8 * b and __return__ >= 8
    """
    return bound((a, 0, b), 8)


def hidden_by_a_zero(a: int, b: int) -> int:
    """A twin that multiplies what is there.

    pre: 0 <= a and 0 <= b
    post: __return__ >= 8 * a and __return__ >= 8 * b and __return__ >= 8
    """
    return prod((a, 0, b)) * 8


def wraps(a: int, b: int, c: int, d: int) -> int:
    """A twin that computes in 64 bits.

    pre: 0 <= a and 0 <= b and 0 <= c and 0 <= d
    post: __return__ >= 4 * a * b * c * d
    """
    return bound((a, b, c, d), 4) % 2**64


def windows_never_grow(n: int, kernel: int, stride: int) -> int:
    """No convolution or pooling makes an axis longer, so the bound on its input bounds its output.

    pre: 0 <= n and 1 <= kernel and 1 <= stride
    post: 0 <= __return__ <= n
    """
    valid, same = window_size(n, kernel, stride, "valid"), window_size(n, kernel, stride, "same")
    return max(valid or 0, same or 0)


def windows_one_too_many(n: int, kernel: int, stride: int) -> int:
    """A twin that counts a window before the first cell.

    pre: 0 <= n and 1 <= kernel and 1 <= stride
    post: 0 <= __return__ <= n
    """
    return max(n - kernel, 0) // stride + 1


def transposed_is_bounded(n: int, kernel: int, stride: int) -> int:
    """From bounded numbers no axis passes 117 bits before it is refused.

    pre: 0 <= n < 2**63 and 1 <= kernel < 2**53 and 1 <= stride < 2**53
    post: n <= __return__ < 2**117
    """
    valid, same = transposed_size(n, kernel, stride, "valid"), transposed_size(n, kernel, stride, "same")
    return max(valid or 0, same or 0)


def transposed_of_unbounded(n: int, kernel: int, stride: int) -> int:
    """A twin that goes on with an axis that should have been refused.

    pre: 0 <= n < 2**63 and 1 <= kernel < 2**53 and 1 <= stride < 2**53
    post: n <= __return__ < 2**117
    """
    return (transposed_size(n, kernel, stride, "same") or 0) * stride


def padding_is_less_than_a_window(n: int, kernel: int, stride: int) -> tuple[int, int]:
    """Padding never reaches the size of a window, and its halves differ by at most one cell.

    pre: 1 <= n and 1 <= kernel and 1 <= stride
    post: 0 <= __return__[0] <= __return__[1] <= __return__[0] + 1
    post: __return__[0] + __return__[1] < kernel
    """
    return padding_cells(n, kernel, stride, "same")


def padding_of_a_whole_window(n: int, kernel: int, stride: int) -> tuple[int, int]:
    """A twin that adds a window where the last one is short.

    pre: 1 <= n and 1 <= kernel and 1 <= stride
    post: __return__[0] + __return__[1] < kernel
    """
    return (0, kernel if n % stride else 0)


def budget(a: int, b: int, c: int, most: int) -> bool:
    """The budget counts every block, and its bound is inclusive.

    pre: 0 <= a and 0 <= b and 0 <= c and 0 <= most
    post: __return__ == (a + b + c <= most)
    """
    return within_budget([a, b, c], most)


def budget_of_each(a: int, b: int, c: int, most: int) -> bool:
    """A twin that asks of each block by itself.

    pre: 0 <= a and 0 <= b and 0 <= c and 0 <= most
    post: __return__ == (a + b + c <= most)
    """
    return all(within_budget([length], most) for length in (a, b, c))


def budget_exclusive(a: int, b: int, c: int, most: int) -> bool:
    """A twin whose bound is exclusive.

    pre: 0 <= a and 0 <= b and 0 <= c and 0 <= most
    post: __return__ == (a + b + c <= most)
    """
    return a + b + c < most
