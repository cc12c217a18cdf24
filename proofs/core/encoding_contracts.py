"""Contracts on encodings for CrossHair, and the same contracts on broken twins."""

from __future__ import annotations

from bitproof_spec.encoding import BINARY64, Binary64, Configured, configured
from bitproof_spec.formats import TF32, BinaryFormat
from bitproof_spec.integers import INT32, INT64, Int32, Int64

NINETEEN = configured(TF32, Configured)
THREE_HUNDRED = configured(BinaryFormat(60, 239, (1 << 59) - 1), Configured)


def encoded_64(scalar: int) -> bytes:
    """The bytes are the scalar's digits.

    pre: 0 <= scalar < 2**64
    post: list(__return__) == [scalar // 256**place % 256 for place in range(8)]
    """
    return BINARY64.encode(Binary64(scalar))


def encoded_64_in_halves(scalar: int) -> bytes:
    """A twin that writes the high half first.

    pre: 0 <= scalar < 2**64
    post: list(__return__) == [scalar // 256**place % 256 for place in range(8)]
    """
    data = BINARY64.encode(Binary64(scalar))
    return data[4:] + data[:4]


def encoded_300(scalar: int) -> bytes:
    """The bytes are the scalar's digits, at a width with pad bits too.

    pre: 0 <= scalar < 2**300
    post: list(__return__) == [scalar // 256**place % 256 for place in range(38)]
    """
    return THREE_HUNDRED.encode(Configured(scalar))


def decoded_64(word: bytes) -> int:
    """The scalar is the sum of the digits.

    pre: len(word) == 8
    post: __return__ == sum(word[place] * 256**place for place in range(8))
    """
    return BINARY64.decode(word)


def decoded_64_quieting(word: bytes) -> int:
    """A twin that quiets signalling NaNs.

    pre: len(word) == 8
    post: __return__ == sum(word[place] * 256**place for place in range(8))
    """
    scalar = BINARY64.decode(word)
    return scalar + 2**51 if scalar // 2**51 % 4096 == 4094 and scalar % 2**51 != 0 else scalar


def decoded_300(word: bytes) -> int:
    """The scalar is the sum of the digits, at a width with pad bits too.

    pre: len(word) == 38 and word[37] < 16
    post: __return__ == sum(word[place] * 256**place for place in range(38))
    """
    return THREE_HUNDRED.decode(word)


def there_and_back_19(word: bytes) -> bytes:
    """Encoding what was decoded gives the word again.

    pre: len(word) == 3 and word[2] < 8
    post: __return__ == word
    """
    return NINETEEN.encode(NINETEEN.decode(word))


def accepted_19(word: bytes) -> bool:
    """Words of the right size without pad bits, and no others.

    pre: len(word) < 6
    post: __return__ == (len(word) == 3 and word[2] < 8)
    """
    return NINETEEN.accepts(word)


def accepted_19_by_size(word: bytes) -> bool:
    """A twin that looks at the size alone.

    pre: len(word) < 6
    post: __return__ == (len(word) == 3 and word[2] < 8)
    """
    return len(word) == NINETEEN.width


def integer_there_and_back(scalar: int) -> int:
    """A signed integer comes back.

    pre: -(2**31) <= scalar < 2**31
    post: __return__ == scalar
    """
    return INT32.decode(INT32.encode(Int32(scalar)))


def integer_there_and_back_unsigned(scalar: int) -> int:
    """A twin that forgets the sign on the way back.

    pre: -(2**31) <= scalar < 2**31
    post: __return__ == scalar
    """
    return int.from_bytes(INT32.encode(Int32(scalar)), "little")


def integer_encoded(scalar: int) -> bytes:
    """Two's complement.

    pre: -(2**63) <= scalar < 2**63
    post: list(__return__) == [scalar % 2**64 // 256**place % 256 for place in range(8)]
    """
    return INT64.encode(Int64(scalar))


def integer_decoded(word: bytes) -> int:
    """Two's complement, back.

    pre: len(word) == 8
    post: __return__ == sum(word[i] * 256**i for i in range(8)) - (2**64 if word[7] >= 128 else 0)
    """
    return INT64.decode(word)


def integer_refused(scalar: int) -> bool:
    """An integer out of range is refused, and no other.

    post: __return__ == (scalar < -(2**31) or scalar >= 2**31)
    """
    try:
        INT32.encode(Int32(scalar))
    except ValueError:
        return True
    return False


def integer_refused_unless_it_wraps(scalar: int) -> bool:
    """A twin that takes unsigned integers for signed ones.

    post: __return__ == (scalar < -(2**31) or scalar >= 2**31)
    """
    try:
        INT32.encode(Int32(scalar - 2**32 if scalar >= 2**31 else scalar))
    except ValueError:
        return True
    return False
