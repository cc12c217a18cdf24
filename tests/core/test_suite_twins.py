"""Broken twins of the instances: the suite refutes each, by the law that says what is wrong with it."""

from __future__ import annotations

import re

import pytest
from hypothesis import Phase, settings

from bitproof.suite import CI, LawBroken
from tests.core.instances.cases import CASES
from tests.core.twins.cases import TWINS, Twin

FIRST = settings(CI, phases=[Phase.generate])
"""No more examples than a user's own run has, and none spent on making the one that was found smaller."""


@pytest.mark.parametrize("twin", TWINS, ids=lambda twin: f"{twin.case.name}-{twin.law}")
def test_a_broken_twin_is_refuted_by_the_law_that_says_what_is_wrong_with_it(twin: Twin) -> None:
    with pytest.raises(LawBroken) as refutation:
        twin.refuter.check(FIRST)
    assert re.match(rf"{twin.case.name}: {twin.law}: (.*: )?{twin.says}", str(refutation.value)), str(refutation.value)


def test_every_law_refutes_a_twin() -> None:
    assert {twin.law for twin in TWINS} == {law.name for case in CASES for law in case.laws()}
