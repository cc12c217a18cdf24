"""`bitproof explain`: what a rule means, why it is there, and what breaks it."""

from __future__ import annotations

import argparse
import sys

from bitproof.check.report import Exit
from bitproof.check.rulebooks import every_rule, nearest
from bitproof.text import Painter
from bitproof_spec.rules import Rule

EXAMPLES = """\
examples:
  bitproof explain KNN-HDR-06   one rule
  bitproof explain KNN-HDR      every rule whose id begins so
  bitproof explain              a line for each rule there is

Exit status: 0 explained, 2 there is no such rule.
"""
_WIDTH = 88


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("rule", nargs="?", default="", metavar="RULE", help="a rule's id, or the beginning of some")


def run(options: argparse.Namespace) -> Exit:
    """Explain the rules asked for, or list all."""
    if options.rule:
        return explain(options.rule)
    for _, rule in every_rule():
        print(f"{rule.id}  {rule.meaning}")
    return Exit.OK


def explain(asked: str) -> Exit:
    """Explain the rule of that id, or every rule whose id begins so."""
    rules = list(every_rule())
    wanted = asked.upper()
    found = [pair for pair in rules if pair[1].id == wanted] or [
        pair for pair in rules if pair[1].id.startswith(wanted)
    ]
    if not found:
        print(f"bitproof explain: no rule {asked!r}{_hint(wanted)}", file=sys.stderr)
        return Exit.FAILED
    print("\n\n".join(_explained(format, rule) for format, rule in found))
    return Exit.OK


def _hint(wanted: str) -> str:
    if wanted.startswith("PUB-"):  # what a save does; no file can break it
        return ": the clauses PUB-… are about saving, and stand in spec/publication.md"
    near = nearest(wanted)
    return f"; nearest: {', '.join(near)}" if near else ""


def _explained(format: str, rule: Rule) -> str:
    from textwrap import fill

    paint = Painter(sys.stdout)
    parts = [("means", rule.meaning), ("why", rule.why), ("broken by", rule.example)]
    body = [fill(text, _WIDTH, initial_indent=f"  {name:<11}", subsequent_indent=" " * 13) for name, text in parts]
    return "\n".join([f"{paint('strong', rule.id)}  {rule.severity}, {format}, found in phase: {rule.phase}", *body])
