"""`bitproof check`: do these files conform, and what exactly is wrong with those that don't?"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from bitproof.check.judging import Options, check, shown
from bitproof.check.progress import progress_bar
from bitproof.check.report import Exit, Report, Selection
from bitproof.check.targets import Targets
from bitproof.check.writers import JsonWriter, TextWriter, Writer
from bitproof.commands.options import byte_count

EXAMPLES = """\
examples:
  bitproof check model.knn               one file
  bitproof check checkpoints/            every checkpoint in a folder
  bitproof check - < model.knn           standard input
  bitproof check --format json *.knn     a report for programs
  bitproof check --explain KNN-HDR-06    what a rule means

A file is judged by its content, whatever its name. In folders, files of no known format are passed over and counted.
Exit status: 0 all files conform, 1 some do not, 2 some could not be looked at, or there was nothing to check. Findings
that were left out by --select or --ignore don't count, but a file that has some is never said to conform.
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="a file, a folder, or - for standard input")
    parser.add_argument("--format", choices=["text", "json"], default="text", help="what to print (default: text)")
    parser.add_argument("--max-bytes", type=byte_count, metavar="N", help="refuse files whose tensors take more bytes")
    parser.add_argument("--select", action="append", default=[], metavar="RULE", help="report only rules that begin so")
    parser.add_argument("--ignore", action="append", default=[], metavar="RULE", help="leave out rules that begin so")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="check N files at a time (default: 1)")
    parser.add_argument("--quiet", "-q", action="store_true", help="print findings and troubles only")
    parser.add_argument("--explain", metavar="RULE", help="print what a rule means, and check nothing")


def run(options: argparse.Namespace) -> Exit:
    """Check what was named and print the reports."""
    if options.explain:
        from bitproof.commands.explain import explain

        return explain(options.explain)
    if not options.paths:
        raise argparse.ArgumentError(None, "name a file or a folder to check, or - for standard input")
    if options.jobs < 1:
        raise argparse.ArgumentError(None, f"--jobs is at least 1, not {options.jobs}")
    how = Options(options.max_bytes, _selection(options))
    writer: Writer = JsonWriter(sys.stdout) if options.format == "json" else TextWriter(sys.stdout, quiet=options.quiet)
    targets = Targets(options.paths)
    for report in _reports(iter(targets), how, options.jobs):
        writer.add(report)
    return writer.end(targets.passed_over)


def _selection(options: argparse.Namespace) -> Selection:
    """Which rules are reported; argparse.ArgumentError for a prefix that selects none, since it can only be a slip."""
    select, ignore = _prefixes(options.select), _prefixes(options.ignore)
    if given := (*select, *ignore):
        from bitproof.check.rulebooks import without_rule

        if unknown := without_rule(given):
            named = ", ".join(map(repr, unknown))
            raise argparse.ArgumentError(None, f"no rule begins with {named}; `bitproof explain` lists them all")
    return Selection(select, ignore)


def _prefixes(given: list[str]) -> tuple[str, ...]:
    """Prefixes of rule ids, however they were given: repeated, or with commas between."""
    return tuple(prefix.strip().upper() for each in given for prefix in each.split(",") if prefix.strip())


def _reports(found: Iterator[str | Report], how: Options, jobs: int) -> Iterator[Report]:
    if jobs > 1:
        from bitproof.check.parallel import checked

        yield from checked(found, how, jobs)
        return
    for target in found:
        if isinstance(target, Report):
            yield target
        else:
            with progress_bar(target, shown(target)) as progress:
                report = check(target, how, progress)
            yield report
