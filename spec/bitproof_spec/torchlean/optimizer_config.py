"""The configuration of a TLADAMF file: kind and four binary64 words, each judged by its bits."""

from __future__ import annotations

from collections.abc import Iterator

from bitproof_spec.conversion import round_word
from bitproof_spec.findings import Findings
from bitproof_spec.format import Segment
from bitproof_spec.formats import BINARY32, BINARY64
from bitproof_spec.torchlean.framing import Cursor, nat64, span
from bitproof_spec.torchlean.optimizer_document import ADAM, KINDS, Config

ONE = 0x3FF0000000000000
INFINITY = 0x7FF0000000000000
INFINITY32 = 0x7F800000
MINUS_ZERO = 1 << 63


def segments(config: Config) -> Iterator[Segment]:
    """The five numbers in file order."""
    yield Segment("TLA-CFG-01", nat64(config.kind))
    yield Segment("TLA-CFG-02", nat64(config.beta1))
    yield Segment("TLA-CFG-03", nat64(config.beta2))
    yield Segment("TLA-CFG-04", nat64(config.epsilon))
    yield Segment("TLA-CFG-05", nat64(config.weight_decay))


def read(cursor: Cursor, findings: Findings) -> Config:
    """The next five numbers, all of them judged."""
    start = cursor.at
    kind = cursor.nat("TLA-CFG-01")
    beta1, beta2 = cursor.nat("TLA-CFG-02"), cursor.nat("TLA-CFG-03")
    epsilon, decay = cursor.nat("TLA-CFG-04"), cursor.nat("TLA-CFG-05")
    judge(Config(kind, beta1, beta2, epsilon, decay), findings, start)
    return Config(kind, beta1, beta2, epsilon, decay)


def judge(config: Config, findings: Findings, start: int) -> None:
    """Judge all five; `start` is the configuration's first byte in the file.

    Kind known; betas finite in [0, 1); epsilon finite and > 0, as binary32 too; decay 0 (Adam) or finite >= 0 (AdamW).
    """
    beta_owed = "finite, in [0, 1)"
    findings.owe(config.kind in KINDS, "TLA-CFG-01", span(start, 8), config.kind, "0 (Adam) or 1 (AdamW)")
    for rule, at, beta in (("TLA-CFG-02", 8, config.beta1), ("TLA-CFG-03", 16, config.beta2)):
        findings.owe(_non_negative(beta, below=ONE), rule, span(start + at, 8), _real(beta), beta_owed)
    epsilon, owed = config.epsilon, "finite and > 0, as binary32 too"
    findings.owe(is_epsilon(epsilon), "TLA-CFG-04", span(start + 24, 8), _real(epsilon), owed)
    limit, owed = (1, "0 for Adam") if config.kind == ADAM else (INFINITY, "finite and >= 0 for AdamW")
    decay = config.weight_decay
    findings.owe(_non_negative(decay, below=limit), "TLA-CFG-05", span(start + 32, 8), _real(decay), owed)


def is_epsilon(word: int) -> bool:
    """Whether a binary64 word is finite and positive, and still so when rounded to binary32."""
    if not 0 < word < INFINITY:
        return False
    return 0 < round_word(BINARY64, BINARY32, word) < INFINITY32


def _non_negative(word: int, *, below: int) -> bool:
    """Whether the value is in [0, the value of `below`); -0 is 0 in a comparison of values."""
    return word < below or word == MINUS_ZERO


def _real(word: int) -> str:
    return f"{word:016x}"
