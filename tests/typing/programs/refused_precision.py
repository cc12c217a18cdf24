"""Slots of one precision read, saved or kept as those of another."""

from typing import Literal

from bitproof_spec.encoding import BINARY16, BINARY32, Binary16, Binary32
from bitproof_spec.layout import Layout, Slot, State

Half = Slot[Binary16, tuple[Literal[4]]]
Master = Slot[Binary32, tuple[Literal[4]]]
half, master = Half("weight", BINARY16, (4,)), Master("weight/master", BINARY32, (4,))
Half("weight", BINARY32, (4,))  # E: arg-type expected "Encoding[Binary16]"
layout: Layout[Half, Half] = Layout(half).then(master)  # E: arg-type expected "Slot[Binary16, tuple[Literal[4]]]"


def of(state: State[Half, Master]) -> tuple[Binary16, ...]:
    return state.scalars(master)  # E: arg-type expected "Slot[Binary16,
