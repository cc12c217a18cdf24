"""Layers whose features don't fit, and a net taken for one of other layers."""

from typing import Literal

from bitproof_spec.encoding import Binary32
from bitproof_spec.layout import Layout, Slot
from tests.core.instances.tlsf32b_state import EMPTY, Chain, Linear

first: Linear[Literal[784], Literal[256]] = Linear(784, 256)
second: Linear[Literal[256], Literal[10]] = Linear(256, 10)
start: Chain[Literal[784], Literal[784]] = Chain(784, 784, EMPTY)
start.then(second)  # E: arg-type expected "Linear[Literal[784],
start.then(first).then(first)  # E: arg-type expected "Linear[Literal[256],
other: Linear[Literal[784], Literal[255]] = Linear(784, 256)  # E: arg-type expected "Literal[255]"
one: Layout[Slot[Binary32, tuple[Literal[256]]]] = start.then(first).layout  # E: assignment variable has type "Layout[Slot[Binary32, tuple[Literal[256]]]]"
