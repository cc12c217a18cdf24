"""The command line: `bitproof COMMAND …`. A command's module is imported when it is the one that was asked for."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from types import ModuleType

from bitproof.check.report import Exit
from bitproof.commands.parser import Parser

COMMANDS = {
    "check": "say whether files conform, and everything that is wrong with them",
    "inspect": "show what is in a file: stages, shapes, parameters, training state",
    "diff": "compare two files bit for bit",
    "map": "show every byte range of a file and the clause that governs it",
    "explain": "say what a rule means, why it is there and what breaks it",
    "vectors": "list, show or export the conformance vectors",
}
EXAMPLES = """\
examples:
  bitproof check model.knn              does the file conform? if not, what is wrong?
  bitproof inspect model.knn            what is in it?
  bitproof diff before.knn after.knn    which bits changed?
  bitproof map model.knn 0x10           what does this byte belong to?
  bitproof explain KNN-HDR-06           what does this rule mean?

`bitproof COMMAND --help` says more about one of them.
"""
COLLECTED_AFTER = 100_000  # new objects
INTERRUPTED = 130  # as shells report a process that SIGINT ended


def main() -> int:
    """Run the command of this process; its exit status as `run`'s.

    What is imported lives as long as the process, so collecting it, on the way and at the end, would be a seventh of
    the time of a small check for nothing.
    """
    gc.set_threshold(COLLECTED_AFTER)
    try:
        return run(sys.argv[1:])
    finally:
        gc.freeze()


def run(given: Sequence[str]) -> int:
    """Run one command and return its exit status: 0 all is well, 1 it isn't, 2 it couldn't be done.

    SystemExit for help and for wrong arguments, as argparse ends.
    """
    if sys.stderr is None:  # closed from the start: what would be told there goes nowhere
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # for as long as the process lasts
    if sys.stdout is None:
        print("bitproof: standard output is closed", file=sys.stderr)
        return Exit.FAILED
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # so that no name can break the output, whatever its encoding
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            return int(_command(given) if given and given[0] in COMMANDS else _about(given))
        finally:
            sys.stdout.flush()  # here, where it can be told that it failed
    except BrokenPipeError:  # who reads the output has seen enough; nothing more can be told
        return _unwritten("")
    except OSError as error:
        return _unwritten(f"bitproof: {error.strerror or error}\n")
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception:  # a fault of ours is no verdict on a file, and Python's own exit status would be one
        import traceback

        traceback.print_exc()
        return Exit.FAILED


def _command(given: Sequence[str]) -> int:
    command = import_module(f"bitproof.commands.{given[0]}")
    parser = _command_parser(given[0], command)
    options = parser.parse_args(given[1:])
    try:
        return int(command.run(options))
    except argparse.ArgumentError as error:
        parser.error(error.message)


def _unwritten(said: str) -> Exit:
    """End a command whose output could not be written; what is left of it goes nowhere, so Python's end is quiet."""
    for stream, text in ((sys.stdout, ""), (sys.stderr, said)):
        try:
            stream.write(text)
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return Exit.FAILED


def _command_parser(name: str, command: ModuleType) -> argparse.ArgumentParser:
    """The parser of one command: building those of all takes as long as checking a small file."""
    summary = COMMANDS[name]
    description = f"{summary[0].upper()}{summary[1:]}."
    parser = Parser(f"bitproof {name}", description, command.EXAMPLES)
    command.arguments(parser)
    return parser


def _about(given: Sequence[str]) -> int:
    """Answer what names no command: help, the version, or that there is no such command."""
    parser = Parser(
        prog="bitproof",
        description="Check, inspect and compare neural-network checkpoints, bit for bit.",
        epilog=EXAMPLES,
    )
    parser.add_argument(
        "--version", action="store_true", help="print the version, the formats' profiles and the spec's digest"
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for name, summary in COMMANDS.items():
        commands.add_parser(name, help=summary)
    if parser.parse_args(given).version:
        return _version()
    parser.print_help()
    return Exit.FAILED


def _version() -> Exit:
    from bitproof.identity import identity

    for name, value in identity().items():
        print(f"{name}: {', '.join(value) if isinstance(value, list) else value}")
    return Exit.OK
