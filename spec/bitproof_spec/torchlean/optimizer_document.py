"""What a TLADAMF file holds: the configuration, the random counter, the schema of the slots, moments by slot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bitproof_spec.document import Block, Leaf

ADAM = 0
ADAMW = 1
KINDS: Mapping[int, str] = {ADAM: "Adam", ADAMW: "AdamW"}


@dataclass(frozen=True)
class Config:
    """Kind (0 Adam, 1 AdamW) and hyperparameters as binary64 words; the learning rate isn't part of it."""

    kind: int
    beta1: int
    beta2: int
    epsilon: int
    weight_decay: int

    def leaves(self) -> Mapping[str, Leaf]:
        """The five members; reals as 16 hex digits."""
        reals = {"beta1": self.beta1, "beta2": self.beta2, "epsilon": self.epsilon, "weight decay": self.weight_decay}
        return {"kind": KINDS.get(self.kind, str(self.kind)), **{name: f"{word:016x}" for name, word in reals.items()}}


@dataclass(frozen=True)
class SlotSchema:
    """One state tensor, buffers included: its dims, whether it is trained, and the slot that owns its storage.

    `owner` is None exactly for a frozen slot; a trainable slot that shares no storage owns itself.
    """

    dims: tuple[int, ...]
    trainable: bool
    owner: int | None


@dataclass(frozen=True)
class Entry:
    """The moments of one owning slot after `step` updates; binary32 blocks of the slot's dims."""

    slot: int
    step: int
    first: Block
    second: Block


@dataclass(frozen=True)
class OptimizerState:
    """A TLADAMF document; `counter` is None before version 4.

    `entries` are in slot order whatever the file's order, and may be lazy, one at a time.
    """

    version: int
    config: Config
    counter: int | None
    slots: tuple[SlotSchema, ...]
    entries: Sequence[Entry]

    @property
    def legacy(self) -> bool:
        """Whether the file lacks the random counter, so that a stochastic training can't go on exactly."""
        return self.counter is None

    def leaves(self) -> Mapping[str, Leaf]:
        """Version, configuration, counter, schema and moments, in file order."""
        found: dict[str, Leaf] = {"version": self.version, **self.config.leaves(), "counter": self.counter}
        found["slots"] = len(self.slots)
        for index, slot in enumerate(self.slots):
            found[f"slot {index}/dims"] = str(list(slot.dims))
            found[f"slot {index}/owner"] = slot.owner
            found[f"slot {index}/trainable"] = slot.trainable
        for entry in self.entries:
            found[f"slot {entry.slot}/step"] = entry.step
            found[f"slot {entry.slot}/first moment"] = entry.first
            found[f"slot {entry.slot}/second moment"] = entry.second
        return found
