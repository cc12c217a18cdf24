"""Slots and values in another order."""

from bitproof_spec.format import OfBytes
from bitproof_spec.layout import State
from bitproof_spec.target import load
from tests.core.instances.tlsf32b_format import TLSF32B
from tests.core.instances.tlsf32b_state import B2, NET, W23, Fresh
from tests.core.instances.values_format import VALUES
from tests.core.instances.values_types import types

state: State[B2, W23] = load(Fresh(NET.layout), TLSF32B, OfBytes(b""))  # E: arg-type expected "Layout[
name, rate, flag = load(types(bool, str, float), VALUES, OfBytes(b""))
is_last: bool = flag  # E: assignment expression has type "float"
turned: tuple[str, bool] = load(types(bool, str), VALUES, OfBytes(b""))  # E: assignment expression has type "tuple[bool, str]"
