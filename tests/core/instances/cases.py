"""The three instances as cases of the law suite; the state is a fourth, through the adapter for immutable values."""

from __future__ import annotations

from bitproof.suite import Case, Held, failing
from bitproof_spec.encoding import BINARY16, BINARY32, BINARY64
from bitproof_spec.layout import State
from bitproof_spec.violations import Violations
from tests.core.instances import documents, knn_model, tlsf32b_state, values_types
from tests.core.instances.knn_document import Knn
from tests.core.instances.knn_format import KNN
from tests.core.instances.knn_model import HalfModel
from tests.core.instances.tlsf32b_format import TLSF32B, Tensors
from tests.core.instances.tlsf32b_state import B2, LAYOUT, W23, Fresh, Module, Scalar, successor
from tests.core.instances.values_document import Values
from tests.core.instances.values_format import VALUES
from tests.core.instances.values_run import Run

MODEL: Case[Knn] = Case(
    "knn",
    KNN,
    documents.fitting_knns() | documents.other_knns(),
    HalfModel,
    hostile=documents.rehashed_knns(),
    encodings=(BINARY16, BINARY32, BINARY64),
    fault_at=failing(knn_model, "staged_tensor"),
)

MODULE: Case[Tensors] = Case(
    "tlsf32b-module",
    TLSF32B,
    documents.fitting_tensors() | documents.other_tensors(),
    lambda: Module(LAYOUT),
    encodings=(BINARY32,),
    fault_at=failing(tlsf32b_state, "tensor_of"),
)


def first_state() -> State[W23, B2, Scalar]:
    """The state of a new module."""
    state = LAYOUT.state(Module(LAYOUT).capture().blocks)
    if isinstance(state, Violations):
        raise AssertionError("a module has its own layout")
    return state


STATE: Case[Tensors] = Case(
    "tlsf32b-state",
    TLSF32B,
    documents.fitting_tensors() | documents.other_tensors(),
    lambda: Held(first_state(), target=Fresh(LAYOUT), document=lambda state: Tensors(state.blocks), step=successor),
)

RUN: Case[Values] = Case(
    "shapescript",
    VALUES,
    documents.fitting_values() | documents.other_values(),
    Run,
    hostile=documents.foreign_zips(),
    fault_at=failing(values_types, "tensor_of"),
)

CASES: tuple[Case[Knn] | Case[Tensors] | Case[Values], ...] = (MODEL, MODULE, STATE, RUN)
