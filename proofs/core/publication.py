"""The law of publication: at every crash point the path holds old or new bytes, whole.

The model is explored state by state; real saves are then shown to be paths of it, call by call.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from bitproof_spec.publication import QUICK_SAVE
from bitproof_spec.publication_machine import OutOfOrder, follow
from proofs.core.publication_model import Model, explore
from proofs.core.publication_traces import NEW, OLD, SETTINGS, TRACE_TWINS, Publisher, held_against_the_model, real
from proofs.core.publication_twins import KILLED_TWINS, THREE_TWINS, TWINS, Twin
from proofs.core.system_calls import traced_save, why_not
from proofs.law import Law, Result, part


class Claim(NamedTuple):
    """Models without a fault; or, for a twin, one in which this very fault is found."""

    models: tuple[Model, ...]
    expected: str = ""


def explored(claim: Claim) -> Result:
    """Every state of the models visited. A twin that shows another fault than its own isn't taken for refuted."""
    states = 0
    for model in claim.models:
        found = explore(model)
        states += found.states
        if found.fault is not None:
            return Result("refuted" if claim.expected in found.fault else "unknown", states, found.fault)
        if not found.returned:
            return Result("unknown", states, "no state in which every save returned")
    return Result("model-checked", states, f"states of {len(claim.models)} models")


def _claims(twins: Mapping[str, Twin]) -> dict[str, Claim]:
    return {name: Claim((twin.model,), twin.fault) for name, twin in twins.items()}


class Outside(NamedTuple):
    """A saver that runs in a process of its own: the publication changed by some code, and the same fault inside."""

    change: str
    inside: Publisher


def seen_from_outside(saver: Outside) -> Result:
    """Each setting once under strace; where that can't run, under the recorder."""
    if why_not():
        return held_against_the_model(saver.inside)
    for tried, setting in enumerate(SETTINGS):
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory, "name")
            if setting.old:
                path.write_bytes(OLD)
            run = traced_save(path, durable=setting.durable, unnamed=setting.unnamed, change=saver.change)
            try:
                save = follow(setting.protocol, run.trace)
            except OutOfOrder as error:
                return Result("refuted", tried, f"{setting}: {error}")
            if run.code or save.owed is not None or path.read_bytes() != NEW:
                return Result("refuted", tried, f"{setting}: {save}, {run.stderr}")
    return Result("exhausted", len(SETTINGS), "settings, each a path of the model by strace")


OUTSIDE_TWINS = {
    "not durable": Outside("durable = False", lambda path, _durable: real(path, False)),
    "the directory is never synced": Outside(
        "files._Save.end = lambda save, durable: save._directory.close()", TRACE_TWINS["the directory is never synced"]
    ),
}
TWO = Claim((Model(), Model(old=False)))
THREE = Claim((Model(savers=3, failing=1), Model(savers=3, failing=1, old=False)))
KILLED = Claim(tuple(Model(QUICK_SAVE, power=False, savers=savers) for savers in (1, 2)))

LAW = Law(
    id="publication",
    statement="at every crash point, with any set of unsynced changes lost or reordered and savers beside each other, "
    "the path holds old or new bytes, whole; a durable save that returned is not lost",
    committed="model-checked",
    parts=(
        part(
            "two savers, each call failing, power lost anywhere",
            "explorer",
            "model-checked",
            explored,
            TWO,
            _claims(TWINS),
        ),
        part(
            "three savers, the calls of one failing, power lost anywhere",
            "explorer",
            "model-checked",
            explored,
            THREE,
            _claims(THREE_TWINS),
            slow=True,
        ),
        part("without syncs, killed anywhere", "explorer", "model-checked", explored, KILLED, _claims(KILLED_TWINS)),
        part(
            "real saves are paths of the model, each call failing in turn",
            "recorder of os calls",
            "exhausted",
            held_against_the_model,
            real,
            TRACE_TWINS,
        ),
        part(
            "and so are their system calls",
            "strace, or the recorder where it can't run",
            "exhausted",
            seen_from_outside,
            Outside("", real),
            OUTSIDE_TWINS,
        ),
    ),
)
