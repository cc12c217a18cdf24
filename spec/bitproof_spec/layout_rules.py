"""The rules that a target owes of a state's tensors, whatever the format; found when a document is staged."""

from __future__ import annotations

from bitproof_spec.rules import Rule, Rulebook

LAYOUT_RULES = Rulebook(
    "any state",
    [
        Rule(
            "LAY-COUNT-01",
            "target",
            "There are as many tensors as the target has.",
            "Tensors go by position; a partial load would mix two states.",
            "one tensor for a layer of two",
        ),
        Rule(
            "LAY-TAG-01",
            "target",
            "The scalar format is the target's.",
            "A load never casts: equal values in another format have other bits.",
            "a binary32 state for a binary64 target",
        ),
        Rule(
            "LAY-SHAPE-01",
            "target",
            "Each tensor's shape is the target's.",
            "Equal numbers of elements in another order are other values, and nothing is broadcast.",
            "[3, 2] for [2, 3]",
        ),
        Rule(
            "LAY-SIZE-01",
            "target",
            "Each tensor has the bytes of its shape.",
            "The words of one element would be taken for those of another.",
            "7 bytes for two binary32 words",
        ),
        Rule(
            "LAY-TIE-01",
            "target",
            "Tensors that share storage in the target have equal words in the file.",
            "One of them would be lost in silence.",
            "tied weights with different words",
        ),
    ],
)
