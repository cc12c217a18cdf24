"""TorchLean's instances under the law suite: quick for every change, all encodings in full among the slow tests."""

from __future__ import annotations

import re

import pytest
from hypothesis import Phase, settings

from bitproof.suite import CI, Law, LawBroken, each_law, profile
from tests.torchlean.instances.cases import MODULES, OPTIMIZERS, STATES
from tests.torchlean.instances.states import USUAL
from tests.torchlean.twins import TWINS, Twin

FEW = settings(CI, max_examples=12)


@each_law(*MODULES, *OPTIMIZERS, *(STATES[name] for name in USUAL))
def test_every_law_holds_of_every_module_and_optimizer_and_of_states_in_the_usual_encodings(law: Law) -> None:
    law.check(FEW)


@pytest.mark.slow
@each_law(*MODULES, *OPTIMIZERS)
def test_every_law_holds_of_every_module_and_optimizer_in_full(law: Law) -> None:
    law.check()


@pytest.mark.slow
@each_law(*STATES.values())
def test_every_law_holds_of_states_in_every_encoding(law: Law) -> None:
    law.check(settings(profile(), max_examples=profile().max_examples // 3))


@pytest.mark.parametrize("twin", TWINS, ids=lambda twin: f"{twin.case.name}-{twin.law}")
def test_a_broken_twin_is_refuted_by_the_law_that_says_what_is_wrong_with_it(twin: Twin) -> None:
    with pytest.raises(LawBroken) as refutation:
        twin.refuter.check(settings(CI, phases=[Phase.generate]))
    assert re.search(twin.says, str(refutation.value)), str(refutation.value)


def test_every_law_refutes_a_twin() -> None:
    cases = (*MODULES, *OPTIMIZERS, *STATES.values())
    assert {twin.law for twin in TWINS} == {law.name for case in cases for law in case.laws()}
