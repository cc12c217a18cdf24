"""A document, its format and what it is loaded into belong to one system."""

from bitproof_spec.format import OfBytes, encode
from bitproof_spec.target import load, save
from tests.core.instances.knn_format import KNN
from tests.core.instances.knn_model import HalfModel
from tests.core.instances.tlsf32b_format import TLSF32B, Tensors
from tests.core.instances.tlsf32b_state import LAYOUT, Module
from tests.core.instances.values_document import Values
from tests.core.instances.values_format import VALUES
from tests.core.instances.values_run import Run

load(HalfModel(), KNN, OfBytes(save(HalfModel(), KNN)))
load(Module(LAYOUT), TLSF32B, OfBytes(encode(TLSF32B, Tensors(()))))
load(Run(), VALUES, OfBytes(encode(VALUES, Values(()))))
