"""TLADAMF: the known file byte for byte, versions 2 to 4, every check in its order, all findings collected."""

from __future__ import annotations

import struct
from dataclasses import replace

import pytest

from bitproof_spec.format import OfBytes, encode
from bitproof_spec.torchlean.optimizer_document import ADAM, ADAMW, Config, Entry, OptimizerState, SlotSchema
from bitproof_spec.torchlean.optimizer_file import OptimizerFile
from bitproof_spec.violations import Violations
from tests.torchlean.builders import block32, nats

KNOWN = (
    "544c4144414d4604000000000000000000000000000000cdccccccccccec3f2b8716d9cef7ef3f3a8c30e28e79453e0000000000000000"
    "0500000000000000010000000000000001000000000000000200000000000000020000000000000001000000000000000100000000000000"
    "01000000000000000000000000000000070000000000000002000000000000000000803e000000bf0000c03f00000040"
)
FORMAT = OptimizerFile()
ONE, HALF, NAN = 0x3FF0000000000000, 0x3FE0000000000000, 0x7FF8000000000000
CONFIG = Config(ADAMW, HALF, 0x3FEF7CED916872B0, 0x3E7AD7F29ABCAF48, 0x3FA999999999999A)
SLOTS = (SlotSchema((2,), True, 0), SlotSchema((), False, None), SlotSchema((2,), True, 0), SlotSchema((3, 0), True, 3))
ENTRIES = (
    Entry(0, 7, block32((2,), [0x7F800001, 0x80000000]), block32((2,), [1, 0x7F800000])),
    Entry(3, 2**40, block32((3, 0), []), block32((3, 0), [])),
)
WHOLE = OptimizerState(4, CONFIG, 2**64 - 1, SLOTS, ENTRIES)


def rules(file: bytes) -> list[str]:
    verdict = FORMAT.judge(OfBytes(file))
    return [violation.rule for violation in verdict] if isinstance(verdict, Violations) else []


def config(*changed: tuple[str, int]) -> bytes:
    return encode(FORMAT, replace(WHOLE, config=replace(CONFIG, **dict(changed))))


def test_the_known_file_is_read_and_written_byte_for_byte() -> None:
    file = bytes.fromhex(KNOWN)
    words = [struct.unpack("<Q", struct.pack("<d", x))[0] for x in (0.9, 0.999, 1e-8, 0.0)]
    first, second = struct.pack("<2f", 0.25, -0.5), struct.pack("<2f", 1.5, 2.0)
    entry = Entry(0, 7, replace(block32((2,), [0, 0]), data=first), replace(block32((2,), [0, 0]), data=second))
    document = OptimizerState(4, Config(ADAM, *words), 5, (SlotSchema((2,), True, 0),), (entry,))
    assert FORMAT.judge(OfBytes(file)) == document
    assert encode(FORMAT, document) == file


def test_frozen_aliased_and_empty_slots_come_back_with_signalling_nans_in_the_moments() -> None:
    assert FORMAT.judge(OfBytes(encode(FORMAT, WHOLE))) == WHOLE


@pytest.mark.parametrize("version", [2, 3])
def test_legacy_versions_come_back_without_counter_and_version_2_without_aliases(version: int) -> None:
    slots = SLOTS if version == 3 else tuple(replace(s, owner=i if s.trainable else None) for i, s in enumerate(SLOTS))
    entries = ENTRIES if version == 3 else (ENTRIES[0], replace(ENTRIES[0], slot=2), ENTRIES[1])
    legacy = OptimizerState(version, CONFIG, None, slots, entries)
    assert FORMAT.judge(OfBytes(encode(FORMAT, legacy))) == legacy
    assert legacy.legacy


def test_entries_are_written_in_slot_order_and_read_in_any() -> None:
    with pytest.raises(ValueError, match="slot order"):
        encode(FORMAT, replace(WHOLE, entries=ENTRIES[::-1]))
    first = encode(FORMAT, replace(WHOLE, entries=()))[:-8]
    bodies = [nats(3, 2**40, 0), nats(0, 7, 2) + bytes(ENTRIES[0].first.data) + bytes(ENTRIES[0].second.data)]
    assert FORMAT.judge(OfBytes(first + nats(2) + b"".join(bodies))) == WHOLE


def test_every_truncation_and_every_extension_is_refused_as_such() -> None:
    file = encode(FORMAT, WHOLE)
    for length in range(len(file)):
        assert rules(file[:length])[-1] in ("TLA-EOF-01", "TLA-PAY-01"), length
    assert rules(file + b"\0") == ["TLA-END-01"]


