"""What an accepted file could do better: findings of severity "advice", which never refuse it."""

from __future__ import annotations

from bitproof_spec.canonical_json import canonical
from bitproof_spec.document import first_difference
from bitproof_spec.findings import Findings
from bitproof_spec.format import View
from bitproof_spec.klyn.constants import ABSENT_LOSS, HEADER_SIZE, MANIFEST_LIMIT
from bitproof_spec.klyn.header import span, unpack
from bitproof_spec.klyn.text import limits
from bitproof_spec.strict_json import JsonFault, parse
from bitproof_spec.violations import Violation


def advise(view: View, without: frozenset[str] = frozenset()) -> tuple[Violation, ...]:
    """Advice on a file that the judge accepts; nothing for one without a readable manifest, nor of rules `without`."""
    header = unpack(view.look("KNN-HDR-01", 0, HEADER_SIZE))
    text = view.look("KNN-TXT-01", HEADER_SIZE, min(header.manifest_length, MANIFEST_LIMIT))
    value = parse(text, limits(text))
    if isinstance(value, JsonFault):
        return ()
    findings = Findings(without)
    owed = canonical(value)
    at = first_difference(text, owed)
    if at is not None:
        where = span(HEADER_SIZE + at, HEADER_SIZE + at + 1)
        findings.add("KNN-ADV-01", where, _around(text, at), _around(owed, at))
    training = value.get("training") if isinstance(value, dict) else None
    if isinstance(training, dict) and "loss" not in training:
        findings.add("KNN-ADV-02", "/training/loss", "absent", f'"{ABSENT_LOSS}", written out')
    return tuple(findings.verdict() or ())


def _around(text: bytes, at: int) -> str:
    """A few bytes of a text from an offset."""
    return ascii(text[at : at + 16].decode("utf-8", "replace")) if at < len(text) else "the end"
