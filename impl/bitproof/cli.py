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
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # so that no name can break the output, whatever its encoding
            stream.reconfigure(errors="backslashreplace")
    if not given or given[0] not in COMMANDS:
        return _about(given)
    command = import_module(f"bitproof.commands.{given[0]}")
    parser = _command_parser(given[0], command)
    options = parser.parse_args(given[1:])
    try:
        outcome = command.run(options)
        sys.stdout.flush()
        return int(outcome)
    except argparse.ArgumentError as error:
        parser.error(error.message)
    except BrokenPipeError:  # who reads the output has seen enough; nothing more can be told
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception:  # a fault of ours is no verdict on a file, and Python's own exit status would be one
        import traceback

        traceback.print_exc()
        return Exit.FAILED


def _command_parser(name: str, command: ModuleType) -> argparse.ArgumentParser:
    """The parser of one command: building those of all takes as long as checking a small file."""
    summary = COMMANDS[name]
    description = f"{summary[0].upper()}{summary[1:]}."
    parser = argparse.ArgumentParser(f"bitproof {name}", description=description, formatter_class=_Help)
    parser.epilog = command.EXAMPLES
    command.arguments(parser)
    return parser


def _about(given: Sequence[str]) -> int:
    """Answer what names no command: help, the version, or that there is no such command."""
    parser = argparse.ArgumentParser(
        prog="bitproof",
        description="Check, inspect and compare neural-network checkpoints, bit for bit.",
        epilog=EXAMPLES,
        formatter_class=_Help,
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


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal, within reason; argparse makes one for every argument, so it has to be cheap."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=max(40, min(_columns(), 100)) - 2)


def _columns() -> int:
    """Columns of the terminal, or what COLUMNS says; 80 where neither is known."""
    try:
        return int(os.environ.get("COLUMNS", "")) or 80
    except ValueError:
        pass
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns if sys.__stdout__ else 80
    except (OSError, ValueError):
        return 80


def _version() -> Exit:
    from bitproof.identity import identity

    for name, value in identity().items():
        print(f"{name}: {', '.join(value) if isinstance(value, list) else value}")
    return Exit.OK
