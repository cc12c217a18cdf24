"""The tensor table that a model and its training state owe: ids, order, dtypes and shapes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bitproof_spec.klyn.constants import STORAGE, TRAINING_PRECISION, Precision
from bitproof_spec.klyn.shapes import Misfit, Shape, output_shape
from bitproof_spec.klyn.stages import Conv2D, Conv2DTranspose, Dense, Stage
from bitproof_spec.klyn.training import Adam, Optimizer
from bitproof_spec.layout import TensorSpec


def parameter_shapes(stage: Stage, shape: Shape) -> tuple[tuple[str, Shape], ...]:
    """The parameters of a stage that gets an input of that shape, by the last part of their ids."""
    kernel: Shape
    if isinstance(stage, Dense):
        kernel, size = (shape[-1], stage.units), stage.units
    elif isinstance(stage, Conv2D):
        kernel, size = (*stage.kernel_size, shape[-1], stage.filters), stage.filters
    elif isinstance(stage, Conv2DTranspose):
        kernel, size = (*stage.kernel_size, stage.filters, shape[-1]), stage.filters
    else:
        return ()
    return (("kernel", kernel), ("bias", (size,))) if stage.use_bias else (("kernel", kernel),)


def training_suffixes(precision: Precision, optimizer: Optimizer | None) -> tuple[str, ...]:
    """The training tensors that each parameter has."""
    if optimizer is None:
        return ()
    if isinstance(optimizer, Adam):
        return ("adam_m", "adam_v", "master") if precision == "binary16" else ("adam_m", "adam_v")
    return ("momentum",) if optimizer.momentum != 0 else ()


def parameters(precision: Precision, stages: Iterable[Stage]) -> Iterator[TensorSpec]:
    """The parameters of a model in table order; ValueError for stages whose shapes don't fit."""
    shape: Shape = ()
    for stage in stages:
        for name, extents in parameter_shapes(stage, shape):
            yield TensorSpec(f"{stage.name}/{name}", STORAGE[precision], extents)
        output = output_shape(stage, shape)
        if isinstance(output, Misfit):
            raise ValueError(f"{stage.name}: {output.found}, owed {output.owed}")
        shape = output


def training_tensors(
    precision: Precision, optimizer: Optimizer | None, parameters: Iterable[TensorSpec]
) -> Iterator[TensorSpec]:
    """The training tensors of some parameters in table order."""
    storage, suffixes = STORAGE[TRAINING_PRECISION[precision]], training_suffixes(precision, optimizer)
    for parameter in parameters:
        for suffix in suffixes:
            yield TensorSpec(f"{parameter.name}/{suffix}", storage, parameter.shape)


def table(precision: Precision, stages: Sequence[Stage], optimizer: Optimizer | None) -> tuple[TensorSpec, ...]:
    """Every tensor of a checkpoint in table order; ValueError for stages whose shapes don't fit.

    Parameters in stage order, kernel before bias; then, parameter by parameter, its training tensors.
    """
    owned = tuple(parameters(precision, stages))
    return (*owned, *training_tensors(precision, optimizer, owned))
