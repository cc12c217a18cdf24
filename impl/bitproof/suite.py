"""The law suite, for anyone's implementation: register it as one `Case`, and every law of the specification runs.

    mine = Case("mine", MyFormat(), my_documents, MyModel)

    @each_law(mine)
    def test_mine(law: Law) -> None:
        law.check()

A law that fails raises `LawBroken` with instance, law, first differing leaf and index, and the example found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Protocol
from unittest import mock

from bitproof.case import Case
from bitproof.extras import missing
from bitproof.held import Held
from bitproof.hypothesis_extra import settings
from bitproof.properties import CI, THOROUGH, Law, profile
from bitproof_spec.laws import LawBroken
from bitproof_spec.live_laws import Fault, FaultAt

if TYPE_CHECKING:
    import pytest

__all__ = ["CI", "THOROUGH", "Case", "Fault", "Held", "Law", "LawBroken", "each_law", "failing", "profile", "refuted"]


class Registered(Protocol):
    """What a case of any document is to a test run."""

    @property
    def name(self) -> str:
        """The case's name, different for different cases."""
        ...

    def laws(self) -> tuple[Law, ...]:
        """The laws to try."""
        ...


def each_law(*cases: Registered) -> pytest.MarkDecorator:
    """Decorator for a pytest function that takes `law`: one test for every law of every case, named `case-law`.

    ValueError when two cases share a name.
    """
    try:
        import pytest
    except ModuleNotFoundError:
        raise missing("pytest", "test") from None
    if len({case.name for case in cases}) != len(cases):
        raise ValueError("two cases share a name")
    return pytest.mark.parametrize("law", [pytest.param(law, id=str(law)) for case in cases for law in case.laws()])


def refuted(case: Registered, within: settings | None = None) -> Mapping[str, LawBroken]:
    """The laws that a case breaks, by name, with how: for a run without pytest, and for twins that must be refuted."""
    found: dict[str, LawBroken] = {}
    for law in case.laws():
        try:
            law.check(within)
        except LawBroken as broken:
            found[law.name] = broken
    return found


def failing(owner: object, name: str) -> FaultAt:
    """A `fault_at`: while it is on, the k-th call of `owner.name`, from 0, raises `Fault` instead of what it does.

    Name the function that makes each tensor while a document is staged, in the module that calls it.
    """

    @contextmanager
    def fault_at(step: int) -> Iterator[None]:
        calls, real = count(), getattr(owner, name)

        def counted(*args: object, **options: object) -> object:
            if next(calls) == step:
                raise Fault(f"planted in call {step} of {name}")
            return real(*args, **options)

        with mock.patch.object(owner, name, counted):
            yield

    return fault_at
