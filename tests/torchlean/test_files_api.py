"""Files without a runtime: hand-made documents are judged before they are written, hostile files cost no memory."""

from __future__ import annotations

import os
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bitproof.torchlean import StateError, files
from bitproof_spec.document import Block
from bitproof_spec.format import Format, OfBytes
from bitproof_spec.torchlean.encodings import FLOAT, FLOAT32, encoding_of
from bitproof_spec.torchlean.json_state import TLJSON, JsonFormat, JsonState
from bitproof_spec.torchlean.optimizer_document import Entry
from bitproof_spec.torchlean.optimizer_file import OptimizerFile
from bitproof_spec.torchlean.streamed import TLSF32B, Streamed, Tensors
from bitproof_spec.torchlean.vectors.optimizer_files import KNOWN, TIED
from tests.torchlean.builders import block32, nats

OPTIMIZER = OptimizerFile()
RANK = Tensors((block32((1,) * 1025, [7]),))
MOMENT = block32((2,), [1, 2])


@pytest.mark.parametrize(
    ("format", "document", "rules"),
    [
        (TLSF32B, RANK, ["TLS-RNK-01"]),
        (Streamed(max_bytes=7), Tensors((MOMENT,)), ["TLS-MAX-01"]),
        (TLJSON, JsonState(FLOAT32.tag, tuple(RANK.blocks)), ["TLJ-SHP-02"]),
        (OPTIMIZER, replace(KNOWN, config=replace(KNOWN.config, beta1=0x7FF8000000000000)), ["TLA-CFG-02"]),
        (OPTIMIZER, replace(KNOWN, entries=()), ["TLA-ENT-01"]),
        (OPTIMIZER, replace(KNOWN, entries=(replace(KNOWN.entries[0], step=0),)), ["TLA-ENT-05"]),
    ],
)
def test_a_document_that_a_reader_would_refuse_is_not_written(
    format: Format[Any], document: Any, rules: list[str], tmp_path: Path
) -> None:
    with pytest.raises(StateError) as refused:
        files.write(tmp_path / "f", format, document)
    assert [violation.rule for violation in refused.value.violations] == rules
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("format", "document", "says"),
    [
        (TLSF32B, Tensors((Block("binary64", (1,), bytes(8)),)), "binary64"),
        (TLSF32B, Tensors((Block("binary32", (2,), bytes(4)),)), "is none"),
        (TLJSON, JsonState("float", ()), "no tag"),
        (TLJSON, JsonState(FLOAT.tag, (MOMENT,)), "tensor 0: binary32"),
        (TLJSON, JsonState(FLOAT.tag, (Block("binary64", (2,), bytes(15)),)), "15 bytes"),
        (OPTIMIZER, replace(KNOWN, counter=None), "version 4"),
        (OPTIMIZER, replace(KNOWN, version=3), "version 3"),
        (OPTIMIZER, replace(KNOWN, version=5), "version 5"),
        (OPTIMIZER, replace(TIED, version=2, counter=None), "aliases"),
        (OPTIMIZER, replace(KNOWN, counter=2**64), "64 bits"),
        (OPTIMIZER, replace(KNOWN, entries=(Entry(0, 1, MOMENT, block32((1,), [1])),)), "a moment binary32[1]"),
        (OPTIMIZER, replace(KNOWN, entries=(Entry(4, 1, MOMENT, MOMENT),)), "slot 4 of 1"),
    ],
)
def test_what_no_file_can_say_is_a_mistake_of_the_caller(
    format: Format[Any], document: Any, says: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=says.replace("[", r"\[")):
        files.write(tmp_path / "f", format, document)
    assert os.listdir(tmp_path) == []


def test_documents_come_back_from_their_files_equal(tmp_path: Path) -> None:
    state = JsonState(FLOAT.tag, (Block(FLOAT.storage, (2, 1), bytes(range(16))),))
    cases: list[tuple[Any, Any, Callable[[Path], object]]] = [
        (TLSF32B, Tensors((MOMENT, block32((), [9]))), files.read_streamed),
        (TLJSON, state, files.read_json),
        (OPTIMIZER, TIED, files.read_optimizer),
    ]
    for format, document, read in cases:
        files.write(tmp_path / "f", format, document, durable=False)
        assert read(tmp_path / "f") == document


WIDE = "torchlean_state_complex_v1(" * 16 + "torchlean_state_binary_11_4084_1023_ieee_v1" + ")" * 16
DEEP = f'{{"format": "{WIDE}", "state": [{{"shape": [], "values": [{"1," * 999}1]}}]}}'


@pytest.mark.parametrize(
    ("file", "read", "rule"),
    [
        ((b"TLSF32B" + nats(1, 1, 1, 2**40, 2**40)).ljust(1024, b"\0"), files.read_streamed, "TLS-PAY-01"),
        (b"TLSF32B" + nats(1, 2**20), files.read_streamed, "TLS-EOF-01"),
        (b"TLADAMF" + nats(4, 0, 1, 2, 0x3E45798EE2308C3A, 0, 5, 2**20), files.read_optimizer, "TLA-EOF-01"),
        (
            b"TLADAMF" + nats(4, 0, 1, 2, 0x3E45798EE2308C3A, 0, 5, 1, 1, 2**40, 2**40, 1, 1, 1, 0, 1, 2**40),
            files.read_optimizer,
            "TLA-PAY-01",
        ),
        (
            b'{"format": "torchlean_state_bits_v1", "state": [{"shape": [4294967296, 4294967296], "values": []}]}',
            files.read_json,
            "TLJ-CNT-01",
        ),
        (DEEP.encode(), files.read_json, "TLJ-SCA-01"),
    ],
    ids=["elements", "tensors", "slots", "moments", "product", "nesting"],
)
def test_g1_g3_a_small_file_that_claims_much_is_refused_in_little_memory(
    file: bytes, read: Callable[[Path], object], rule: str, tmp_path: Path
) -> None:
    (tmp_path / "f").write_bytes(file)
    assert encoding_of(WIDE) is not None
    with pytest.raises(StateError):
        read(tmp_path / "f")  # imports are done
    tracemalloc.start()
    try:
        with pytest.raises(StateError) as refused:
            read(tmp_path / "f")
        assert tracemalloc.get_traced_memory()[1] < 10 << 20
    finally:
        tracemalloc.stop()
    assert refused.value.violations[0].rule == rule


def test_g1_a_budget_on_a_json_state_is_kept_before_its_words_are_made() -> None:
    tag = "torchlean_state_binary_11_4084_1023_ieee_v1"
    text = f'{{"format": "{tag}", "state": [{{"shape": [40000], "values": [{"0," * 39999}0]}}]}}'.encode()
    view = OfBytes(text)
    tracemalloc.start()
    try:
        verdict = JsonFormat(max_bytes=512 * 40000 - 1).judge(view)
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()
    assert [violation.rule for violation in verdict] == ["TLJ-MAX-01"]  # type: ignore[union-attr]  # it is refused


@pytest.mark.parametrize("read", [files.read_streamed, files.read_json, files.read_optimizer])
@pytest.mark.parametrize("content", [b"", b"\0" * 64, b"version https://git-lfs.github.com/spec/v1\n", b"PK\x03\x04"])
def test_v4_empty_and_foreign_files_are_refused_as_such(
    content: bytes, read: Callable[[Path], object], tmp_path: Path
) -> None:
    (tmp_path / "f").write_bytes(content)
    with pytest.raises(StateError) as refused:
        read(tmp_path / "f")
    assert refused.value.violations[0].rule[4:] in {"EOF-01", "HDR-01", "TXT-01"}
    assert refused.value.subject.endswith("/f")
