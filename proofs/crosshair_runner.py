"""CrossHair, read from its report: it exits 0 both for "Confirmed over all paths." and for "Not confirmed."

A subject is some top-level functions with PEP 316 contracts (`pre:` and `post:` lines in their docstrings). Each
`post:` line is one condition, and each must be reported as confirmed by itself.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from proofs.law import Part, Result, part

ROOT = Path(__file__).parent.parent
CONFIRMED = re.compile(r": info: Confirmed over all paths\.$")
MESSAGE = re.compile(r":\d+: (\w+: .*)$")
# A post-condition that can't be evaluated is a mistake in the contract, and refutes nothing.
COUNTEREXAMPLE = re.compile(r": error: (?!Error while evaluating )(.* when calling .*)$")

Function: TypeAlias = Callable[..., object]


def confirm(functions: Sequence[Function], *, seconds: int = 60) -> Result:
    """ "confirmed" only when CrossHair says so of every post-condition; `seconds` of CPU for each of them."""
    owed = sum(len(re.findall(r"^\s*post:", function.__doc__ or "", re.MULTILINE)) for function in functions)
    names = [f"{function.__module__}.{function.__qualname__}" for function in functions]
    if not owed:
        raise ValueError(f"no post-condition in {', '.join(names)}")
    return read(report(names, seconds), owed)


def contracts(name: str, functions: Sequence[Function], twins: Mapping[str, Function]) -> Part:
    """A part of a law: CrossHair must confirm the contracts of all `functions` and refute that of every twin."""
    return part(name, "CrossHair", "confirmed", confirm, functions, {fault: (twin,) for fault, twin in twins.items()})


def report(names: Sequence[str], seconds: int) -> str:
    """CrossHair's report on functions given by dotted name, in a process of its own."""
    command = [sys.executable, "-m", "crosshair", "check", "--report_all", "--analysis_kind=PEP316"]
    limits = [f"--per_condition_timeout={seconds}", f"--per_path_timeout={seconds}"]
    paths = os.pathsep.join([str(ROOT), str(ROOT / "spec"), str(ROOT / "impl")])
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONHASHSEED": "0"}
    run = subprocess.run([*command, *limits, *names], cwd=ROOT, env=environment, capture_output=True, text=True)
    return run.stdout + run.stderr


def read(text: str, owed: int) -> Result:
    """The result that a report amounts to, when `owed` conditions are to be confirmed."""
    lines = [line for line in text.splitlines() if line.strip()]
    for line in lines:
        if found := COUNTEREXAMPLE.search(line):
            return Result("refuted", 1, found[1])
    confirmed = sum(1 for line in lines if CONFIRMED.search(line))
    if confirmed == owed == len(lines):
        return Result("confirmed", confirmed, "post-conditions, all paths")
    others = [line for line in lines if not CONFIRMED.search(line)] or ["no report"]
    said = next((found[1] for line in others if (found := MESSAGE.search(line))), others[-1])
    return Result("unknown", confirmed, f"{confirmed} of {owed} confirmed: {said}")
