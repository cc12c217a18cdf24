"""Contracts on complex encodings for CrossHair, and the same contracts on broken twins."""

from __future__ import annotations

from bitproof_spec.composite import COMPLEX64, COMPLEX128, Complex
from bitproof_spec.encoding import BINARY64, Binary32, Binary64


def _complex_64(re: int, im: int) -> Complex[Binary32]:
    return Complex(Binary32(re), Binary32(im))


def _complex_128(re: int, im: int) -> Complex[Binary64]:
    return Complex(Binary64(re), Binary64(im))


def encoded_128(re: int, im: int) -> tuple[bytes, bytes]:
    """The word of the real part, then that of the imaginary part; so twice as long.

    pre: 0 <= re < 2**64 and 0 <= im < 2**64
    post: __return__[0] == __return__[1]
    post: len(__return__[0]) == 16
    """
    return COMPLEX128.encode(_complex_128(re, im)), BINARY64.encode(Binary64(re)) + BINARY64.encode(Binary64(im))


def encoded_128_swapped(re: int, im: int) -> tuple[bytes, bytes]:
    """A twin that begins with the imaginary part.

    pre: 0 <= re < 2**64 and 0 <= im < 2**64
    post: __return__[0] == __return__[1]
    post: len(__return__[0]) == 16
    """
    return COMPLEX128.encode(_complex_128(im, re)), BINARY64.encode(Binary64(re)) + BINARY64.encode(Binary64(im))


def decoded_128(word: bytes) -> tuple[int, int, int, int]:
    """Both halves of the word, each decoded by itself.

    pre: len(word) == 16
    post: __return__[:2] == __return__[2:]
    """
    scalar = COMPLEX128.decode(word)
    return scalar.re, scalar.im, BINARY64.decode(word[:8]), BINARY64.decode(word[8:])


def there_and_back_64(re: int, im: int) -> Complex[Binary32]:
    """Both parts come back.

    pre: 0 <= re < 2**32 and 0 <= im < 2**32
    post: (__return__.re, __return__.im) == (re, im)
    """
    return COMPLEX64.decode(COMPLEX64.encode(_complex_64(re, im)))


def there_and_back_64_added(re: int, im: int) -> Complex[Binary32]:
    """A twin that puts the parts together by arithmetic, where the sign of a zero imaginary part is lost.

    pre: 0 <= re < 2**32 and 0 <= im < 2**32
    post: (__return__.re, __return__.im) == (re, im)
    """
    return COMPLEX64.decode(COMPLEX64.encode(_complex_64(re, im if im != 2**31 else 0)))


def back_and_there_64(word: bytes) -> bytes:
    """The word comes back.

    pre: len(word) == 8
    post: __return__ == word
    """
    return COMPLEX64.encode(COMPLEX64.decode(word))


def injective_64(re: int, im: int, other_re: int, other_im: int) -> bool:
    """Different numbers have different words.

    pre: 0 <= re < 2**32 and 0 <= im < 2**32 and 0 <= other_re < 2**32 and 0 <= other_im < 2**32
    post: __return__ == ((re, im) == (other_re, other_im))
    """
    return COMPLEX64.encode(_complex_64(re, im)) == COMPLEX64.encode(_complex_64(other_re, other_im))


def injective_64_but_for_a_sign(re: int, im: int, other_re: int, other_im: int) -> bool:
    """A twin that loses the sign of the imaginary part.

    pre: 0 <= re < 2**32 and 0 <= im < 2**32 and 0 <= other_re < 2**32 and 0 <= other_im < 2**32
    post: __return__ == ((re, im) == (other_re, other_im))
    """
    one, other = _complex_64(re, im % 2**31), _complex_64(other_re, other_im % 2**31)
    return COMPLEX64.encode(one) == COMPLEX64.encode(other)


def refuses_size_64(size: int) -> bool:
    """Only twice the component's size is taken.

    pre: 0 <= size < 20
    post: __return__ == (size != 8)
    """
    try:
        COMPLEX64.decode(bytes(size))
    except ValueError:
        return True
    return False


def refuses_size_64_from_below(size: int) -> bool:
    """A twin that takes a longer word and cuts it.

    pre: 0 <= size < 20
    post: __return__ == (size != 8)
    """
    try:
        COMPLEX64.decode(bytes(size)[:8])
    except ValueError:
        return True
    return False
