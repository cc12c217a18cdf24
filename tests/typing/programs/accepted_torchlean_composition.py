"""Layers whose shapes fit make a model whose state is known shape by shape."""

from typing import Literal

from bitproof.torchlean import Sequential, nn, sequential

In = tuple[Literal[3]]
start: Sequential[In, In] = sequential((3,))
hidden = start.then(nn.Linear[Literal[3], Literal[5]](3, 5)).then(nn.Tanh[tuple[Literal[5]]]((5,)))
model: Sequential[
    In,
    tuple[Literal[2]],
    tuple[Literal[5], Literal[3]],
    tuple[Literal[5]],
    tuple[()],
    tuple[Literal[2], Literal[5]],
    tuple[Literal[2]],
] = hidden.then(nn.Dropout[tuple[Literal[5]]]((5,), 0.3)).then(nn.Linear[Literal[5], Literal[2]](5, 2))
