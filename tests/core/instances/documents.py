"""Documents and hostile files of the three instances."""

from __future__ import annotations

import io
import json

import torch
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from bitproof.strategies import blocks, mutations, words64
from bitproof_spec.document import Block
from bitproof_spec.encoding import BINARY16, BINARY32, BINARY64
from bitproof_spec.format import encode
from bitproof_spec.integers import INT64
from tests.core.instances.knn_document import Knn, manifest_of, text_of
from tests.core.instances.knn_format import HEADER, KNN, header, layout
from tests.core.instances.knn_model import PRECISION, HalfModel
from tests.core.instances.tlsf32b_format import Tensors
from tests.core.instances.tlsf32b_state import LAYOUT
from tests.core.instances.values_document import FloatValue, ModelValue, OptimizerValue, Values
from tests.core.instances.values_format import FORMAT
from tests.core.instances.values_run import Mlp


def fitting_knns() -> SearchStrategy[Knn]:
    """Documents that fit the half model, of any words."""
    tensors = st.tuples(
        *(st.tuples(st.just(spec.name), blocks(spec.storage, spec.shape)) for spec in HalfModel().specs())
    )
    return st.builds(Knn, st.just(PRECISION), words64(), st.integers(0, 2**256 - 1), tensors)


def other_knns() -> SearchStrategy[Knn]:
    """Documents of any precision, ids and shapes, with empty tensors and none."""
    tensors = st.dictionaries(st.text(max_size=4), blocks(BINARY16) | blocks(BINARY32), max_size=3)
    precisions = st.sampled_from((PRECISION, "binary32", "é"))
    return st.builds(Knn, precisions, words64(), st.integers(0, 99), tensors.map(lambda named: tuple(named.items())))


def rehashed_knns() -> SearchStrategy[bytes]:
    """Files with another text of the manifest under the right digest, so that the reader of the text has to see it."""

    def damaged(document: Knn) -> SearchStrategy[bytes]:
        file, text = encode(KNN, document), text_of(manifest_of(document))
        starts, _ = layout(HEADER + len(text), [len(block.data) for _, block in document.tensors])
        payload = file[starts[0] :] if starts else b""
        spaced = st.just(json.dumps(json.loads(text)).encode())
        return (mutations(text) | spaced).map(lambda new: _rebuilt(new, payload))

    return (fitting_knns() | other_knns()).flatmap(damaged)


def _rebuilt(text: bytes, payload: bytes) -> bytes:
    (start,), size = layout(HEADER + len(text), [len(payload)])
    return header(text, size) + text + bytes(start - HEADER - len(text)) + payload


def fitting_tensors() -> SearchStrategy[Tensors]:
    """Documents of the layout that module and states have."""
    return st.tuples(*(blocks(spec.storage, spec.shape) for spec in LAYOUT.specs)).map(Tensors)


def other_tensors() -> SearchStrategy[Tensors]:
    """Documents of any layout, rank 0 and extents of 0 included."""
    return st.lists(blocks(BINARY32), max_size=3).map(lambda drawn: Tensors(tuple(drawn)))


def fields(sizes: dict[str, tuple[int, ...]]) -> SearchStrategy[tuple[tuple[str, Block], ...]]:
    """Named binary32 tensors of the given shapes."""
    return st.tuples(*(st.tuples(st.just(name), blocks(BINARY32, shape)) for name, shape in sizes.items()))


def fitting_values() -> SearchStrategy[Values]:
    """The five values of a run, of any words."""
    sizes = {name: shape for name, (tag, shape) in Mlp.fields.items() if tag == BINARY32.tag}
    seen = blocks(INT64, ()).map(lambda block: ("seen", block))
    model = st.tuples(fields(sizes), seen).map(lambda drawn: ModelValue("Mlp", (*drawn[0], drawn[1])))
    optimizer = st.builds(OptimizerValue, st.just("AdamW[Mlp]"), words64(), st.integers(0, 2**70), fields(sizes))
    values = st.tuples(model, optimizer, st.integers(), words64().map(FloatValue), st.booleans())
    return values.map(Values)


def other_values() -> SearchStrategy[Values]:
    """Values of any kind in any order, and a run's without the last."""
    named = st.dictionaries(st.text(max_size=3), blocks(BINARY32) | blocks(BINARY64), max_size=2)
    some = named.map(lambda drawn: tuple(drawn.items()))
    types = st.sampled_from(("Mlp", "AdamW[Mlp]", "int", ""))
    model = st.builds(ModelValue, types, some)
    optimizer = st.builds(OptimizerValue, types, words64(), st.integers(0, 9), some)
    value = st.one_of(model, optimizer, st.integers(), st.booleans(), words64().map(FloatValue))
    short = fitting_values().map(lambda document: Values(document.values[:-1]))
    return st.lists(value, max_size=4).map(lambda drawn: Values(tuple(drawn))) | short


def foreign_zips() -> SearchStrategy[bytes]:
    """Whole files of torch.save that hold something else, from nearly right to anything."""
    names = st.sampled_from((*FORMAT, "values", "kind", "model", "int", "value", "type", "tensors", "rate", 1))
    leaf = (
        st.none() | st.booleans() | st.integers() | st.floats() | names | st.just(torch.ones(2, dtype=torch.bfloat16))
    )
    content = st.recursive(leaf, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=5))
    return (content | content.map(lambda rows: {**FORMAT, "values": [rows]})).map(_saved)


def _saved(content: object) -> bytes:
    file = io.BytesIO()
    torch.save(content, file)
    return file.getvalue()
