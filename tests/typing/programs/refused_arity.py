"""A slot, type or name more or less than there are tensors and values."""

from bitproof_spec.format import OfBytes
from bitproof_spec.layout import State
from bitproof_spec.target import load
from tests.core.instances.tlsf32b_format import TLSF32B
from tests.core.instances.tlsf32b_state import B2, LAYOUT, NET, W23, Fresh, Scalar
from tests.core.instances.values_format import VALUES
from tests.core.instances.values_run import Mlp
from tests.core.instances.values_types import AdamW, types

two: State[W23, B2] = load(Fresh(LAYOUT), TLSF32B, OfBytes(b""))  # E: arg-type expected "Layout[
three: State[W23, B2, Scalar] = load(Fresh(NET.layout), TLSF32B, OfBytes(b""))  # E: arg-type expected "Layout[
pair: tuple[Mlp, int] = load(types(Mlp, AdamW[Mlp], int), VALUES, OfBytes(b""))  # E: assignment expression has type "tuple[Mlp, AdamW[Mlp], int]"
model, optimizer = load(types(Mlp, AdamW[Mlp], int), VALUES, OfBytes(b""))  # E: misc Too many values to unpack
alone: tuple[Mlp] = load(types(Mlp), VALUES, OfBytes(b""))  # E: assignment expression has type "Mlp"
types()  # E: call-overload require at least one argument
AdamW[int]  # E: type-var "int"
