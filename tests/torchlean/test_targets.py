"""What a target owes: each rule of staging broken alone, all of them in the document's order, nothing changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from bitproof.torchlean.backends import EagerNative, Graph
from bitproof.torchlean.module import Module
from bitproof.torchlean.optimizer_io import OptimizerTarget
from bitproof.torchlean.optimizers import Adam, Sgd
from bitproof.torchlean.scalars import Float32
from bitproof.torchlean.state import layout
from bitproof.torchlean.state_io import JsonTarget, StreamedTarget
from bitproof_spec.document import Block
from bitproof_spec.layout_rules import LAYOUT_RULES
from bitproof_spec.torchlean.encodings import FLOAT, FLOAT32
from bitproof_spec.torchlean.json_state import JsonState
from bitproof_spec.torchlean.optimizer_document import ADAMW, Config, Entry, OptimizerState, SlotSchema
from bitproof_spec.torchlean.optimizer_target import OptimizerFacts, misfits, unready
from bitproof_spec.torchlean.rules_optimizer import OPTIMIZER_RULES
from bitproof_spec.torchlean.rules_state import JSON_RULES
from bitproof_spec.torchlean.streamed import Tensors
from bitproof_spec.violations import Violation, Violations
from tests.torchlean.builders import LINEAR_SHAPES, block32, linear, linear32, plain
from tests.torchlean.instances.modules import sgd
from tests.torchlean.two_branches import TwoBranches

Found = list[tuple[str, str]]
CONFIG = Config(ADAMW, 0x3FE0000000000000, 0x3FEF7CED916872B0, 0x3E7AD7F29ABCAF48, 0x3FA999999999999A)
SLOTS = (SlotSchema((2,), True, 0), SlotSchema((), False, None), SlotSchema((2,), True, 2))
ENTRY = Entry(0, 7, block32((2,), [1, 2]), block32((2,), [3, 4]))
FILE = OptimizerState(4, CONFIG, 9, SLOTS, (ENTRY, replace(ENTRY, slot=2)))
FACTS = OptimizerFacts("a backend", True, ADAMW, CONFIG, SLOTS, counted=True)
TIED = (SLOTS[0], SLOTS[1], SlotSchema((2,), True, 0))


def places(found: Iterable[Violation] | object) -> Found:
    """Rule and place of each finding."""
    assert isinstance(found, Iterable), found
    return [(violation.rule, violation.where) for violation in found]


def optimizer(document: OptimizerState = FILE, **facts: object) -> Found:
    """What a target of other facts says of a file."""
    return places(misfits(document, FACTS._replace(**facts)))  # type: ignore[arg-type]  # members by name


def stream(*blocks: Block) -> Found:
    """What the small module says of a stream."""
    return places(StreamedTarget(linear32().parameters()).stage(Tensors(blocks)))


def json_state(tag: str, storage: str, width: int, *, mirror: bool = False, word: int = 0) -> Found:
    """What a Float module says of a JSON state whose first word is given."""
    blocks = [Block(storage, shape, bytes(width * n)) for shape, n in zip(LINEAR_SHAPES, (6, 2), strict=True)]
    first = Block(storage, LINEAR_SHAPES[0], word.to_bytes(width, "little") + bytes(5 * width))
    target = JsonTarget(plain(use_cuda=mirror).parameters())
    return places(target.stage(JsonState(tag, (first, blocks[1]))))


def untied() -> Found:
    """What tied weights say of different words."""
    words = [
        block32((3, 2), range(6)),
        block32((2,), [1, 2]),
        block32((3, 2), [0, 1, 9, 3, 4, 5]),
        block32((2,), [1, 2]),
    ]
    return places(StreamedTarget(TwoBranches(sgd()).parameters()).stage(Tensors(words)))


def short() -> Found:
    """What a layout says of a block made by hand."""
    blocks = (Block(FLOAT.storage, (2, 3), bytes(47)), Block(FLOAT.storage, (2,), bytes(16)))
    return places(layout(linear(), FLOAT).stage(JsonState(FLOAT.tag, blocks)))


WEIGHT, BIAS = block32((2, 3), range(6)), block32((2,), [1, 2])
ALONE: dict[str, tuple[Callable[[], Found], str]] = {
    "LAY-COUNT-01": (lambda: stream(WEIGHT), "/"),
    "LAY-TAG-01": (lambda: json_state(FLOAT32.tag, FLOAT32.storage, 4), "/format"),
    "LAY-SHAPE-01": (lambda: stream(block32((3, 2), range(6)), BIAS), "tensor 0"),
    "LAY-SIZE-01": (short, "tensor 0"),
    "LAY-TIE-01": (untied, "tensor 2[2]"),
    "TLJ-MIR-01": (lambda: json_state(FLOAT.tag, FLOAT.storage, 8, mirror=True, word=1), "/state/0/values/0"),
    "TLA-CTR-01": (lambda: optimizer(counted=False), "/counter"),
    "TLA-TGT-01": (lambda: optimizer(owns_state=False), "/"),
    "TLA-TGT-02": (lambda: optimizer(replace(FILE, version=2, counter=None), slots=TIED), "/version"),
    "TLA-TGT-03": (lambda: optimizer(kind=0, bound=None), "/kind"),
    "TLA-TGT-04": (lambda: optimizer(bound=replace(CONFIG, epsilon=CONFIG.epsilon + 1)), "/epsilon"),
    "TLA-TGT-05": (lambda: optimizer(slots=SLOTS[:2]), "/slots"),
    "TLA-TGT-06": (lambda: optimizer(slots=(SlotSchema((1, 2), True, 0), *SLOTS[1:])), "/slots/0"),
    "TLA-TGT-07": (lambda: optimizer(slots=TIED), "/slots/2"),
    "TLA-TGT-08": (lambda: places(unready(FACTS._replace(bound=None), 0, {})), "/"),
}


@pytest.mark.parametrize("rule", ALONE)
def test_each_rule_of_a_target_is_broken_alone(rule: str) -> None:
    broken, where = ALONE[rule]
    assert broken() == [(rule, where)]


def test_every_rule_of_a_target_has_a_case() -> None:
    books = (*JSON_RULES, *OPTIMIZER_RULES, *LAYOUT_RULES)
    assert set(ALONE) == {rule.id for rule in books if rule.phase == "target"}


def test_a_document_that_fits_has_no_finding() -> None:
    assert (
        optimizer() == optimizer(bound=None) == optimizer(replace(FILE, counter=None, version=3), counted=False) == []
    )
    assert not isinstance(StreamedTarget(linear32().parameters()).stage(Tensors((WEIGHT, BIAS))), Violations)


def test_v20_all_differences_of_an_optimizer_are_listed_once_in_the_document_s_order() -> None:
    other = Config(0, 1, 2, CONFIG.epsilon, 3)
    slots = (SlotSchema((3,), False, None), SlotSchema((), True, 1), SlotSchema((2,), True, 1), SLOTS[0])
    assert optimizer(replace(FILE, slots=TIED), kind=0, bound=other, slots=slots, counted=False) == [
        ("TLA-TGT-03", "/kind"),
        ("TLA-TGT-04", "/beta1"),
        ("TLA-TGT-04", "/beta2"),
        ("TLA-TGT-04", "/weight decay"),
        ("TLA-TGT-05", "/slots"),
        ("TLA-TGT-06", "/slots/0"),
        ("TLA-TGT-06", "/slots/0"),
        ("TLA-TGT-06", "/slots/1"),
        ("TLA-TGT-07", "/slots/2"),
        ("TLA-CTR-01", "/counter"),
    ]


def test_v20_all_differences_of_a_state_are_listed_once_number_first_then_tensor_by_tensor() -> None:
    assert stream(block32((2,), [1, 2]), block32((2, 3), range(6)), BIAS) == [
        ("LAY-COUNT-01", "/"),
        ("LAY-SHAPE-01", "tensor 0"),
        ("LAY-SHAPE-01", "tensor 1"),
    ]
    blocks = (Block(FLOAT.storage, (6,), bytes(6 * 8)), Block(FLOAT.storage, (2,), b"\1" + bytes(15)))
    target = JsonTarget(plain(use_cuda=True).parameters())
    assert places(target.stage(JsonState(FLOAT.tag, blocks))) == [
        ("LAY-SHAPE-01", "tensor 0"),
        ("TLJ-MIR-01", "/state/1/values/0"),
    ]


def test_more_than_a_hundred_differences_are_counted_and_not_listed() -> None:
    assert stream(WEIGHT, BIAS, *[BIAS] * 1000) == [("LAY-COUNT-01", "/")]
    many = StreamedTarget(linear32().parameters())
    many.params.params = many.params.params * 200  # the same tensors again, as a target of 400
    staged = many.stage(Tensors((block32((9,), range(9)),) * 400))
    assert isinstance(staged, Violations)
    assert (len(staged), staged.all[-1].rule) == (101, "GEN-MORE-01")


def test_steps_and_counters_that_no_file_holds_are_named_before_a_save() -> None:
    facts = FACTS._replace(slots=TIED)
    assert places(unready(facts, 2**64 - 1, {0: 2**64 - 1})) == []
    assert places(unready(facts, 2**64, {0: 2**64})) == [("TLA-CTR-01", "/counter"), ("TLA-ENT-05", "/slots/0/step")]
    assert places(unready(facts, 0, {})) == [("TLA-TGT-08", "/")]
    assert places(unready(facts._replace(owns_state=False), 2**64, {})) == [("TLA-TGT-01", "/")]


def test_a_module_says_of_its_own_backend_what_the_specification_needs() -> None:
    graph = Module(linear(), Float32, Graph(Sgd(0.1)))
    assert OptimizerTarget(graph).facts()[:2] == ("the graph backend", False)
    wide = plain()
    wide.backend = EagerNative(Adam(0.1))
    assert OptimizerTarget(wide).facts()[:2] == ("the eager native backend over binary64 tensors", False)