@pytest.mark.parametrize(
    ("file", "rule"),
    [
        (b"TLADAMG" + nats(4), "TLA-HDR-01"),
        (b"TLADAMF" + nats(1), "TLA-HDR-02"),
        (b"TLADAMF" + nats(5), "TLA-HDR-02"),
        (config(("kind", 2)), "TLA-CFG-01"),
        (config(("beta1", ONE)), "TLA-CFG-02"),
        (config(("beta1", HALF | 1 << 63)), "TLA-CFG-02"),
        (config(("beta2", NAN)), "TLA-CFG-03"),
        (config(("epsilon", 0)), "TLA-CFG-04"),
        (config(("epsilon", 0x7FF0000000000000)), "TLA-CFG-04"),
        (config(("epsilon", 0x3600000000000000)), "TLA-CFG-04"),  # 2^-159 rounds to 0 in binary32
        (config(("epsilon", 0x47F0000000000000)), "TLA-CFG-04"),  # 2^128 rounds to infinity there
        (config(("weight_decay", 0x7FF0000000000000)), "TLA-CFG-05"),
        (config(("weight_decay", HALF | 1 << 63)), "TLA-CFG-05"),
        (encode(FORMAT, replace(WHOLE, config=replace(CONFIG, kind=ADAM))), "TLA-CFG-05"),
    ],
)
def test_header_and_configuration_are_judged_by_their_words(file: bytes, rule: str) -> None:
    assert rules(file) == [rule]


def test_minus_zero_is_a_zero_where_values_are_compared() -> None:
    assert rules(config(("beta1", 1 << 63), ("weight_decay", 1 << 63))) == []


HEAD = b"TLADAMF" + nats(4, ADAM, HALF, HALF, HALF, 0, 9)
SLOT = nats(1, 2, 2, 1)
ENTRY = nats(0, 3, 2) + bytes(16)


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        (nats(2**20 + 1), "TLA-CNT-01"),
        (nats(1, 1025), "TLA-RNK-01"),
        (nats(1, 1, 2, 3, 0) + nats(0, 0), "TLA-SIZ-01"),
        (nats(1, 1, 2, 2, 2) + nats(1) + nats(1) + ENTRY, "TLA-FLG-01"),
        (nats(1) + nats(1, 2, 2, 0) + nats(1) + nats(0), "TLA-ALS-01"),
        (nats(1) + SLOT + nats(0) + nats(1) + ENTRY, "TLA-ALS-01"),
        (nats(1) + SLOT + nats(2) + nats(1) + ENTRY, "TLA-ALS-02"),
        (nats(2) + nats(1, 2, 2, 0) + SLOT + nats(0, 1) + nats(0), "TLA-ALS-03"),
        (nats(2) + nats(1, 3, 3, 1) + SLOT + nats(1, 1) + nats(1, 0, 3, 3) + bytes(24), "TLA-ALS-04"),
        (nats(1) + SLOT + nats(1) + nats(0), "TLA-ENT-01"),
        (nats(1) + SLOT + nats(1) + nats(1) + nats(9, 3, 2) + bytes(16), "TLA-ENT-03"),
        (nats(1) + SLOT + nats(1) + nats(1) + nats(0, 0, 2) + bytes(16), "TLA-ENT-05"),
        (nats(1) + SLOT + nats(1) + nats(1) + nats(0, 3, 1) + bytes(8), "TLA-ENT-06"),
        (nats(1) + SLOT + nats(1) + nats(1) + nats(0, 3, 2) + bytes(15), "TLA-PAY-01"),
    ],
)
def test_schema_and_entries_each_have_their_rule(body: bytes, rule: str) -> None:
    assert rules(HEAD + body) == [rule]


def test_a_slot_twice_and_a_slot_that_owns_nothing_are_told_apart() -> None:
    two = nats(3) + SLOT + SLOT + nats(1, 2, 2, 0) + nats(1, 2, 0) + nats(2)
    assert rules(HEAD + two + ENTRY + ENTRY) == ["TLA-ENT-02"]
    assert rules(HEAD + two + ENTRY + nats(2, 3, 2) + bytes(16)) == ["TLA-ENT-04"]


def test_all_findings_are_collected_in_the_order_of_the_file() -> None:
    file = b"TLADAMF" + nats(4, 7, ONE, NAN, 0, NAN, 0) + nats(1, 1, 2, 3, 2) + nats(1, 1, 0, 0, 2) + bytes(17)
    assert rules(file) == [f"TLA-CFG-0{i}" for i in range(1, 6)] + [
        "TLA-SIZ-01",
        "TLA-FLG-01",
        "TLA-ENT-05",
        "TLA-END-01",
    ]


def test_a_budget_counts_both_moments_and_is_inclusive() -> None:
    file = encode(FORMAT, WHOLE)
    assert not isinstance(OptimizerFile(max_bytes=16).judge(OfBytes(file)), Violations)
    over = OptimizerFile(max_bytes=15).judge(OfBytes(file))
    assert isinstance(over, Violations)
    assert [v.rule for v in over] == ["TLA-MAX-01"]
