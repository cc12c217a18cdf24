"""The resume law for any trainer: n steps, save, restore into a new one, m steps equal n + m steps, bit for bit.

    from bitproof import resume
    resume.check(MyTrainer)

A trainer can advance, save, restore and show its state. What differs first is named by step, tensor and index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, Protocol, TypeAlias

from bitproof.environment import Environment, environment
from bitproof.shown import Shown, State, state_of
from bitproof_spec.document import differences


class Trainer(Protocol):
    """What the law needs of a trainer; its next state must be a function of its state alone."""

    def advance(self, steps: int, /) -> object:
        """Train that many steps."""
        ...

    def save(self, path: Path, /) -> object:
        """Save to a path that doesn't exist yet, as a file or a folder."""
        ...

    def restore(self, path: Path, /) -> object:
        """Become what was saved there."""
        ...

    def state(self) -> Shown:
        """Everything that training depends on, by name: arrays, tensors, bytes, numbers, text."""
        ...


Make: TypeAlias = Callable[[], Trainer]


class ResumeBroken(AssertionError):
    """The law doesn't hold; the message says where it breaks first, and on what build, processor and threads."""


class Report(NamedTuple):
    """What was tried: steps of the run that didn't stop, the cuts, and where it ran."""

    steps: int
    cuts: tuple[int, ...]
    environment: Environment

    def __str__(self) -> str:
        cuts = ", ".join(map(str, self.cuts))
        return f"resume holds: {self.steps} steps, stopped and resumed after {cuts}; {self.environment}"


def check(
    make: Make, *, steps: int = 4, cuts: Iterable[int] | None = None, new_process: bool = False, quiet: bool = False
) -> Report:
    """Hold a trainer to the law at every cut (0 … `steps` unless given), and print what held and where.

    `make` gives a new trainer, each time in the same state. With `new_process` the restored trainer lives in a new
    interpreter, as it will; `make` must then be importable. ResumeBroken at the first difference; ValueError for a
    cut outside the run, TypeError for a state that can't be compared bit for bit.
    """
    chosen = tuple(range(steps + 1) if cuts is None else cuts)
    if steps < 1 or not chosen or any(not 0 <= cut <= steps for cut in chosen):
        raise ValueError(f"cuts of a run of {steps} steps are in 0..{steps}, not {list(chosen)}")
    straight = _states(make(), steps)
    _owe(straight[0], state_of(make().state()), "two new trainers differ before the first step")
    if all(not differences(straight[0], later) for later in straight[1:]):
        raise _broken("training changes nothing that `state` shows, so that no difference could be seen")
    with TemporaryDirectory() as folder:
        for cut in chosen:
            _hold_at(make, straight, cut, Path(folder) / f"after-{cut}", new_process)
    report = Report(steps, chosen, environment())
    if not quiet:
        print(report)
    return report


def _hold_at(make: Make, straight: Sequence[State], cut: int, path: Path, new_process: bool) -> None:
    """One cut: the save disturbs nothing, what is restored is what was saved, and every step after it is the same.

    The stopped trainer ends its run before the other begins, since they may share a library's own generator.
    """
    stopped = make()
    stopped.advance(cut)
    _owe(straight[cut], state_of(stopped.state()), f"step {cut} differs when the same run is repeated")
    stopped.save(path)
    _owe(straight[cut], state_of(stopped.state()), f"saving after step {cut} changed the trainer")
    rest = range(cut + 1, len(straight))
    for step in rest:
        stopped.advance(1)
        _owe(straight[step], state_of(stopped.state()), f"step {step} differs after a save at step {cut}, not resumed")
    if new_process:
        with get_context("spawn").Pool(1) as pool:
            resumed = pool.apply(_resumed, (make, path, len(rest)))
    else:
        resumed = _resumed(make, path, len(rest))
    _owe(straight[cut], resumed[0], f"what is restored isn't what was saved after step {cut}")
    for step, state in zip(rest, resumed[1:], strict=True):
        _owe(straight[step], state, f"step {step} differs after a resume from step {cut}")


def _resumed(make: Make, path: Path, steps: int) -> list[State]:
    """The states of a new trainer after it was restored, and after each further step."""
    trainer = make()
    trainer.restore(path)
    return _states(trainer, steps)


def _states(trainer: Trainer, steps: int) -> list[State]:
    """Copies of the state now and after each step."""
    found = [state_of(trainer.state())]
    for _ in range(steps):
        trainer.advance(1)
        found.append(state_of(trainer.state()))
    return found


def _owe(owed: State, found: State, law: str) -> None:
    """ResumeBroken with the first difference, unless all leaves agree."""
    parted = differences(owed, found)
    if parted:
        first = parted[0]
        raise _broken(f"{law}: {first.where} is {first.right}, owed {first.left} (1 of {len(parted)} that differ)")


def _broken(text: str) -> ResumeBroken:
    return ResumeBroken(f"{text}; {environment()}")
