"""A state knows the precision of each of its slots."""

from typing import Literal

from bitproof_spec.encoding import BINARY16, BINARY32, Binary16, Binary32
from bitproof_spec.layout import Layout, Slot, State

Half = Slot[Binary16, tuple[Literal[4]]]
Master = Slot[Binary32, tuple[Literal[4]]]
half, master = Half("weight", BINARY16, (4,)), Master("weight/master", BINARY32, (4,))
layout: Layout[Half, Master] = Layout(half).then(master)


def of(state: State[Half, Master]) -> tuple[Binary16, ...]:
    return state.scalars(half)
