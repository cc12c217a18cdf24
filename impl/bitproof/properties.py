"""One law over one instance as a property that Hypothesis tries to refute, and how hard it tries."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from bitproof.hypothesis_extra import Flaky, HealthCheck, HypothesisException, Phase, SearchStrategy, given, settings
from bitproof_spec.laws import LawBroken

X = TypeVar("X")

CI = settings(
    max_examples=60,
    derandomize=True,
    deadline=None,
    database=None,
    report_multiple_bugs=False,
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.target, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
"""The same examples on every run, few enough for every change; `thorough` tries many, others each time."""

THOROUGH = settings(CI, max_examples=3000, derandomize=False, print_blob=True)

PROFILES: Mapping[str, settings] = {"ci": CI, "thorough": THOROUGH}


def profile() -> settings:
    """The profile that the environment variable BITPROOF_SUITE names, `ci` without one; ValueError for another name."""
    name = os.environ.get("BITPROOF_SUITE", "ci")
    if name not in PROFILES:
        raise ValueError(f"BITPROOF_SUITE is one of {', '.join(PROFILES)}, not {name!r}")
    return PROFILES[name]


@dataclass(frozen=True)
class Law:
    """One law over one instance. `run` tries to refute it within the settings it is given."""

    case: str
    name: str
    run: Callable[[settings], None]

    def __str__(self) -> str:
        return f"{self.case}-{self.name}"

    def check(self, within: settings | None = None) -> None:
        """Try to refute the law, within `profile()` unless other settings are given.

        LawBroken names instance, law and first difference; its notes show the example. An instance that raises, or
        answers differently when asked again, breaks the law too, and what it raised is the cause.
        ValueError for a profile that there isn't.
        """
        chosen = within or profile()
        try:
            self.run(chosen)
        except LawBroken as broken:
            broken.args = (f"{self.case}: {broken}",)
            raise
        except Exception as error:
            if isinstance(error, HypothesisException) and not isinstance(error, Flaky):
                raise
            refuted = LawBroken(f"{self.case}: {self.name}: {type(error).__name__}: {error}")
            for note in getattr(error, "__notes__", ()):
                refuted.add_note(note)
            raise refuted from error


def for_all(within: settings, strategy: SearchStrategy[X], law: Callable[[X], object]) -> None:
    """Run `law` over what the strategy draws; what it raises for the simplest example found comes out."""

    @within
    @given(strategy)
    def holds(drawn: X) -> None:
        law(drawn)

    holds()


def fewer(within: settings) -> settings:
    """The same settings with a tenth of the examples, for laws that do one load a fault in each."""
    return settings(within, max_examples=max(within.max_examples // 10, 3))
