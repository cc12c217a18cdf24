"""Every law over an instance of each system: none is refuted."""

from __future__ import annotations

from bitproof.suite import Law, each_law
from tests.core.instances.cases import CASES


@each_law(*CASES)
def test_no_law_is_refuted_over_an_instance_of_each_system(law: Law) -> None:
    law.check()
