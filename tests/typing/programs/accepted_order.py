"""Slots in the order of the layout, values in the order they were saved."""

from bitproof_spec.format import OfBytes
from bitproof_spec.layout import State
from bitproof_spec.target import load
from tests.core.instances.tlsf32b_format import TLSF32B
from tests.core.instances.tlsf32b_state import B2, NET, W23, Fresh
from tests.core.instances.values_format import VALUES
from tests.core.instances.values_types import types

state: State[W23, B2] = load(Fresh(NET.layout), TLSF32B, OfBytes(b""))
flag, count, rate = load(types(bool, int, float), VALUES, OfBytes(b""))
is_last: bool = flag
steps: int = count
