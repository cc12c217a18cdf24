"""`spec/klyn.md` beside the code: clauses and rules, tables and constants, and the file that it prints."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from bitproof_spec.alignment import ALIGNMENT
from bitproof_spec.findings import FINDINGS_LIMIT
from bitproof_spec.klyn import constants
from bitproof_spec.klyn.header import FIELDS, of_manifest
from bitproof_spec.klyn.manifest import ENTRY_MEMBERS, STAGE_MEMBERS
from bitproof_spec.klyn.rules import RULES
from bitproof_spec.klyn.stages import STAGES, Dense, Input
from bitproof_spec.klyn.tensors import table
from bitproof_spec.klyn.training import Adam, LossScale, RandomState, Sgd, Training
from bitproof_spec.klyn.training_members import ADAM_MEMBERS, LOSS_SCALE_MEMBERS, RANDOM_MEMBERS, SGD_MEMBERS
from bitproof_spec.klyn.vectors.models import ADAM, SGD, word
from tests.klyn.hexdump import dump

DOCUMENT = (Path(__file__).parent.parent.parent / "spec" / "klyn.md").read_text()
CLAUSE_ROW = re.compile(r"^\| (KN[NR]-[A-Z]+-\d\d) \| (source|own) \| (.+) \|$", re.MULTILINE)
NUMBERS = {
    name: str(getattr(constants, name))
    for name in (
        *("MAJOR", "MINOR", "FLAGS", "HEADER_SIZE", "MANIFEST_LIMIT", "DEFAULT_BUDGET", "VALUES_LIMIT"),
        *("DEPTH_LIMIT", "STAGES_LIMIT", "RANK_LIMIT", "INTEGER_LIMIT", "SIZE_LIMIT"),
    )
}
LISTS = {name: ", ".join(getattr(constants, name)) for name in ("PRECISIONS", "ACTIVATIONS", "PADDINGS", "LOSSES")}


def table_below(*headings: str) -> list[list[str]]:
    """The rows of the one table of the document that has these headings."""
    head = "| " + " | ".join(headings) + " |\n"
    assert DOCUMENT.count(head) >= 1, head
    rows = DOCUMENT.split(head)[1].split("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def names(cell: str) -> set[str]:
    return set(cell.split(", ")) if cell else set()


def test_every_clause_of_the_format_has_a_rule_that_says_the_same_and_every_rule_its_clause() -> None:
    rows = [(id, text) for id, _, text in CLAUSE_ROW.findall(DOCUMENT) if id.startswith("KNN-")]
    assert rows == [(rule.id, rule.meaning) for rule in RULES]


def test_clause_ids_are_unique_and_cited_ones_exist() -> None:
    ids = [id for id, _, _ in CLAUSE_ROW.findall(DOCUMENT)]
    assert len(ids) == len(set(ids))
    assert set(re.findall(r"KN[NR]-[A-Z]+-\d\d", DOCUMENT)) == set(ids)


def test_the_table_of_the_header_is_that_of_the_code() -> None:
    rows = table_below("offset", "bytes", "field", "type", "value")
    assert [(int(row[0]), int(row[1]), row[2]) for row in rows] == [(f.offset, f.size, f.name) for f in FIELDS]
    values = of_manifest(1, 65, bytes(32))
    assert bytes.fromhex(rows[0][4]) == values.magic == constants.MAGIC
    assert [int(row[4]) for row in rows[1:4]] == [values.major, values.minor, values.flags]
    assert [row[3] for row in rows] == [
        {2: "u16", 4: "u32"}.get(f.size, "u64" if f.name.endswith("length") else "bytes") for f in FIELDS
    ]


def test_the_table_of_constants_is_that_of_the_code() -> None:
    owed: Mapping[str, str] = {
        "MAGIC": constants.MAGIC.hex(" ").upper(),
        "ALIGNMENT": str(ALIGNMENT),
        "FINDINGS_LIMIT": str(FINDINGS_LIMIT),
        "NAME_PATTERN": f"`{constants.NAME_PATTERN}`",
        **NUMBERS,
        **LISTS,
    }
    assert dict(table_below("constant", "value")) == owed


def test_the_table_of_stages_is_that_of_the_code() -> None:
    rows = table_below("type", "members besides type and name", "input to output", "parameters")
    assert [row[0] for row in rows] == [stage.__name__ for stage in STAGES] == list(STAGE_MEMBERS)
    for row, stage in zip(rows, STAGES, strict=True):
        assert names(row[1]) == set(STAGE_MEMBERS[row[0]]) - {"name"} == set(stage.__annotations__) - {"name", "type"}
        assert vars(stage)["_field_defaults"] == {"type": row[0]}
        assert ("kernel" in row[3]) == ("use_bias" in row[1]) == ("bias" in row[3])


def test_the_tables_of_members_are_those_of_the_code() -> None:
    tables = [dict(rows) for rows in _member_tables()]
    assert [list(table) for table in tables] == [
        ["format", "precision", "model", "training", "tensors"],
        list(ENTRY_MEMBERS),
        list(Training._fields),
    ]
    objects = {row[0]: row[1].split(", ") for row in table_below("object", "members")}
    kinds = {"SGD": SGD_MEMBERS, "Adam": ADAM_MEMBERS, "loss_scale": LOSS_SCALE_MEMBERS, "generator": RANDOM_MEMBERS}
    classes = {"SGD": Sgd, "Adam": Adam, "loss_scale": LossScale, "generator": RandomState}
    assert objects == {name: list(members) for name, members in kinds.items()}
    assert objects == {
        name: [field for field in made.__annotations__ if field != "type"] for name, made in classes.items()
    }


def _member_tables() -> list[list[list[str]]]:
    pieces = DOCUMENT.split("| member | value |\n|---|---|\n")[1:]
    return [
        [[c.strip() for c in row.strip("|").split("|")] for row in piece.split("\n\n")[0].splitlines()]
        for piece in pieces
    ]


def test_the_table_of_tensors_is_that_of_the_code() -> None:
    rows = table_below("tensor", "id", "dtype", "shape")
    stages = (Input("i", (2,)), Dense("d", 1, False, "relu", 0))
    sgd = Sgd(word("3fb999999999999a"), word("3fe0000000000000"), False)
    assert SGD.training is not None
    owed = {
        "SGD with momentum above 0": table("binary32", stages, sgd)[1:],
        "Adam": table("binary64", stages, ADAM)[1:],
        "Adam, binary16": table("binary16", stages, ADAM)[3:],
    }
    for row in rows[1:]:
        suffixes = re.findall(r"<parameter>/([a-z_]+)", row[1])
        assert [spec.name for spec in owed[row[0]]] == [f"d/kernel/{suffix}" for suffix in suffixes]
    assert {spec.storage.tag for spec in owed["Adam, binary16"]} == {"binary32"} == {rows[3][2]}


def test_the_gates_of_the_document_are_the_phases_of_the_rules() -> None:
    rows = table_below("gate", "clauses", "order of findings")
    phases = list(dict.fromkeys(rule.phase for rule in RULES if rule.severity == "error"))
    assert sorted(row[0] for row in rows) == sorted(phases)
    for gate, clauses, _ in rows:
        cited = {name[:7] for name in re.findall(r"KNN-[A-Z]+", clauses)}
        assert {rule.id[:7] for rule in RULES if rule.phase == gate} == cited


def test_the_file_that_the_document_prints_is_the_file() -> None:
    assert DOCUMENT.split("```")[1].strip("\n") == dump()
