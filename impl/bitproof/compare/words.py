"""What a word says to a person: the number in decimal, the class, a NaN's payload, and how far two words are apart."""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction

from bitproof_spec.formats import NAMED, BinaryFormat, Specials
from bitproof_spec.meaning import Finite, Infinity, NaN, WordClass, classify, meaning
from bitproof_spec.rounding import nearest_even

_PLAIN = range(-4, 16)  # decimal exponents written without one
_WIDEST = 64  # bits of the widest format whose numbers are worth writing in decimal


def format_of(tag: str) -> BinaryFormat | None:
    """The binary format that a tensor's tag names, its own or a configured one's; None when it names no such format."""
    if tag in NAMED:
        return NAMED[tag]
    match tag.split("_"):
        case ["binary", exponent, fraction, bias, specials]:
            return BinaryFormat(int(exponent), int(fraction), int(bias), Specials(specials))
    return None


def parts(tag: str, word: bytes) -> list[tuple[str, bytes]]:
    """The scalars of a little-endian element, each with its tag: two for a complex number, one for any other."""
    if tag.startswith("complex(") and tag.endswith(")"):
        half = len(word) // 2
        inner = tag[len("complex(") : -1]
        return [(inner, word[:half]), (inner, word[half:])]
    return [(tag, word)]


def reading(tag: str, word: bytes) -> str:
    """The element as text: decimal numbers, NaNs with sign, kind and payload; "" when the tag names no number."""
    return ", ".join(filter(None, (_scalar(*part) for part in parts(tag, word))))


def distance(tag: str, left: bytes, right: bytes) -> str:
    """How far apart two elements are: in units in the last place for binary formats, as a difference for integers.

    A NaN is nowhere, so that its part says nothing.
    """
    found = (_apart(part, a, b) for (part, a), (_, b) in zip(parts(tag, left), parts(tag, right), strict=True))
    return ", ".join(filter(None, found))


def ulps(format: BinaryFormat, left: int, right: int) -> int | None:
    """The number of words from one to the other, each number counted once and both zeros as one; None with a NaN.

    An infinity is the word after the largest number.
    """
    if any(classify(format, word) in (WordClass.QUIET_NAN, WordClass.SIGNALLING_NAN) for word in (left, right)):
        return None
    return abs(_ordinal(format, left) - _ordinal(format, right))


def decimal(format: BinaryFormat, word: int) -> str:
    """The shortest decimal number that rounds to this word of a finite number and to no other."""
    value = meaning(format, word)
    if not isinstance(value, Finite):
        raise ValueError(f"{word:#x} is no finite number of {format.tag}")
    magnitude, bare = value.magnitude, word % format.sign_word
    digits = 1
    while nearest_even(format, Fraction(_rounded(magnitude, digits))) != bare:
        digits += 1
    return "-" * value.sign + _written(_rounded(magnitude, digits))


def _scalar(tag: str, word: bytes) -> str:
    format, bits = format_of(tag), int.from_bytes(word, "little")
    if format is not None:
        return _number(format, bits)
    if tag == "bool":
        return "true" if bits else "false"
    if tag.startswith(("int", "uint")):
        return str(_integer(tag, word))
    return ""


def _number(format: BinaryFormat, word: int) -> str:
    value = meaning(format, word)
    if isinstance(value, Infinity):
        return "-inf" if value.sign else "inf"
    if isinstance(value, NaN):
        return f"{'-' * value.sign}{'signalling' if value.signalling else 'quiet'} NaN, payload {value.payload:#x}"
    if format.bits > _WIDEST:
        return ""
    return decimal(format, word) + ", subnormal" * (classify(format, word) is WordClass.SUBNORMAL)


def _apart(tag: str, left: bytes, right: bytes) -> str:
    format = format_of(tag)
    if format is not None:
        steps = ulps(format, int.from_bytes(left, "little"), int.from_bytes(right, "little"))
        return "" if steps is None else f"{steps:,} ulp"
    return f"by {abs(_integer(tag, left) - _integer(tag, right))}" if tag.startswith(("int", "uint")) else ""


def _integer(tag: str, word: bytes) -> int:
    return int.from_bytes(word, "little", signed=tag.startswith("int"))


def _ordinal(format: BinaryFormat, word: int) -> int:
    """Place of a word among the format's numbers; 0 for both zeros."""
    sign, magnitude = divmod(word, format.sign_word)
    return -magnitude if sign else magnitude


def _rounded(magnitude: Fraction, digits: int) -> Decimal:
    return Context(prec=digits).divide(Decimal(magnitude.numerator), Decimal(magnitude.denominator))


def _written(number: Decimal) -> str:
    """As a programmer writes it: 0.1, 1.0, 1.5e-45."""
    if number.adjusted() in _PLAIN:
        text = f"{number:f}"
        return text if "." in text else text + ".0"
    mantissa, _, exponent = f"{number:e}".partition("e")
    return f"{mantissa}e{int(exponent)}"
