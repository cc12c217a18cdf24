"""Layers whose features fit make a net whose layout is known."""

from typing import Literal

from bitproof_spec.encoding import Binary32
from bitproof_spec.layout import Layout, Slot
from tests.core.instances.tlsf32b_state import EMPTY, Chain, Linear

first: Linear[Literal[784], Literal[256]] = Linear(784, 256)
second: Linear[Literal[256], Literal[10]] = Linear(256, 10)
start: Chain[Literal[784], Literal[784]] = Chain(784, 784, EMPTY)
net = start.then(first).then(second)
layout: Layout[
    Slot[Binary32, tuple[Literal[256], Literal[784]]],
    Slot[Binary32, tuple[Literal[256]]],
    Slot[Binary32, tuple[Literal[10], Literal[256]]],
    Slot[Binary32, tuple[Literal[10]]],
] = net.layout
