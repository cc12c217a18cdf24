"""The resume law for any trainer: it holds for one that saves everything, and names what each forgetful one loses."""

from __future__ import annotations

import copy
import pickle
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from bitproof import resume
from bitproof.environment import environment

PAGE = Path(__file__).parents[2] / "docs" / "resume.md"


class Whole:
    """Half-precision weights with masters, momentum, noise from its own generator and a schedule by step."""

    def __init__(self) -> None:
        self.master = torch.linspace(-1, 1, 6)
        self.weight = self.master.to(torch.float16)
        self.moment = torch.zeros(6)
        self.step = 0
        self.noise = np.random.Generator(np.random.PCG64(7))

    def advance(self, steps: int, /) -> None:
        """Noisy descent with momentum; the half weights follow the masters."""
        for _ in range(steps):
            self.step += 1
            gradient = self.weight.float() * 0.3 + torch.from_numpy(self.noise.random(6, np.float32)) * 1e-3
            self.moment.mul_(0.9).add_(gradient * 0.1)
            self.master.sub_(self.moment * (0.1 / self.step))
            self.weight.copy_(self.master)

    def state(self) -> dict[str, object]:
        """All of it, the generator's state too."""
        own = {"weight": self.weight, "master": self.master, "moment": self.moment, "step": self.step}
        return {**own, "noise": self.noise.bit_generator.state}

    def save(self, path: Path, /) -> None:
        """One pickle."""
        path.write_bytes(pickle.dumps(copy.deepcopy(self.__dict__)))

    def restore(self, path: Path, /) -> None:
        """The pickle's values, in new objects."""
        self.__dict__.update(pickle.loads(path.read_bytes()))


class ForgetsNoise(Whole):
    """Its generator starts anew, and isn't shown."""

    def state(self) -> dict[str, object]:
        """Without the generator."""
        return {k: v for k, v in super().state().items() if k != "noise"}

    def restore(self, path: Path, /) -> None:
        """The generator stays new."""
        mine = self.noise
        super().restore(path)
        self.noise = mine


class HalvesMoments(Whole):
    """Its moments pass through half precision."""

    def restore(self, path: Path, /) -> None:
        """Rounded."""
        super().restore(path)
        self.moment = self.moment.half().float()


class OffByOne(Whole):
    """Its schedule counts one step twice."""

    def restore(self, path: Path, /) -> None:
        """One less."""
        super().restore(path)
        self.step = max(self.step - 1, 0)


class StaleMaster(Whole):
    """Its masters aren't restored."""

    def restore(self, path: Path, /) -> None:
        """Masters of a new trainer."""
        mine = self.master
        super().restore(path)
        self.master = mine


class Disturbs(Whole):
    """Its save draws from the generator that training uses."""

    def state(self) -> dict[str, object]:
        """Without the generator."""
        return {k: v for k, v in super().state().items() if k != "noise"}

    def save(self, path: Path, /) -> None:
        """A draw for a random name, after what is saved."""
        super().save(path)
        self.noise.random()


def test_a_trainer_that_saves_everything_holds_the_law_and_is_told_where(capsys: pytest.CaptureFixture[str]) -> None:
    report = resume.check(Whole, steps=3)
    assert report.cuts == (0, 1, 2, 3)
    said = capsys.readouterr().out
    assert said == f"{report}\n"
    assert str(environment()) in said
    assert f"{torch.get_num_threads()} thread" in said
    assert torch.__version__ in said


def test_the_restored_trainer_may_live_in_a_new_process() -> None:
    resume.check(Whole, steps=2, cuts=[1], new_process=True, quiet=True)
    with pytest.raises(resume.ResumeBroken, match="step 2 differs after a resume from step 1"):
        resume.check(ForgetsNoise, steps=2, cuts=[1], new_process=True)


@pytest.mark.parametrize(
    ("trainer", "text"),
    [
        (
            ForgetsNoise,
            r"step 2 differs after a resume from step 1: (weight|master)\[\d\] is [0-9a-f]+, owed ",
        ),
        (HalvesMoments, r"what is restored isn't what was saved after step 1: moment\[\d\] is [0-9a-f]{8}, owed "),
        (OffByOne, r"what is restored isn't what was saved after step 1: step is 0, owed 1 "),
        (StaleMaster, r"what is restored isn't what was saved after step 1: master\[\d\] is "),
        (Disturbs, r"step 2 differs after a save at step 1, not resumed: (weight|master)\[\d\] is "),
    ],
)
def test_each_forgetful_trainer_is_caught_with_step_tensor_and_index(trainer: type[Whole], text: str) -> None:
    with pytest.raises(resume.ResumeBroken) as broken:
        resume.check(trainer, steps=4, cuts=[1, 2])
    assert re.match(text, str(broken.value)), broken.value
    assert str(environment()) in str(broken.value)


def test_runs_that_show_nothing_or_differ_by_themselves_are_no_trials() -> None:
    class Blind(Whole):
        def state(self) -> dict[str, object]:
            return {"name": "blind"}

    class Random(Whole):
        def __init__(self) -> None:
            super().__init__()
            self.master.uniform_()

    with pytest.raises(resume.ResumeBroken, match="training changes nothing that `state` shows"):
        resume.check(Blind)
    with pytest.raises(resume.ResumeBroken, match="two new trainers differ before the first step: master"):
        resume.check(Random)


@pytest.mark.parametrize(("steps", "cuts"), [(0, None), (3, []), (3, [4]), (3, [-1])])
def test_cuts_outside_the_run_are_refused(steps: int, cuts: list[int] | None) -> None:
    with pytest.raises(ValueError, match="cuts of a run"):
        resume.check(Whole, steps=steps, cuts=cuts)


def test_a_state_without_bits_is_refused_by_place() -> None:
    class Odd(Whole):
        def state(self) -> dict[str, object]:
            return {"own": [1.5, object()]}

    with pytest.raises(TypeError, match=r"own/1: the bits of a object can't be compared"):
        resume.check(Odd)


def test_nan_payloads_and_the_sign_of_zero_count() -> None:
    class Signed(Whole):
        def restore(self, path: Path, /) -> None:
            super().restore(path)
            self.moment[0] = -self.moment[0] if self.moment[0] == 0 else self.moment[0]

    with pytest.raises(resume.ResumeBroken, match=r"moment\[0\] is 80000000, owed 00000000"):
        resume.check(Signed, cuts=[0])


def test_the_page_s_example_runs_and_its_fault_is_found_as_the_page_says(tmp_path: Path) -> None:
    page = PAGE.read_text("utf-8")
    code = page.partition("```python\n")[2].partition("```")[0]
    (tmp_path / "loop.py").write_text(code)
    done = subprocess.run([sys.executable, "loop.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("resume holds: 4 steps, stopped and resumed after 0, 1, 2, 3, 4; Python")
    faulty = code.replace('        torch.set_rng_state(saved["rng"])\n', "")
    assert faulty != code
    (tmp_path / "loop.py").write_text(faulty)
    broken = subprocess.run([sys.executable, "loop.py"], cwd=tmp_path, capture_output=True, text=True)
    shown = page.partition("```text\n")[2].partition(" …")[0]
    assert shown in broken.stderr
    (tmp_path / "loop.py").write_text(faulty.replace(', "rng": torch.get_rng_state()', ""))
    unseen = subprocess.run([sys.executable, "loop.py"], cwd=tmp_path, capture_output=True, text=True)
    assert "step 2 differs after a resume from step 1: net/0.weight[" in unseen.stderr
