"""What the law suite tells whoever runs it: profiles, names, refutations, and instances that fail in other ways."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.errors import HypothesisException

from bitproof import suite
from bitproof.properties import Law, for_all
from bitproof.suite import CI, THOROUGH, Fault, Held, LawBroken, each_law, failing, profile, refuted
from bitproof_spec.format import Segment, View
from bitproof_spec.violations import Violation, Violations
from tests.core.instances.cases import MODULE, STATE, first_state
from tests.core.instances.tlsf32b_format import Tensors, Tlsf32b
from tests.core.instances.tlsf32b_state import LAYOUT, Fresh, Module, successor
from tests.core.twins.tlsf32b_twins import OwnFilesRefused

FEW = settings(CI, max_examples=30)


def test_the_same_few_examples_are_tried_unless_more_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BITPROOF_SUITE", raising=False)
    assert profile() is CI
    assert CI.derandomize
    assert CI.database is None
    monkeypatch.setenv("BITPROOF_SUITE", "thorough")
    assert profile() is THOROUGH
    assert not THOROUGH.derandomize
    assert THOROUGH.max_examples >= 20 * CI.max_examples
    monkeypatch.setenv("BITPROOF_SUITE", "quick")
    with pytest.raises(ValueError, match="ci, thorough, not 'quick'"):
        profile()


def test_each_law_of_each_case_is_one_test_named_by_both() -> None:
    (mark,) = [each_law(MODULE, STATE).mark]
    ids = [parameter.id for parameter in mark.args[1]]
    assert ids[:2] == ["tlsf32b-module-round-trip", "tlsf32b-module-segments"]
    assert len(ids) == len(set(ids)) == len(MODULE.laws()) + len(STATE.laws())


def test_two_cases_never_share_a_name() -> None:
    with pytest.raises(ValueError, match="two cases share a name"):
        each_law(MODULE, MODULE)


def test_the_laws_that_a_case_breaks_are_told_by_name_with_the_example_that_was_found() -> None:
    found = refuted(replace(MODULE, name="twin", format=OwnFilesRefused()), FEW)
    assert set(found) == {"round-trip"}
    assert str(found["round-trip"]).startswith("twin: round-trip: own file refused: TLS-OWN")
    assert any("shape=(0,)" in note for note in found["round-trip"].__notes__)


def test_a_misspelt_profile_is_no_refutation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BITPROOF_SUITE", "ful")
    with pytest.raises(ValueError, match="BITPROOF_SUITE is one of ci, thorough, not 'ful'"):
        refuted(MODULE)


class SizeFirst(Tlsf32b):
    """A format whose judge refuses files that are too short before it looks at any byte."""

    def judge(self, view: View, /) -> Tensors | Violations:
        if view.size < 23:
            return Violations((Violation("TLS-SIZE", "/", f"{view.size} bytes", "at least 23"),))
        return super().judge(view)


def test_hostile_files_that_are_refused_unread_refute_nothing() -> None:
    assert refuted(replace(MODULE, name="sized", format=SizeFirst(), hostile=st.just(b"RING")), FEW) == {}


class ReadsNothing(Tlsf32b):
    """A judge that goes by the size alone."""

    def judge(self, view: View, /) -> Tensors | Violations:
        return Violations((Violation("TLS-SIZE", "/", f"{view.size} bytes", "others"),))


def test_a_judge_that_never_reads_leaves_the_faults_of_reading_untried() -> None:
    (law,) = [law for law in replace(MODULE, format=ReadsNothing()).laws() if law.name == "read-faults"]
    with pytest.raises(LawBroken, match="read-faults: the judge never read, so the law was not tried"):
        law.check(FEW)


class RaisingWriter(Tlsf32b):
    """A writer that fails on an empty list of tensors."""

    def segments(self, document: Tensors, /) -> Iterator[Segment]:
        if not document.blocks:
            raise IndexError("no first tensor")
        return super().segments(document)


def test_an_instance_that_raises_breaks_the_law_that_was_being_tried() -> None:
    found = refuted(replace(MODULE, name="twin", format=RaisingWriter()), FEW)
    assert str(found["segments"]) == "twin: segments: IndexError: no first tensor"
    assert isinstance(found["segments"].__cause__, IndexError)
    assert any("drawn=" in note for note in found["segments"].__notes__)


def test_an_instance_that_answers_differently_when_asked_again_breaks_the_law() -> None:
    calls = iter(range(1000))

    def law(drawn: int) -> None:
        if next(calls) == 1:
            raise LawBroken("once")

    with pytest.raises(LawBroken, match="twin: unsteady: "):
        Law("twin", "unsteady", lambda within: for_all(within, st.integers(), law)).check(CI)


def test_a_case_that_hypothesis_cannot_draw_from_is_no_refutation() -> None:
    law = Law("twin", "empty", lambda within: for_all(within, st.nothing(), print))
    with pytest.raises(HypothesisException):
        law.check(CI)


def test_a_failing_call_fails_once_and_the_others_go_through() -> None:
    fault_at = failing(suite, "profile")
    with fault_at(1):
        assert suite.profile() is profile()
        with pytest.raises(Fault, match="call 1 of profile"):
            suite.profile()
        assert suite.profile() is profile()
    assert suite.profile is profile


def test_a_held_value_is_replaced_and_never_changed() -> None:
    first = first_state()
    held = Held(first, target=Fresh(LAYOUT), document=lambda state: Tensors(state.blocks), step=successor)
    held.advance(2)
    assert held.value == successor(successor(first)) != first == first_state()
    commit = held.stage(Module(LAYOUT).capture())
    assert not isinstance(commit, Violations)
    commit()
    assert held.value == first
    assert isinstance(held.stage(Tensors(())), Violations)
