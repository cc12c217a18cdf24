"""A slot carries its scalar and shape."""

from typing import Literal

from bitproof_spec.encoding import BINARY32, Binary32
from bitproof_spec.layout import Layout, Slot

Weight = Slot[Binary32, tuple[Literal[2], Literal[3]]]
layout: Layout[Weight] = Layout(Weight("weight", BINARY32, (2, 3)))
