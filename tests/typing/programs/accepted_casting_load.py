"""A load gives what the target is made of."""

from typing import Literal

from bitproof_spec.encoding import BINARY32, Binary32
from bitproof_spec.format import OfBytes
from bitproof_spec.layout import Layout, Slot, State
from bitproof_spec.target import load
from tests.core.instances.tlsf32b_format import TLSF32B
from tests.core.instances.tlsf32b_state import Fresh
from tests.core.instances.values_format import VALUES
from tests.core.instances.values_types import types

Narrow = Slot[Binary32, tuple[Literal[4]]]
LAYOUT: Layout[Narrow] = Layout(Narrow("weight", BINARY32, (4,)))
narrow: State[Narrow] = load(Fresh(LAYOUT), TLSF32B, OfBytes(b""))
number: float = load(types(float), VALUES, OfBytes(b""))
