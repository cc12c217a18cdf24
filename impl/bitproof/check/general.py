"""The rules that belong to no format: those that the checker itself speaks for."""

from __future__ import annotations

from bitproof.check.recognise import NO_FORMAT
from bitproof_spec.rules import Rule, Rulebook

GENERAL = Rulebook(
    "any file",
    [
        Rule(
            NO_FORMAT,
            "format",
            "The file has one of the formats that are known: by its content, or at least by its name.",
            "Nothing can be said of a file whose format nobody knows; calling it valid would be a guess.",
            "An HTML page or a Git LFS pointer that was saved under the name of a checkpoint without a suffix.",
        ),
        Rule(
            "GEN-MORE-01",
            "every phase",
            "A report holds at most 100 findings of a phase; this one says how many more there were.",
            "A hostile file could otherwise make a report of millions of findings.",
            "A tensor table of 100,000 entries, each with a wrong type.",
        ),
    ],
)
