"""What the tools need of TorchLean's optimizer files, TLADAMF."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bitproof.check.content import Overview, Region, Table
from bitproof.check.torchlean import numbers, shaped
from bitproof_spec.document import Leaf
from bitproof_spec.format import View
from bitproof_spec.rules import Rulebook
from bitproof_spec.torchlean.framing import Cursor, product
from bitproof_spec.torchlean.optimizer_document import KINDS, OptimizerState
from bitproof_spec.torchlean.optimizer_entries import ITEM_SIZE
from bitproof_spec.torchlean.optimizer_file import OptimizerFile
from bitproof_spec.vectors import Vector
from bitproof_spec.violations import Violation

REALS = ("beta1", "beta2", "epsilon", "weight decay")


class OptimizerTools:
    """The tools of TLADAMF."""

    @property
    def rules(self) -> Rulebook:
        """The rules TLA-… of `spec/torchlean.md`."""
        from bitproof_spec.torchlean.rules_optimizer import OPTIMIZER_RULES

        return OPTIMIZER_RULES

    def format(self, max_bytes: int | None, /) -> OptimizerFile:
        """The format; moment bytes are bounded only when a bound is given."""
        return OptimizerFile(max_bytes)

    def advice(self, view: View, /) -> Iterable[Violation]:
        """None: entries may stand in any order."""
        return ()

    def overview(self, document: OptimizerState, view: View, /) -> Overview:
        """Configuration, counter, and the slots with their steps."""
        steps = {entry.slot: entry.step for entry in document.entries}
        leaves = document.leaves()
        facts = [("version", str(document.version)), ("kind", KINDS[document.config.kind])]
        facts += [(name, _decimal(str(leaves[name]))) for name in REALS]
        counter = "none: a legacy file" if document.counter is None else str(document.counter)
        facts += [("counter", counter), ("slots", str(len(document.slots)))]
        rows = tuple(
            (str(i), str(list(slot.dims)), _role(i, slot.owner), str(steps.get(i, "")))
            for i, slot in enumerate(document.slots)
        )
        table = Table("slots", ("slot#", "dims", "role", "steps#"), rows)
        plain: dict[str, object] = {"format": "tladamf", "version": document.version, "counter": document.counter}
        plain |= {"kind": KINDS[document.config.kind], **{name: leaves[name] for name in REALS}}
        plain["slots"] = [
            {"dims": list(slot.dims), "trainable": slot.trainable, "owner": slot.owner, "step": steps.get(i)}
            for i, slot in enumerate(document.slots)
        ]
        return Overview(tuple(facts), (table,), plain)

    def regions(self, document: OptimizerState, view: View, /) -> Iterator[Region]:
        """Header, configuration, counter, slots, aliases, and the entries in the order of the file."""
        yield Region(0, 7, "TLA-HDR-01", "magic = TLADAMF")
        leaves, config = document.leaves(), ("kind", *REALS)
        fields = [("TLA-HDR-02", f"version = {document.version}", 1)]
        fields += [(f"TLA-CFG-0{n}", f"{name} = {leaves[name]!s}", 1) for n, name in enumerate(config, 1)]
        if document.counter is not None:
            fields.append(("TLA-CTR-01", f"random counter = {document.counter}", 1))
        fields.append(("TLA-CNT-01", f"slots = {len(document.slots)}", 1))
        yield from numbers(7, fields)
        at = 7 + 8 * len(fields)
        for index, slot in enumerate(document.slots):
            name, rank = f"slot {index}", len(slot.dims)
            yield from numbers(at, (("TLA-RNK-01", f"rank of {name} = {rank}", 1),))
            yield from shaped(at + 8, "TLA-SIZ-01", name, slot.dims)
            at += 24 + 8 * rank
            yield Region(at - 8, at, "TLA-FLG-01", f"requiresGrad of {name} = {int(slot.trainable)}")
        if document.version > 2:
            tags = [0 if slot.owner is None else slot.owner + 1 for slot in document.slots]
            yield from numbers(at, (("TLA-ALS-01", f"alias tag of slot {i} = {tag}", 1) for i, tag in enumerate(tags)))
            at += 8 * len(tags)
        yield from _entries(document, view, at)

    def detail(self, view: View, region: Region, offset: int, /) -> str:
        """Nothing: a region says it all."""
        return ""

    def vectors(self) -> Iterator[Vector]:
        """The vectors of TLADAMF."""
        from bitproof_spec.torchlean.vectors.optimizer_files import optimizer_files

        return optimizer_files()

    def word(self, where: str, leaf: Leaf, /) -> tuple[str, bytes] | None:
        """The binary64 word of a hyperparameter."""
        return ("binary64", bytes.fromhex(leaf)[::-1]) if where in REALS and isinstance(leaf, str) else None


def _entries(document: OptimizerState, view: View, at: int) -> Iterator[Region]:
    """The entry count, then each entry where it stands in the file."""
    yield from numbers(at, (("TLA-ENT-01", f"entries = {len(document.entries)}", 1),))
    cursor = Cursor(view)
    cursor.at = at + 8
    for _ in document.entries:
        slot, step, count = cursor.nats("TLA-ENT-03", 3)
        start = cursor.at
        name = f"slot {slot}"
        fields = (("TLA-ENT-03", f"entry of {name}", 1), ("TLA-ENT-05", f"steps of {name} = {step}", 1))
        yield from numbers(start - 24, (*fields, ("TLA-ENT-06", f"elements of {name} = {count}", 1)))
        dims, size = document.slots[slot].dims, ITEM_SIZE * product(document.slots[slot].dims)
        for moment in ("first", "second"):
            place = cursor.payload(size)
            yield Region(place, place + size, "TLA-PAY-01", f"{moment} moment of {name}", "binary32", dims)


def _role(index: int, owner: int | None) -> str:
    if owner is None:
        return "frozen"
    return "trained" if owner == index else f"shares slot {owner}"


def _decimal(digits: str) -> str:
    from bitproof.compare.words import reading

    return reading("binary64", bytes.fromhex(digits)[::-1])


OPTIMIZER_TOOLS = OptimizerTools()
