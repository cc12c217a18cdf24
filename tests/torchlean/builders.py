"""Small models, batches and files that the TorchLean tests share; every number differs from a default."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Literal, TypeAlias, TypeVar

import torch

from bitproof.tensors import words
from bitproof.torchlean import nn
from bitproof.torchlean.backends import EagerNative, PlainEager
from bitproof.torchlean.chain import Sequential, sequential
from bitproof.torchlean.module import Module
from bitproof.torchlean.optimizers import AdamW, Sgd
from bitproof.torchlean.params import ParamList
from bitproof.torchlean.scalars import Float, Float32
from bitproof_spec.document import Block

S = TypeVar("S")

I: TypeAlias = tuple[Literal[3]]  # noqa: E741  # the input's shape
O: TypeAlias = tuple[Literal[2]]  # noqa: E741  # the output's shape
LINEAR_SHAPES = ((2, 3), (2,))
Linear32: TypeAlias = "Sequential[I, O, tuple[Literal[2], Literal[3]], tuple[Literal[2]]]"


def linear() -> Linear32:
    """Three inputs, two outputs."""
    start: Sequential[I, I] = sequential((3,))
    return start.then(nn.Linear[Literal[3], Literal[2]](3, 2))


def deep() -> Sequential[tuple[int], tuple[int], *tuple[tuple[int, ...], ...]]:
    """Every layer once: its state has trained tensors, running statistics and frozen numbers."""
    model = sequential((3,)).then(nn.Linear(3, 5)).then(nn.BatchNorm(5, 0.25)).then(nn.Tanh((5,)))
    model_ = model.then(nn.Dropout((5,), 0.3)).then(nn.LayerNorm(5)).then(nn.Linear(5, 2)).then(nn.Sigmoid((2,)))
    whole: Sequential[tuple[int], tuple[int], *tuple[tuple[int, ...], ...]] = model_
    return whole


def batch(dtype: torch.dtype = torch.float32, seed: int = 11) -> tuple[torch.Tensor, torch.Tensor]:
    """Eight samples of three inputs and two targets."""
    generator = torch.Generator().manual_seed(seed)
    return (
        torch.randn(8, 3, generator=generator, dtype=torch.float64).to(dtype),
        torch.randn(8, 2, generator=generator, dtype=torch.float64).to(dtype),
    )


def native(seed: int = 5, draws: int = 7, lr: float = 0.03) -> Module[Float32]:
    """A binary32 module whose backend owns AdamW state."""
    return Module(deep(), Float32, EagerNative(AdamW(lr, 0.85, 0.97, 3e-7, 0.02), seed=draws), seed=seed)


def plain(seed: int = 5, *, use_cuda: bool = False) -> Module[Float]:
    """A Float module: binary64, or its binary32 mirror."""
    return Module(linear(), Float, PlainEager(Sgd(0.1)), seed=seed, use_cuda=use_cuda)


def linear32(seed: int = 5) -> Module[Float32]:
    """A small binary32 module."""
    return Module(linear(), Float32, PlainEager(Sgd(0.1)), seed=seed)


def bits(params: ParamList[S]) -> list[list[int]]:
    """Every word of a module's state."""
    return [words(tensor).tolist() for tensor in params.tensors]


def block32(shape: tuple[int, ...], elements: Sequence[int]) -> Block:
    """A binary32 block of words."""
    return Block("binary32", shape, struct.pack(f"<{len(elements)}I", *elements))


def nats(*numbers: int) -> bytes:
    """nat64s, written without the code under test."""
    return struct.pack(f"<{len(numbers)}Q", *numbers)
