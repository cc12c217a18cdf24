"""The rules that a live model owes when it is saved or loaded into; clauses of the runtime, so no file shows them."""

from __future__ import annotations

from bitproof_spec.rules import Rule, Rulebook

TARGET_RULES = Rulebook(
    "klyn models",
    [
        Rule(
            "KNR-MOD-01",
            "target",
            "The file has the model's precision.",
            "A load never casts: weights of another precision are other bits, and training would go on from those.",
            "Sequential[Float32].load of a binary16 file",
        ),
        Rule(
            "KNR-MOD-02",
            "target",
            "The model is built.",
            "Before an Input or the first data give the shapes there are no parameters to save or to load into.",
            "save on a model without Input before its first fit",
        ),
        Rule(
            "KNR-MOD-04",
            "target",
            "The model and its stages are of exactly the classes that Klyn has.",
            "A file names only those; what a subclass computes would come back as its base.",
            "a subclass of Dense in a model that is saved",
        ),
        Rule(
            "KNR-LOD-02",
            "target",
            "Weights come from a file with the model's own stages, names and options; seeds may differ.",
            "Weights of another architecture mean something else, even where their shapes agree.",
            'load_weights of a file whose Dense has activation "tanh" into one with "relu"',
        ),
    ],
)
