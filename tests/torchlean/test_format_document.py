"""`spec/torchlean.md` beside the code: clauses and rules, tables and constants, and the files that it prints."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from bitproof_spec.findings import FINDINGS_LIMIT
from bitproof_spec.format import Segment, encode
from bitproof_spec.formats import NAMED
from bitproof_spec.layout_rules import LAYOUT_RULES
from bitproof_spec.random import GOLDEN, SPLITMIX, mix, split_draw, split_key
from bitproof_spec.rules import Rule
from bitproof_spec.torchlean import encodings, framing, json_state, optimizer_file, streamed, text_layout
from bitproof_spec.torchlean.encodings import FLOAT, FLOAT32, complex_state
from bitproof_spec.torchlean.json_state import TLJSON, JsonState
from bitproof_spec.torchlean.optimizer_file import OptimizerFile
from bitproof_spec.torchlean.rules_optimizer import OPTIMIZER_RULES
from bitproof_spec.torchlean.rules_state import JSON_RULES, STREAMED_RULES
from bitproof_spec.torchlean.streamed import TLSF32B, Tensors
from bitproof_spec.torchlean.vectors.json_states import floats
from tests.torchlean.builders import block32, deep
from tests.torchlean.hexdump import STATE, dumps

HERE = Path(__file__).parent
DOCUMENT = (HERE.parents[1] / "spec" / "torchlean.md").read_text("utf-8")
CLAUSE_ROW = re.compile(r"^\| ([A-Z]{3}-[A-Z]+-\d\d) \| (real|own) \| (.+) \|$", re.MULTILINE)
FENCED = re.findall(r"^```\n(.*?)\n```$", DOCUMENT, re.MULTILINE | re.DOTALL)


def rows_below(*headings: str) -> list[list[str]]:
    """The rows of every table of the document that has these headings."""
    head = "| " + " | ".join(headings) + " |\n"
    pieces = DOCUMENT.split(head)[1:]
    assert pieces, head
    return [
        [c.strip() for c in row.strip("|").split("|")] for p in pieces for row in p.split("\n\n")[0].splitlines()[1:]
    ]


def test_every_rule_is_a_clause_that_says_the_same_and_every_clause_of_a_format_or_target_has_a_rule() -> None:
    rows = {id: text for id, _, text in CLAUSE_ROW.findall(DOCUMENT)}
    rules: list[Rule] = [*STREAMED_RULES, *JSON_RULES, *OPTIMIZER_RULES, *LAYOUT_RULES]
    assert {rule.id: rule.meaning for rule in rules} == {id: text for id, text in rows.items() if id[:3] != "TLR"}


def test_the_rules_of_a_book_stand_in_the_order_of_the_document() -> None:
    ids = [id for id, _, _ in CLAUSE_ROW.findall(DOCUMENT)]
    for book in (STREAMED_RULES, JSON_RULES, OPTIMIZER_RULES, LAYOUT_RULES):
        found = [rule.id for rule in book]
        assert found == [id for id in ids if id in found]


def test_clause_ids_are_unique_and_cited_ones_exist() -> None:
    ids = [id for id, _, _ in CLAUSE_ROW.findall(DOCUMENT)]
    assert len(ids) == len(set(ids))
    assert set(re.findall(r"\b(?:TL[SJAR]|LAY)-[A-Z]+-\d\d\b", DOCUMENT)) == set(ids)
    for prefix in re.findall(r"\b(TL[SJAR]-[A-Z]{3})\b(?!-\d)", DOCUMENT):
        assert any(id.startswith(prefix) for id in ids), prefix


def test_every_clause_of_the_runtime_is_held_by_a_test_that_cites_it() -> None:
    files = [*HERE.glob("test_*.py"), *(HERE.parent / "typing" / "programs").glob("refused_torchlean_*.py")]
    cited = {id for file in files for id in re.findall(r"TLR-[A-Z]{3}-\d\d", file.read_text("utf-8"))}
    assert cited == {id for id, _, _ in CLAUSE_ROW.findall(DOCUMENT) if id.startswith("TLR")}


def sizes(segments: Iterator[Segment]) -> list[tuple[str, int]]:
    """Clause and size of each run, those of one clause that follow each other taken together."""
    found: list[tuple[str, int]] = []
    for clause, data in segments:
        if found and found[-1][0] == clause == "TLA-SIZ-01":
            found[-1] = (clause, found[-1][1] + len(data))
        else:
            found.append((clause, len(data)))
    return found


def owed(rows: Sequence[Sequence[str]], **values: int) -> list[tuple[str, int]]:
    """Clause and size of each row of a table of bytes."""

    def size(formula: str) -> int:
        terms = [term.split("·") for term in formula.split(" + ")]
        return sum(int(term[0]) * (values[term[1]] if len(term) > 1 else 1) for term in terms)

    return [(row[2], size(row[1])) for row in rows]


def test_the_tables_of_bytes_are_those_of_the_writers() -> None:
    rows = rows_below("field", "bytes", "clause")
    stream = [row for row in rows if row[2].startswith("TLS")]
    document = Tensors((block32((2, 3), range(6)),))
    assert sizes(iter(TLSF32B.segments(document))) == owed(stream, rank=2, count=6)
    state = OptimizerFile().segments(STATE.__class__(4, STATE.config, 5, STATE.slots[:1], STATE.entries))
    assert sizes(iter(state)) == owed([row for row in rows if row[2].startswith("TLA")], rank=1, count=2)
    assert {row[0].split(", ")[1].strip("`").encode() for row in rows if row[0].startswith("magic")} == {
        streamed.MAGIC,
        optimizer_file.MAGIC,
    }


def test_the_table_of_constants_is_that_of_the_code() -> None:
    assert dict(rows_below("constant", "value")) == {
        "MAGIC": f"{streamed.MAGIC.decode()}, {optimizer_file.MAGIC.decode()}",
        "OLD_MAGIC": streamed.OLD_MAGIC.decode(),
        "OLD_TAG": encodings.OLD_TAG,
        "VERSION": str(streamed.VERSION),
        "WRITE_VERSION": str(optimizer_file.WRITE_VERSION),
        "READ_VERSIONS": ", ".join(map(str, optimizer_file.READ_VERSIONS)),
        "TENSOR_LIMIT": str(framing.TENSOR_LIMIT),
        "RANK_LIMIT": str(framing.RANK_LIMIT),
        "TAG_LIMIT": str(encodings.TAG_LIMIT),
        "BITS_LIMIT": str(encodings.BITS_LIMIT),
        "DIGITS_LIMIT": str(json_state.DIGITS_LIMIT),
        "DEPTH_LIMIT": str(json_state.DEPTH_LIMIT),
        "WIDTH": str(text_layout.WIDTH),
        "FINDINGS_LIMIT": str(FINDINGS_LIMIT),
    }


def test_the_tables_of_scalars_are_those_of_the_code() -> None:
    tags = {row[0]: row[1:] for row in rows_below("scalar", "tag", "words")}
    for name, encoding in (("Float", FLOAT), ("Float32", FLOAT32)):
        assert tags[name] == [f"`{encoding.tag}`", f"{encoding.storage}; of the NaNs only {encoding.parts.nan:x}"]
    assert tags["complex"][0].strip("`").format(**{"tag of its parts": FLOAT.tag}) == complex_state(FLOAT).tag
    for name, exponent, fraction, bias, specials in rows_below("name", "exponent", "fraction", "bias", "specials"):
        format = NAMED[name]
        parts = (format.exponent_bits, format.fraction_bits, format.bias, format.specials.value)
        assert parts == (int(exponent), int(fraction), int(bias), specials)
        tag = tags["a configured format"][0].strip("`")
        made = tag.format(exponent=exponent, fraction=fraction, bias=bias, specials=specials)
        assert encodings.encoding_of(made) is not None
    assert len(rows_below("name", "exponent", "fraction", "bias", "specials")) == len(NAMED)
    assert {row[0].strip("`") for row in rows_below("specials", "infinities", "NaNs", "−0")} == {
        format.specials.value for format in NAMED.values()
    }


def test_the_table_of_draws_and_the_constants_of_its_generator_are_those_of_the_code() -> None:
    for seed, counter, key, draws in rows_below("seed", "counter", "key", "first draws"):
        found = split_key(int(seed), int(counter))
        assert f"{found:016X}" == key
        assert ", ".join(str(split_draw(found, i)) for i in range(4)) == draws
    assert mix(0) == split_key(0, 0)
    assert all(f"{constant:X}" in DOCUMENT for constant in (GOLDEN, *SPLITMIX))


def test_the_table_of_layers_is_that_of_the_runtime() -> None:
    tables = {row[0]: row[1:] for row in rows_below("layer", "state", "trained")}
    for layer in deep().layers:
        state, trained = tables.get(type(layer).__name__) or tables["ReLU, Tanh, Sigmoid"]
        assert [flag for flag in trained.split(", ") if flag] == ["T" if s.trainable else "F" for s in layer.slots]
        shapes = [name.count(",") + 1 if name else 0 for name in re.findall(r"\[(.*?)\]", state)]
        if "each" not in state:
            assert shapes == [len(slot.shape) for slot in layer.slots]


KNOWN = JsonState(FLOAT.tag, (floats((2,), 4607182418800017408, 1 << 63),))
BROKEN = JsonState(
    FLOAT.tag,
    (floats((2, 2), 4607182418800017408, 4611686018427387904, 4613937818241073152, 1 << 63), floats((), 1)),
)


@pytest.mark.parametrize(("index", "document"), [(0, KNOWN), (1, BROKEN)])
def test_the_texts_that_the_document_prints_are_the_files(index: int, document: JsonState) -> None:
    assert FENCED[index].encode() == encode(TLJSON, document)


def test_the_dumps_that_the_document_prints_are_the_files() -> None:
    assert FENCED[2:] == [*dumps()]
