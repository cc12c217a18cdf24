"""`Objective`: what training and checkpoints need of any live architecture; `Backend`: what runs its steps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Protocol, TypeAlias, TypeVar

import torch

from bitproof.torchlean.context import Context
from bitproof.torchlean.params import ParamList
from bitproof.torchlean.random_session import RandomSession

S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)
ShapeList: TypeAlias = tuple[tuple[int, ...], ...]


class Objective(Protocol[S_co]):
    """A live model with its loss, whatever its architecture. Every parameter and persistent buffer is state."""

    @property
    def scalar(self) -> type[S_co]:
        """Float or Float32."""
        ...

    @property
    def use_cuda(self) -> bool:
        """Whether the tensors are the CUDA runtime's binary32 values."""
        ...

    @property
    def state_shapes(self) -> ShapeList:
        """Shapes of the state, in file order."""
        ...

    @property
    def input_shapes(self) -> ShapeList:
        """Shapes of a sample's inputs, in the module's scalar."""
        ...

    @property
    def data_input_shapes(self) -> ShapeList:
        """Shapes of a sample's data inputs: its targets."""
        ...

    @property
    def backend(self) -> Backend:
        """What runs it: its random session and its updates."""
        ...

    def parameters(self) -> ParamList[S_co]:
        """The live state tensors."""
        ...

    def loss(self, state: Sequence[torch.Tensor], batch: Sequence[torch.Tensor], context: Context) -> torch.Tensor:
        """The loss [] of a batch, its inputs first and then its data inputs, with `state` in place of the live one."""
        ...


def parameters_of(objective: Objective[S]) -> ParamList[S]:
    """The live state tensors; ValueError when they don't have the shapes that the objective states."""
    params = objective.parameters()
    if params.shapes != tuple(objective.state_shapes):
        raise ValueError(f"an objective with a state of {objective.state_shapes} has tensors of {params.shapes}")
    return params


class Backend(ABC):
    """A random session and the way to compute and apply gradients, for one objective."""

    name: ClassVar[str]
    session: RandomSession
    _objective: object = None

    @abstractmethod
    def step(self, objective: Objective[object], batch: Sequence[torch.Tensor]) -> float:
        """Train on one batch in place; the loss before the update. ValueError for another objective than before."""

    def parameters_of(self, objective: Objective[S]) -> ParamList[S]:
        """The objective's state tensors; ValueError for another objective than the first that this backend ran.

        What a backend keeps, it keeps by state slot, so two objectives would share each other's moments.
        """
        self._objective = objective if self._objective is None else self._objective
        if self._objective is not objective:
            raise ValueError(f"this {self.name} backend belongs to another objective")
        return parameters_of(objective)
