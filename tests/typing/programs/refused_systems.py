"""Documents, formats and targets of different systems."""

from bitproof.suite import Case
from bitproof_spec.format import OfBytes, encode
from bitproof_spec.target import Trainable, load, save
from tests.core.instances import documents
from tests.core.instances.knn_document import Knn
from tests.core.instances.knn_format import KNN
from tests.core.instances.knn_model import HalfModel
from tests.core.instances.tlsf32b_format import TLSF32B, Tensors
from tests.core.instances.tlsf32b_state import LAYOUT, Fresh, Module
from tests.core.instances.values_document import Values
from tests.core.instances.values_format import VALUES
from tests.core.instances.values_run import Run
from tests.core.instances.values_types import types

load(HalfModel(), TLSF32B, OfBytes(b""))  # E: misc Cannot infer value of type parameter "D" of "load"
load(Module(LAYOUT), KNN, OfBytes(b""))  # E: misc Cannot infer value of type parameter "D" of "load"
load(types(int), TLSF32B, OfBytes(b""))  # E: misc Cannot infer value of type parameter "D" of "load"
load(Fresh(LAYOUT), VALUES, OfBytes(b""))  # E: misc Cannot infer value of type parameter "D" of "load"
encode(KNN, Tensors(()))  # E: misc Cannot infer value of type parameter "D" of "encode"
encode(TLSF32B, Values(()))  # E: misc Cannot infer value of type parameter "D" of "encode"
save(Run(), KNN)  # E: misc Cannot infer value of type parameter "D" of "save"
trains: Trainable[Knn] = Module(LAYOUT)  # E: assignment variable has type "Trainable[Knn]"
immutable: Trainable[Tensors] = Fresh(LAYOUT)  # E: assignment variable has type "Trainable[Tensors]"
Case("mixed", KNN, documents.fitting_knns(), Run)  # E: arg-type expected "Callable[[], Trainable[Knn]]"
