"""Hypothesis strategies for stages: models whose shapes fit, small, every stage, padding and activation among them."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from bitproof.hypothesis_extra import SearchStrategy, st
from bitproof_spec.encoding import Binary64
from bitproof_spec.klyn.constants import ACTIVATIONS, INTEGER_LIMIT, PADDINGS
from bitproof_spec.klyn.reals import RATE, Range
from bitproof_spec.klyn.shapes import Misfit, Shape, output_shape
from bitproof_spec.klyn.stages import (
    STAGES,
    AveragePooling2D,
    Conv2D,
    Conv2DTranspose,
    Dense,
    Dropout,
    Input,
    MaxPooling2D,
    Stage,
)
from bitproof_spec.klyn.tensors import parameter_shapes

ELEMENTS = 200
"""The most elements of one parameter or output of a drawn model."""

_SPATIAL: tuple[type[Stage], ...] = (MaxPooling2D, AveragePooling2D, Conv2D, Conv2DTranspose)
_FIRST = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_EXTENTS = st.integers(1, 3)
_PAIRS = st.tuples(_EXTENTS, _EXTENTS)
_STRIDES = st.sampled_from((1, 1, 2, 3, INTEGER_LIMIT))
_SEEDS = st.integers(0, INTEGER_LIMIT) | st.sampled_from((0, INTEGER_LIMIT))


def words_within(range: Range) -> SearchStrategy[Binary64]:
    """The binary64 words of a range, its two ends more often than others."""
    return (st.sampled_from((range.least, range.largest)) | st.integers(range.least, range.largest)).map(Binary64)


def names() -> SearchStrategy[str]:
    """Names that a stage may have; half of them are short, so that they differ in a letter or in case only."""
    rest = _FIRST + "0123456789_-"
    return st.builds(str.__add__, st.sampled_from(_FIRST), st.text(rest, max_size=1) | st.text(rest, max_size=63))


@st.composite
def models(draw: st.DrawFn, *, max_stages: int = 6) -> tuple[Stage, ...]:
    """The stages of a model: an Input and up to `max_stages` more that fit, with different names."""
    given = draw(st.lists(names(), min_size=1, max_size=1 + max_stages, unique=True))
    image = st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 3))
    shape: Shape = draw(image | st.lists(st.integers(0, 4), min_size=1, max_size=4).map(tuple))
    stages: list[Stage] = [Input(given[0], shape)]
    for name in given[1:]:
        kind = draw(st.sampled_from(_SPATIAL if len(shape) == 3 and draw(st.booleans()) else STAGES[1:]))
        stage = draw(_STAGE[kind](name))
        output = output_shape(stage, shape)
        if not isinstance(output, Misfit) and _small(stage, shape, output):
            stages.append(stage)
            shape = output
    return tuple(stages)


def _small(stage: Stage, shape: Shape, output: Shape) -> bool:
    sizes = (output, *(extents for _, extents in parameter_shapes(stage, shape)))
    return all(prod(max(extent, 1) for extent in extents) <= ELEMENTS for extents in sizes)


def _convolutions(kind: type[Conv2D] | type[Conv2DTranspose]) -> Callable[[str], SearchStrategy[Stage]]:
    strides = st.tuples(_STRIDES, _STRIDES)
    rest = (st.sampled_from(PADDINGS), st.booleans(), st.sampled_from(ACTIVATIONS), _SEEDS)
    return lambda name: st.builds(kind, st.just(name), _EXTENTS, _PAIRS, strides, *rest)


def _poolings(kind: type[MaxPooling2D] | type[AveragePooling2D]) -> Callable[[str], SearchStrategy[Stage]]:
    strides = st.tuples(_STRIDES, _STRIDES)
    return lambda name: st.builds(kind, st.just(name), _PAIRS, strides, st.sampled_from(PADDINGS))


def _plain(kind: type[Stage]) -> Callable[[str], SearchStrategy[Stage]]:
    return lambda name: st.builds(kind, st.just(name))


_STAGE: dict[type[Stage], Callable[[str], SearchStrategy[Stage]]] = {
    **{kind: _plain(kind) for kind in STAGES},
    Dense: lambda name: st.builds(Dense, st.just(name), _EXTENTS, st.booleans(), st.sampled_from(ACTIVATIONS), _SEEDS),
    Conv2D: _convolutions(Conv2D),
    Conv2DTranspose: _convolutions(Conv2DTranspose),
    MaxPooling2D: _poolings(MaxPooling2D),
    AveragePooling2D: _poolings(AveragePooling2D),
    Dropout: lambda name: st.builds(Dropout, st.just(name), words_within(RATE), _SEEDS),
}
