"""The law of tags: different formats have different tags, configured, native and complex ones.

z3 proves it of the text that the code makes, which is run with a marker in the place of each parameter and cut at the
markers. It doesn't decide the equation of two whole tags at once, so that is taken apart from the left: what begins
both alike is taken off; of two texts that begin with digits and a separator, these end at the same place (`cut`), so
the numbers are equal and so is what follows; what is left at last are the specials before a common end. Complex tags
are told apart at every depth by induction: two of them differ as those of their parts do, and none of them is a real
tag. That digits here are Python's is by definition: both write a natural in decimal without leading zeros.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations, product
from typing import NamedTuple

import z3

from bitproof_spec.formats import BinaryFormat, Specials
from bitproof_spec.torchlean.encodings import FLOAT, FLOAT32, complex_tag, state_tag
from proofs.law import Law, Result, part
from proofs.solver import prove

HOLES = ("<exponent>", "<fraction>", "<bias>")
SPECIALS = "<specials>"

TagOf = Callable[[BinaryFormat], str]


@dataclass(frozen=True)
class Marked:
    """What `BinaryFormat.tag` reads, a marker in the place of each parameter."""

    exponent_bits: str = HOLES[0]
    fraction_bits: str = HOLES[1]
    bias: str = HOLES[2]

    @property
    def specials(self) -> Marked:
        """Itself, since only the specials' value is read."""
        return self

    @property
    def value(self) -> str:
        """The specials' marker."""
        return SPECIALS


def pieces(tag_of: TagOf) -> list[str]:
    """The text of a tag, cut before and after each marker."""
    text = tag_of(Marked())  # type: ignore[arg-type]  # it has what the tag reads
    for marker in (*HOLES, SPECIALS):
        text = text.replace(marker, f"\0{marker}\0")
    return [piece for piece in text.split("\0") if piece]


def told_apart(tag_of: TagOf) -> Result:
    """Formats with one tag have equal parameters: refuted by small formats, or proved of all."""
    seen: dict[str, BinaryFormat] = {}
    for exponent, fraction, bias, specials in product(range(2, 23), range(1, 23), (1, 2), Specials):
        format = BinaryFormat(exponent, fraction, bias, specials)
        other = seen.setdefault(tag_of(format), format)
        if other != format:
            return Result("refuted", 1, f"{other} and {format} have the tag {tag_of(format)}")
    text = pieces(tag_of)
    if [piece for piece in text if piece in (*HOLES, SPECIALS)] != [*HOLES, SPECIALS]:
        return Result("unknown", 0, "not each parameter once, the specials last")
    separators = dict.fromkeys(text[text.index(hole) + 1] for hole in HOLES)
    ending = "".join(text[text.index(SPECIALS) + 1 :])
    return prove({**opening(text[0]), **{k: v for each in separators for k, v in cut(each).items()}, **closing(ending)})


def opening(literal: str) -> Mapping[str, z3.BoolRef]:
    """What begins every tag alike can be taken off."""
    one, other, begin = z3.String("one"), z3.String("other"), z3.StringVal(literal)
    return {"a common beginning": z3.Implies(begin + one == begin + other, one == other)}


def closing(literal: str) -> Mapping[str, z3.BoolRef]:
    """What ends every tag alike can be taken off, which leaves the specials; and these differ."""
    one, other, end = z3.String("one"), z3.String("other"), z3.StringVal(literal)
    words = [z3.StringVal(each.value) for each in Specials]
    return {
        "a common end": z3.Implies(one + end == other + end, one == other),
        "specials": z3.And([one != other for one, other in combinations(words, 2)]),
    }


