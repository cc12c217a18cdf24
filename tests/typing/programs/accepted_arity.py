"""As many slots, types and names as there are tensors and values."""

from bitproof_spec.format import OfBytes
from bitproof_spec.layout import State
from bitproof_spec.target import load
from tests.core.instances.tlsf32b_format import TLSF32B
from tests.core.instances.tlsf32b_state import B2, LAYOUT, NET, W23, Fresh, Scalar
from tests.core.instances.values_format import VALUES
from tests.core.instances.values_run import Mlp
from tests.core.instances.values_types import AdamW, types

two: State[W23, B2] = load(Fresh(NET.layout), TLSF32B, OfBytes(b""))
three: State[W23, B2, Scalar] = load(Fresh(LAYOUT), TLSF32B, OfBytes(b""))
model, optimizer, done = load(types(Mlp, AdamW[Mlp], int), VALUES, OfBytes(b""))
model_of: Mlp = optimizer.model
steps: int = done
alone: Mlp = load(types(Mlp), VALUES, OfBytes(b""))
