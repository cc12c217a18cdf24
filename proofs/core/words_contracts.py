"""Contracts on `words` for CrossHair, and the same contracts on broken twins."""

from __future__ import annotations

from bitproof_spec.words import DoesNotFit, Fields, from_bytes, join, split, to_bytes


def digits_of_12(word: int) -> bytes:
    """Twelve bits in two bytes, least significant first.

    pre: 0 <= word < 2**12
    post: list(__return__) == [word % 256, word // 256]
    """
    return to_bytes(word, 12)


def digits_of_12_big_endian(word: int) -> bytes:
    """A twin that begins with the most significant byte.

    pre: 0 <= word < 2**12
    post: list(__return__) == [word % 256, word // 256]
    """
    return to_bytes(word, 12)[::-1]


def digits_of_64(word: int) -> bytes:
    """Each byte is a digit of base 256.

    pre: 0 <= word < 2**64
    post: list(__return__) == [word // 256**place % 256 for place in range(8)]
    """
    return to_bytes(word, 64)


def digits_of_300(word: int) -> bytes:
    """A width beyond any machine word, with pad bits.

    pre: 0 <= word < 2**300
    post: list(__return__) == [word // 256**place % 256 for place in range(38)]
    """
    return to_bytes(word, 300)


def sum_of_64(data: bytes) -> int:
    """Eight bytes are the sum of their digits.

    pre: len(data) == 8
    post: __return__ == sum(data[place] * 256**place for place in range(8))
    """
    return from_bytes(data, 64)


def sum_of_32(data: bytes) -> int:
    """Four bytes are the sum of their digits.

    pre: len(data) == 4
    post: __return__ == data[0] + 256 * data[1] + 65536 * data[2] + 16777216 * data[3]
    """
    return from_bytes(data, 32)


def sum_of_32_without_the_last(data: bytes) -> int:
    """A twin that loses the highest byte.

    pre: len(data) == 4
    post: __return__ == data[0] + 256 * data[1] + 65536 * data[2] + 16777216 * data[3]
    """
    return from_bytes(data[:3], 24)


def there_and_back_32(word: int) -> int:
    """The bytes of a word are the word.

    pre: 0 <= word < 2**32
    post: __return__ == word
    """
    return from_bytes(to_bytes(word, 32), 32)


def there_and_back_32_quieting(word: int) -> int:
    """A twin that quiets signalling NaNs, as a float in the path would.

    pre: 0 <= word < 2**32
    post: __return__ == word
    """
    quiet_bit = 2**22 if word // 2**22 % 512 == 510 and word % 2**22 != 0 else 0
    return from_bytes(to_bytes(word + quiet_bit, 32), 32)


def back_and_there_32(data: bytes) -> bytes:
    """The word of some bytes has these bytes.

    pre: len(data) == 4
    post: __return__ == data
    """
    return to_bytes(from_bytes(data, 32), 32)


def refuses_word(word: int) -> bool:
    """Every integer outside 0 .. 2^12-1 is refused, and no other.

    post: __return__ == (word < 0 or word >= 2**12)
    """
    try:
        to_bytes(word, 12)
    except DoesNotFit:
        return True
    return False


def refuses_word_but_for_the_sign(word: int) -> bool:
    """A twin that takes a negative word modulo its width.

    post: __return__ == (word < 0 or word >= 2**12)
    """
    try:
        to_bytes(word % 2**12 if word < 0 else word, 12)
    except DoesNotFit:
        return True
    return False


def refuses_pad_bits(low: int, high: int) -> bool:
    """A pad bit that is set is refused.

    pre: 0 <= low < 256 and 0 <= high < 256
    post: __return__ == (high >= 16)
    """
    try:
        from_bytes(bytes([low, high]), 12)
    except DoesNotFit:
        return True
    return False


def refuses_pad_bits_when_all_set(low: int, high: int) -> bool:
    """A twin that masks pad bits away.

    pre: 0 <= low < 256 and 0 <= high < 256
    post: __return__ == (high >= 16)
    """
    try:
        from_bytes(bytes([low, high % 16]), 12)
    except DoesNotFit:
        return True
    return False


def refuses_size(size: int) -> bool:
    """Only the owed number of bytes is taken.

    pre: 0 <= size < 8
    post: __return__ == (size != 4)
    """
    try:
        from_bytes(bytes(size), 32)
    except ValueError:
        return True
    return False


def fields_of_32(word: int) -> int:
    """The fields of a word make it.

    pre: 0 <= word < 2**32
    post: __return__ == word
    """
    return join(split(word, 8, 23), 8, 23)


def fields_of_300(word: int) -> int:
    """The fields of a word make it, whatever the width.

    pre: 0 <= word < 2**300
    post: __return__ == word
    """
    return join(split(word, 60, 239), 60, 239)


def word_of_fields(sign: int, exponent: int, fraction: int) -> Fields:
    """A word's fields are those it was made of, highest first.

    pre: 0 <= sign < 2 and 0 <= exponent < 2**11 and 0 <= fraction < 2**52
    post: __return__ == (sign, exponent, fraction)
    """
    return split(join(Fields(sign, exponent, fraction), 11, 52), 11, 52)


def word_of_fields_shifted(sign: int, exponent: int, fraction: int) -> Fields:
    """A twin whose fields are cut one bit off.

    pre: 0 <= sign < 2 and 0 <= exponent < 2**11 and 0 <= fraction < 2**52
    post: __return__ == (sign, exponent, fraction)
    """
    return split(join(Fields(sign, exponent, fraction), 11, 52), 10, 53)


def refuses_fields(sign: int, exponent: int, fraction: int) -> bool:
    """A field that would spill into its neighbour is refused.

    post: __return__ == (not (0 <= sign < 2 and 0 <= exponent < 2**5 and 0 <= fraction < 2**10))
    """
    try:
        join(Fields(sign, exponent, fraction), 5, 10)
    except DoesNotFit:
        return True
    return False
