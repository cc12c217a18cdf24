"""Slots and states of other shapes."""

from typing import Literal

from bitproof_spec.encoding import BINARY32, BINARY64, Binary32
from bitproof_spec.layout import Layout, Slot, State

Weight = Slot[Binary32, tuple[Literal[2], Literal[3]]]
Turned = Slot[Binary32, tuple[Literal[3], Literal[2]]]
Weight("weight", BINARY32, (3, 2))  # E: arg-type expected "tuple[Literal[2], Literal[3]]"
Weight("weight", BINARY32, (2,))  # E: arg-type expected "tuple[Literal[2], Literal[3]]"
Weight("weight", BINARY64, (2, 3))  # E: arg-type expected "Encoding[Binary32]"


def of(weight: Weight, state: State[Weight], turned: State[Turned]) -> None:
    layout: Layout[Turned] = Layout(weight)  # E: arg-type expected "Slot[Binary32, tuple[Literal[3], Literal[2]]]"
    same: State[Weight] = turned  # E: assignment variable has type "State[Slot[Binary32, tuple[Literal[2], Literal[3]]]]"