def cut(text: str) -> Mapping[str, z3.BoolRef]:
    """Digits, a separator, a rest: equal texts are of equal numbers and have equal rests.

    The lemmas hold of any strings and naturals; the last claim puts them together for those that the texts begin with.
    """
    separator = z3.StringVal(text)
    m, n = z3.Ints("m n")
    x, y, rest, other, a, b = z3.Strings("x y rest other a b")
    same = x + separator + rest == y + separator + other
    digits, others = z3.IntToStr(m), z3.IntToStr(n)

    def longer(long: z3.SeqRef, short: z3.SeqRef) -> z3.BoolRef:
        start = z3.Length(short) + len(text)
        tail = z3.SubString(long, start, z3.Length(long) - start)
        return z3.Implies(z3.Length(short) < z3.Length(long), long == short + separator + tail)

    def never(long: z3.SeqRef, short: z3.SeqRef) -> z3.BoolRef:
        start = z3.Length(short) + len(text)
        return long != short + separator + z3.SubString(long, start, z3.Length(long) - start)

    level = z3.Implies(z3.And(same, z3.Length(x) == z3.Length(y)), z3.And(x == y, rest == other))
    number = z3.Implies(x == y, m == n)  # as "equal digits are of equal numbers" says
    lemmas = z3.And(longer(x, y), longer(y, x), never(x, y), never(y, x), level, number)
    return {
        f"of two beginnings the longer holds the separator {text!r}": z3.Implies(same, longer(x, y)),
        f"digits never hold the separator {text!r}": z3.Implies(m >= 0, digits != a + separator + b),
        f"beginnings of one length are equal before {text!r}": level,
        "equal digits are of equal numbers": z3.Implies(z3.And(m >= 0, n >= 0, digits == others), m == n),
        f"all together before {text!r}": z3.Implies(z3.And(same, lemmas), z3.And(m == n, rest == other)),
    }


class Tags(NamedTuple):
    """How every kind of tag is made."""

    native: tuple[str, ...]
    configured: TagOf
    paired: Callable[[str], str]


def kinds_told_apart(tags: Tags) -> Result:
    """Native, configured and complex tags differ from each other; complex ones differ as those of their parts do."""
    mark = "<part>"
    begin, _, end = tags.paired(mark).partition(mark)
    named = mark in tags.paired(mark)
    x, y, rest = z3.Strings("x y rest")

    def paired(inner: z3.SeqRef) -> z3.SeqRef:
        return z3.Concat(z3.StringVal(begin), inner, z3.StringVal(end)) if named else z3.StringVal(begin)

    configured = z3.Concat(z3.StringVal(pieces(tags.configured)[0]), rest)
    native = [z3.StringVal(tag) for tag in tags.native]
    claims = {
        "native tags": z3.And([one != other for one, other in combinations(native, 2)]),
        "native and configured": z3.And([tag != configured for tag in native]),
        "complex and native": z3.And([paired(x) != tag for tag in native]),
        "complex and configured": paired(x) != configured,
        "complex tags": z3.Implies(paired(x) == paired(y), x == y),
    }
    return prove(claims)


def tag_without_bias(format: BinaryFormat) -> str:
    """A twin: the bias of most formats goes without saying, but not of all."""
    return state_tag(f"binary_{format.exponent_bits}_{format.fraction_bits}_{format.specials.value}")


def tag_without_separators(format: BinaryFormat) -> str:
    """A twin: 1 and 11 bits read like 11 and 1."""
    return state_tag(f"binary_{format.exponent_bits}{format.fraction_bits}_{format.bias}_{format.specials.value}")


def tag_of_width(format: BinaryFormat) -> str:
    """A twin: formats of one width are taken for each other."""
    return state_tag(f"binary_{format.exponent_bits}_{format.bias}_{format.specials.value}")


def configured_tag(format: BinaryFormat) -> str:
    """The state tag of a format."""
    return state_tag(tag_of_format(format))


def tag_of_format(format: BinaryFormat) -> str:
    """The format's own tag, by the code of `BinaryFormat` whatever stands in for one."""
    return str(vars(BinaryFormat)["tag"].fget(format))


NATIVE = (FLOAT.tag, FLOAT32.tag)
TAGS = Tags(NATIVE, configured_tag, complex_tag)
BINARY64_TAG = "torchlean_state_binary_11_52_1023_ieee_v1"

LAW = Law(
    id="tags",
    statement="different formats have different tags, in states and blocks, complex ones at every depth",
    committed="proved",
    parts=(
        part(
            "tags of configured states tell every parameter",
            "z3",
            "proved",
            told_apart,
            configured_tag,
            {
                "without the bias": tag_without_bias,
                "without separators": tag_without_separators,
                "without the fraction": tag_of_width,
            },
        ),
        part(
            "tags of blocks tell every parameter",
            "z3",
            "proved",
            told_apart,
            tag_of_format,
            {"the width alone": lambda format: f"binary_{format.bits}"},
        ),
        part(
            "native, configured and complex tags differ",
            "z3",
            "proved",
            kinds_told_apart,
            TAGS,
            {
                "one tag for both native floats": TAGS._replace(native=(FLOAT.tag, FLOAT.tag)),
                "native binary64 as a configured format": TAGS._replace(native=(BINARY64_TAG, FLOAT32.tag)),
                "a complex tag that doesn't name its parts": TAGS._replace(paired=lambda _: "torchlean_state_complex"),
            },
        ),
    ),
)
