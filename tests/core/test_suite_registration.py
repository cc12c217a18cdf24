"""A case whose parts can't be what they are said to be is refused when it is registered, before any law runs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import pytest
from hypothesis import strategies as st

from bitproof.suite import Case
from bitproof_spec.encoding import BINARY32
from tests.core.instances.documents import fitting_tensors
from tests.core.instances.knn_model import HalfModel
from tests.core.instances.tlsf32b_format import TLSF32B, Tlsf32b
from tests.core.instances.tlsf32b_state import LAYOUT, Module

GOOD: Mapping[str, Any] = {  # Any: some are replaced by what a type checker would refuse
    "name": "mine",
    "format": TLSF32B,
    "documents": fitting_tensors(),
    "fresh": lambda: Module(LAYOUT),
}


class Half:
    """A format that only judges."""

    canonical, judge = False, TLSF32B.judge


class Claims(Tlsf32b):
    """A format whose claim is no truth value."""

    canonical = "yes"  # type: ignore[assignment]  # the fault


class CallableModule(HalfModel):
    """A live object that can be called, as a torch module can."""

    def __call__(self) -> None:
        pass


REFUSED = {
    "a number for a name": ({"name": 3}, "name: owed a text that says something, found int 3"),
    "an empty name": ({"name": ""}, "name: owed a text that says something, found str ''"),
    "a format's class": ({"format": Tlsf32b}, "format: owed an instance, found the class Tlsf32b"),
    "no format": ({"format": None}, "format: owed .*, found a NoneType without name, canonical, segments, judge"),
    "half a format": ({"format": Half()}, "format: owed name, .*, found a Half without name, segments"),
    "a claim": ({"format": Claims()}, "format.canonical: owed a bool, found str 'yes'"),
    "a live object": ({"fresh": HalfModel()}, "fresh: owed what makes new live objects, found a live HalfModel"),
    "one to call": ({"fresh": CallableModule()}, "fresh: owed .*, found a live CallableModule"),
    "nothing to call": ({"fresh": 3}, "fresh: owed what makes new live objects, found a int"),
    "a maker of documents": ({"documents": fitting_tensors}, "documents: owed a strategy, found a function"),
    "a hostile file": ({"hostile": b"RING"}, "hostile: owed a strategy or None, found a bytes"),
    "one encoding": ({"encodings": BINARY32}, "encodings: owed a sequence, found a "),
}


@pytest.mark.parametrize(("parts", "says"), REFUSED.values(), ids=REFUSED)
def test_a_part_that_cannot_be_what_it_is_said_to_be_is_refused_at_once(parts: Mapping[str, Any], says: str) -> None:
    with pytest.raises(TypeError, match=f"^{says}"):
        Case(**{**GOOD, **parts})


def test_what_makes_live_objects_may_be_a_class_a_function_or_a_generic_of_some_types() -> None:
    for fresh in (HalfModel, lambda: Module(LAYOUT), partial(Module, LAYOUT), Module[Any]):
        assert Case(**{**GOOD, "fresh": fresh}).fresh is fresh
    assert Case(**GOOD, hostile=st.just(b"RING"), encodings=[BINARY32]).hostile is not None
