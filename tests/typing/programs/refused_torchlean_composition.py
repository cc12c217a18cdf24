"""Layers whose shapes don't fit, and a model taken for one of another state; TLR-STA-05."""

from typing import Literal

from bitproof.torchlean import Sequential, nn, sequential

In = tuple[Literal[3]]
start: Sequential[In, In] = sequential((3,))
hidden = start.then(nn.Linear[Literal[3], Literal[5]](3, 5))
hidden.then(nn.Linear[Literal[4], Literal[2]](4, 2))  # E: arg-type expected "TwoTensors[tuple[Literal[5]], tuple[Literal[2]],
hidden.then(nn.Tanh[In]((3,)))  # E: arg-type expected "Stateless[tuple[Literal[5]],
hidden.then(nn.BatchNorm[Literal[3]](3))  # E: arg-type expected "FiveTensors[tuple[Literal[5]],
nn.Linear[Literal[3], Literal[5]](3, 4)  # E: arg-type expected "Literal[5]"
other: Sequential[In, tuple[Literal[5]], tuple[Literal[5], Literal[3]]] = hidden  # E: assignment variable has type "Sequential[
turned: Sequential[In, tuple[Literal[5]], tuple[Literal[3], Literal[5]], tuple[Literal[5]]] = hidden  # E: assignment variable has type "Sequential[
