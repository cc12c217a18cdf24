"""A built model: its stages under their names, their parameters and generators, and its forward pass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import torch

from bitproof.klyn.errors import ValueException
from bitproof.klyn.initializers import initial
from bitproof.klyn.precision import Precision as PrecisionType
from bitproof.klyn.stages import Input, Stage, declares
from bitproof.klyn.streams import Stream
from bitproof.memory import ALIGNMENT
from bitproof_spec.findings import Findings
from bitproof_spec.klyn import stages as spec
from bitproof_spec.klyn.constants import STAGES_LIMIT, Precision
from bitproof_spec.klyn.inference import judge_stages
from bitproof_spec.klyn.manifest import Manifest
from bitproof_spec.klyn.shapes import Misfit, Shape, output_shape

Stages: TypeAlias = tuple[Stage[Any], ...]  # Any: of the model's precision, or of none
Tensors: TypeAlias = dict[str, torch.Tensor]


@dataclass(slots=True)
class Network:
    """Stages and, in the same order, what they declare; parameters by id in table order; a stream a Dropout."""

    precision: Precision
    stages: Stages
    declared: tuple[spec.Stage, ...]
    parameters: Tensors
    streams: dict[str, Stream]

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """Each stage's output shape, the batch not counted; the first is that of a sample."""
        return shapes(self.declared)

    def forward(self, parameters: Mapping[str, torch.Tensor], x: torch.Tensor, *, training: bool) -> torch.Tensor:
        """The output for a batch; in training the Dropouts draw, and their generators advance."""
        for stage, declared in zip(self.stages, self.declared, strict=True):
            ids = {last: f"{declared.name}/{last}" for last in ("kernel", "bias")}
            own = {last: parameters[id] for last, id in ids.items() if id in parameters}
            stream = self.streams.get(declared.name)
            x = stage.call(x, own, stream.keep if stream and training else None)
        return x


def owed_stages(stages: Iterable[Stage[Any]], precision: type[PrecisionType]) -> Stages:
    """The stages, each one of the twelve or derived from one, of the model's precision or of none, and given once."""
    given = tuple(stages)
    for index, stage in enumerate(given):
        cls = declares(stage)
        if stage.precision not in (None, precision):
            raise TypeError(
                f"stage {index} is {cls.__name__}[{stage.precision.__name__}] in Sequential[{precision.__name__}]"
            )
        if any(stage is other for other in given[:index]):
            raise ValueError(f"stage {index}: one {cls.__name__} stands twice; weights aren't shared, so declare two")
    return given


def build(precision: Precision, given: Stages, sample: Shape | None, device: torch.device) -> Network:
    """A network with initial parameters; `sample` is the shape that an implied Input gets in front.

    ValueException names every stage that doesn't fit.
    """
    stages: Stages = given if sample is None else (Input(sample), *given)
    declared = tuple(stage.declared(name) for stage, name in zip(stages, names(stages), strict=True))
    if len(stages) > STAGES_LIMIT:
        raise ValueError(f"a model has at most {STAGES_LIMIT} stages, the Input counted; not {len(stages)}")
    findings = Findings()
    judge_stages(Manifest(precision, declared, None, ()), findings)
    if refused := findings.verdict():
        raise ValueException(refused, "model")
    parameters: Tensors = {}
    inputs = ((), *shapes(declared))
    for index, (stage, shape) in enumerate(zip(declared, inputs, strict=False)):
        own = initial(precision, index, stage, shape)
        parameters |= {f"{stage.name}/{last}": tensor.to(device) for last, tensor in own.items()}
    return Network(precision, stages, declared, parameters, streams(declared))


def streams(declared: Sequence[spec.Stage]) -> dict[str, Stream]:
    """The generators of all Dropouts before their first block."""
    return {
        stage.name: Stream((stage.seed, index))
        for index, stage in enumerate(declared)
        if isinstance(stage, spec.Dropout)
    }


def shapes(declared: Sequence[spec.Stage]) -> tuple[Shape, ...]:
    """The output shapes of stages that fit each other."""
    found: list[Shape] = []
    for stage in declared:
        shape = output_shape(stage, found[-1] if found else ())
        assert not isinstance(shape, Misfit)  # judged when the network was built or loaded
        found.append(shape)
    return tuple(found)


def names(stages: Stages) -> list[str]:
    """Each stage's name: its own, or `<type>_<index>` with `_2`, `_3` … appended while that is taken."""
    taken = {stage.name for stage in stages if stage.name is not None}
    found: list[str] = []
    for index, stage in enumerate(stages):
        name = stage.name
        if name is None:
            name = base = f"{declares(stage).__name__.lower()}_{index}"
            count = 1
            while name in taken:
                count += 1
                name = f"{base}_{count}"
            taken.add(name)
        found.append(name)
    return found


def aligned(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor row-major in memory that is aligned as torch's own is; itself where it lies so already."""
    plain = tensor.detach()
    if plain.is_contiguous() and plain.data_ptr() % ALIGNMENT == 0:
        return plain
    return plain.clone(memory_format=torch.contiguous_format)
