"""`Module`: the objective made of a `Sequential`, with the mean squared error of its output."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

import torch

from bitproof.torchlean.chain import Sequential
from bitproof.torchlean.context import Context
from bitproof.torchlean.layers import StateSlot
from bitproof.torchlean.objective import Backend, ShapeList
from bitproof.torchlean.params import Param, ParamList
from bitproof.torchlean.scalars import dtype_of

S = TypeVar("S")
In = TypeVar("In", bound="tuple[int, ...]")
Out = TypeVar("Out", bound="tuple[int, ...]")


class Module(Generic[S]):
    """A live `Sequential` with the mean squared error of its output.

    `seed` fills the weights. `use_cuda` without `device` is the binary32 mirror that a Float module has on CUDA, on
    the CPU. `tied` maps a state tensor's index to an earlier one whose storage it shares. ValueError for a tie that
    doesn't fit, and for a module on CUDA that isn't `use_cuda`.
    """

    def __init__(
        self,
        model: Sequential[In, Out, *tuple[object, ...]],
        scalar: type[S],
        backend: Backend,
        *,
        seed: int = 0,
        device: str = "cpu",
        use_cuda: bool | None = None,
        tied: Mapping[int, int] | None = None,
    ) -> None:
        self.model = model
        self.scalar = scalar
        self.backend = backend
        self.device = torch.device(device)
        self.use_cuda = self.device.type == "cuda" if use_cuda is None else use_cuda
        if self.device.type == "cuda" and not self.use_cuda:
            raise ValueError("a module on CUDA holds the CUDA runtime's binary32 values")
        self._params = self._filled(seed, tied or {})

    @property
    def state_shapes(self) -> ShapeList:
        """The model's layout."""
        return self.model.state_shapes

    @property
    def input_shapes(self) -> ShapeList:
        """The model's input."""
        return (self.model.input_shape,)

    @property
    def data_input_shapes(self) -> ShapeList:
        """A target of the output's shape."""
        return (self.model.output_shape,)

    def parameters(self) -> ParamList[S]:
        """The live state tensors."""
        return self._params

    def loss(self, state: Sequence[torch.Tensor], batch: Sequence[torch.Tensor], context: Context) -> torch.Tensor:
        """The mean over all elements of (output - target)²."""
        inputs, target = batch
        difference = self.model.forward(state, inputs, context) - target
        return (difference * difference).mean()

    def predict(self, inputs: torch.Tensor) -> torch.Tensor:
        """The output batch of an input batch, without training: nothing is drawn and no buffer moves."""
        with torch.no_grad():
            return self.model.forward(self._params.tensors, inputs, Context(False, self.backend.session))

    def _filled(self, seed: int, tied: Mapping[int, int]) -> ParamList[S]:
        generator = torch.Generator().manual_seed(seed)
        dtype = dtype_of(self.scalar, use_cuda=self.use_cuda)
        params: list[Param] = []
        if beyond := sorted(index for index in tied if index not in range(len(self.model.slots))):
            raise ValueError(f"state tensor {beyond[0]} can't share the storage of another: there is none")
        for index, slot in enumerate(self.model.slots):
            fresh = slot.fill(slot.shape, generator).to(dtype).to(self.device)
            if index in tied:
                fresh = _shared(params, tied[index], index, slot)
            params.append(Param(fresh, slot.trainable))
        return ParamList(self.scalar, params)


def _shared(params: Sequence[Param], first: int, index: int, slot: StateSlot) -> torch.Tensor:
    """The tensor of an earlier trained slot of the same shape; ValueError when there is none at `first`."""
    fits = 0 <= first < index and slot.trainable and params[first].trainable
    if not fits or tuple(params[first].tensor.shape) != slot.shape:
        raise ValueError(f"state tensor {index} can't share the storage of {first}")
    return params[first].tensor
