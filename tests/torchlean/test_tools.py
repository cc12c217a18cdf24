"""`bitproof check`, `inspect`, `map` and `diff` on TorchLean's files, which they know by content."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bitproof.check.registry import FORMATS
from bitproof_spec.format import OfBytes, encode
from bitproof_spec.torchlean.encodings import FLOAT
from bitproof_spec.torchlean.json_state import TLJSON, JsonState
from bitproof_spec.torchlean.optimizer_file import OptimizerFile
from bitproof_spec.torchlean.streamed import TLSF32B, Tensors
from bitproof_spec.torchlean.vectors import vectors
from bitproof_spec.torchlean.vectors.json_states import floats
from bitproof_spec.torchlean.vectors.optimizer_files import TIED
from bitproof_spec.vectors import Vector
from tests.check.command import in_process
from tests.torchlean.builders import block32

TOOLS = {known.name: known.load() for known in FORMATS}
VALID = [vector for vector in vectors() if vector.result == "valid"]
STREAM = Tensors((block32((2,), [0x3F800000, 0x80000000]), block32((), [0x7F800001])))
STATE = JsonState(FLOAT.tag, (floats((2,), 0x3FF0000000000000, 1 << 63), floats((), 7)))


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """One file of each kind under a name that says nothing."""
    (tmp_path / "a").write_bytes(encode(TLSF32B, STREAM))
    (tmp_path / "b").write_bytes(encode(TLJSON, STATE))
    (tmp_path / "c").write_bytes(encode(OptimizerFile(), TIED))
    return tmp_path


@pytest.mark.parametrize("vector", VALID, ids=lambda vector: vector.id)
def test_the_regions_of_a_file_tile_it_under_clauses_with_rules(vector: Vector) -> None:
    tools = TOOLS[vector.id.split("/")[0]]
    view = OfBytes(vector.file)
    here = 0
    for region in tools.regions(tools.format(None).judge(view), view):
        assert (region.start, region.clause in tools.rules) == (here, True), region
        here = region.end
    assert here == len(vector.file)


def test_files_are_known_by_content_and_checked(files: Path) -> None:
    ran = in_process("check", *(str(files / name) for name in "abc"))
    assert ran.code == 0
    for title in ("TorchLean TLSF32B 1", "TorchLean JSON state", "TorchLean TLADAMF 2 to 4"):
        assert f"conforms to {title} (" in ran.out


@pytest.mark.parametrize(
    ("content", "rule", "where", "advice"),
    [
        (b"TLPF32B\2\0\0\0\0\0\0\0", "TLS-OLD-01", "0x0..0x7", "load it with the TorchLean that wrote it"),
        (b'{"state": [], "format": "torchlean_paramlist_bits_v1"}', "TLJ-OLD-01", "/format", "and save it again"),
        (b"TLADAMF\5\0\0\0\0\0\0\0", "TLA-HDR-02", "0x7..0xf", "typed moments, newer than 4"),
    ],
)
def test_old_families_and_newer_versions_are_refused_by_name_with_what_to_do(
    content: bytes, rule: str, where: str, advice: str, tmp_path: Path
) -> None:
    (tmp_path / "f").write_bytes(content)
    ran = in_process("check", str(tmp_path / "f"))
    assert ran.code == 1
    assert f"{where}: error {rule}" in ran.out
    assert advice in ran.out


def test_a_budget_on_tensor_bytes_is_kept_for_every_kind(files: Path) -> None:
    for name, size in (("a", 12), ("b", 24), ("c", 16)):
        assert in_process("check", "--max-bytes", str(size), str(files / name)).code == 0
        over = in_process("check", "--max-bytes", str(size - 1), str(files / name))
        assert (over.code, "-MAX-01" in over.out) == (1, True), name


def test_inspect_says_what_is_in_a_file(files: Path) -> None:
    found = {name: json.loads(in_process("inspect", "--json", str(files / name)).out) for name in "abc"}
    assert (found["a"]["scalar"], found["a"]["shapes"]) == ("binary32", [[2], []])
    assert (found["b"]["scalar"], found["b"]["shapes"]) == (FLOAT.tag, [[2], []])
    assert (found["c"]["kind"], found["c"]["counter"], found["c"]["weight decay"]) == (
        "AdamW",
        2**64 - 1,
        "3f847ae147ae147b",
    )
    assert [slot["owner"] for slot in found["c"]["slots"]] == [0, None, 0, 3]
    assert [slot["step"] for slot in found["c"]["slots"]] == [2**63, None, None, 1]
    text = in_process("inspect", str(files / "c")).out
    assert "shares slot 0" in text
    assert "frozen" in text


def test_map_says_what_an_offset_is(files: Path) -> None:
    assert "TLS-PAY-01" in in_process("map", str(files / "a"), str(0x33)).out
    assert "alias tag of slot 2" in in_process("map", str(files / "c"), str(0x47 + 32 + 24 + 32 + 40 + 16)).out
    text = (files / "b").read_bytes()
    for part, pointer in (
        (b"223372", "/state/0/values/1"),
        (b"4607", "/state/0/values/0"),
        (b"[2]", "/state/0/shape"),
        (b"2]}", "/state/0/shape/0"),
        (b"torchlean", "/format"),
        (b'v1"', "/format"),
    ):
        assert f"JSON pointer {pointer}\n" in in_process("map", str(files / "b"), str(text.index(part))).out, part


def test_diff_names_tensors_words_and_hyperparameters(files: Path) -> None:
    other = files / "other"
    for name, changed, says in (
        ("a", encode(TLSF32B, Tensors((STREAM.blocks[0], block32((), [0x7FC00001])))), "7f800001"),
        ("b", encode(TLJSON, JsonState(FLOAT.tag, (STATE.blocks[0], floats((), 8)))), "0000000000000008"),
        ("c", encode(OptimizerFile(), replace(TIED, counter=3)), "counter"),
        ("c", encode(OptimizerFile(), replace(TIED, config=replace(TIED.config, beta2=5))), "beta2"),
    ):
        other.write_bytes(changed)
        ran = in_process("diff", str(files / name), str(other))
        assert ran.code == 1
        assert "differ in 1 place" in ran.out
        assert says in ran.out
        assert in_process("diff", str(files / name), str(files / name)).code == 0
