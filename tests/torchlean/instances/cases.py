"""TorchLean's instances of the law suite: every module, optimizer and encoding."""

from __future__ import annotations

from functools import partial
from typing import Any

from bitproof import tensors
from bitproof.suite import Case, failing
from bitproof_spec.torchlean.encodings import FLOAT
from bitproof_spec.torchlean.json_state import TLJSON
from bitproof_spec.torchlean.optimizer_file import OptimizerFile
from bitproof_spec.torchlean.streamed import TLSF32B
from tests.torchlean.builders import LINEAR_SHAPES, deep
from tests.torchlean.instances import modules, optimizers, states

TEXT = 2**20  # bytes of a JSON state, which is looked at as a whole
ADOPT = failing(tensors, "adopt")

MODULES: tuple[Case[Any], ...] = (
    Case("float32", TLSF32B, modules.streams(LINEAR_SHAPES), modules.float32_module, fault_at=ADOPT),
    Case("deep", TLSF32B, modules.streams(deep().state_shapes), modules.deep_module, fault_at=ADOPT),
    Case("tied", TLSF32B, modules.tied_streams(), modules.tied_module, fault_at=ADOPT),
    Case("mirror", TLSF32B, modules.streams(LINEAR_SHAPES), modules.mirror_module, fault_at=ADOPT),
    Case("float", TLJSON, states.states(FLOAT), modules.float_module, fault_at=ADOPT, largest_look=TEXT),
)
OPTIMIZERS: tuple[Case[Any], ...] = tuple(
    Case(name, OptimizerFile(), optimizers.optimizer_states(fresh), fresh, fault_at=ADOPT)
    for name, fresh in (("adamw", optimizers.adamw), ("adam-tied", optimizers.adam_tied))
)
STATES: dict[str, Case[Any]] = {
    name: Case(
        f"state-{name}",
        TLJSON,
        states.states(encoding),
        partial(states.live_state, encoding),
        encodings=(encoding,),
        largest_look=TEXT,
    )
    for name, encoding in states.ENCODINGS.items()
}
