"""TLADAMF: the optimizer's moments, its configuration and the random counter; version 4 is written, 2 to 4 are read.

    "TLADAMF", nat64 version; nat64 kind, beta1, beta2, epsilon, weight decay (binary64 words); [4: nat64 counter]
    nat64 slot count; per slot nat64 rank, dims, element count, requiresGrad 0/1; [3, 4: per slot alias tag]
    nat64 entry count; per entry nat64 slot, step, element count, first moments, second moments (binary32)

Normative document: spec/torchlean.md, clauses TLA-….
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bitproof_spec.findings import Findings, counted
from bitproof_spec.format import Segment, View
from bitproof_spec.torchlean import optimizer_config, optimizer_entries, optimizer_schema
from bitproof_spec.torchlean.framing import MAGIC_LENGTH, Cursor, EndOfFile, nat64, span
from bitproof_spec.torchlean.optimizer_document import ADAM, Config, OptimizerState, SlotSchema
from bitproof_spec.violations import Violations

MAGIC = b"TLADAMF"
WRITE_VERSION = 4
READ_VERSIONS = (2, 3, 4)


@dataclass(frozen=True)
class OptimizerFile:
    """The TLADAMF format. `max_bytes` bounds the sum of moment bytes, inclusive, before a payload is read."""

    max_bytes: int | None = None
    without: frozenset[str] = frozenset()

    name = "tladamf"
    canonical = False  # entries are read in any order

    def segments(self, document: OptimizerState, /) -> Iterator[Segment]:
        """The file of the document's own version; ValueError for a number above 64 bits, and for what it can't say."""
        _owe_sayable(document)
        yield Segment("TLA-HDR-01", MAGIC)
        yield Segment("TLA-HDR-02", nat64(document.version))
        yield from optimizer_config.segments(document.config)
        if document.version >= WRITE_VERSION:
            yield Segment("TLA-CTR-01", nat64(document.counter or 0))
        yield from optimizer_schema.segments(document.slots, aliases=document.version > 2)
        yield from optimizer_entries.segments(document.entries, document.slots)

    def judge(self, view: View, /) -> OptimizerState | Violations:
        """Magic, version, configuration, counter, slots, aliases, entries, then no byte more."""
        findings, reading = Findings(self.without), _Reading(Cursor(view))
        try:
            if reading.header(findings) and reading.body(findings):
                reading.end(findings)
        except EndOfFile as end:
            end.report(findings, "TLA-EOF-01", "TLA-PAY-01")
        total = 2 * sum(place.length for place in reading.places)
        if self.max_bytes is not None:
            over = f"{counted(total, 'byte')} of moments"
            findings.owe(total <= self.max_bytes, "TLA-MAX-01", "/", over, f"at most {self.max_bytes}")
        verdict = findings.verdict()
        return reading.document(view) if verdict is None else verdict


def _owe_sayable(document: OptimizerState) -> None:
    """ValueError where the version's file would say something else: a counter since 4, aliases since 3."""
    if document.version not in READ_VERSIONS or document.legacy == (document.version >= WRITE_VERSION):
        raise ValueError(f"no file of version {document.version} with a random counter of {document.counter}")
    aliased = any(slot.owner != (index if slot.trainable else None) for index, slot in enumerate(document.slots))
    if document.version == 2 and aliased:
        raise ValueError("no file of version 2 with aliases")


class _Reading:
    """What was read so far, front to back."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._version = 0
        self._config = Config(ADAM, 0, 0, 0, 0)
        self._counter: int | None = None
        self._slots: list[SlotSchema] = []
        self.places: list[optimizer_entries.Place] = []

    def header(self, findings: Findings) -> bool:
        """Magic and version; false where the reading can't go on."""
        magic = self._cursor.take("TLA-HDR-01", MAGIC_LENGTH)
        if not findings.owe(magic == MAGIC, "TLA-HDR-01", span(0, 7), magic.hex(), MAGIC.hex()):
            return False
        self._version = self._cursor.nat("TLA-HDR-02")
        found = f"5 (typed moments, newer than {WRITE_VERSION})" if self._version == 5 else str(self._version)
        return findings.owe(self._version in READ_VERSIONS, "TLA-HDR-02", span(7, 8), found, "2, 3 or 4")

    def body(self, findings: Findings) -> bool:
        """Configuration, counter, slots and entries; false where the reading can't go on."""
        cursor = self._cursor
        self._config = optimizer_config.read(cursor, findings)
        if self._version >= WRITE_VERSION:
            self._counter = cursor.nat("TLA-CTR-01")
        aliases = self._version > 2
        return optimizer_schema.read(cursor, findings, self._slots, aliases=aliases) and optimizer_entries.read(
            cursor, findings, self._slots, self.places
        )

    def end(self, findings: Findings) -> None:
        """No byte follows."""
        left = self._cursor.left
        findings.owe(left == 0, "TLA-END-01", span(self._cursor.at, left), counted(left, "byte"), "none")

    def document(self, view: View) -> OptimizerState:
        """The document, its payloads read now."""
        entries = optimizer_entries.load(view, self.places)
        return OptimizerState(self._version, self._config, self._counter, tuple(self._slots), entries)
