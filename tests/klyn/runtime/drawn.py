"""Models of every kind for properties: any stages, any optimizer, and data that fits them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from bitproof.klyn import SGD, Adam, Float16, Float32, Float64, LossScaling, Sequential
from bitproof.klyn.stage_strategies import models
from bitproof.klyn.stages import restored
from bitproof_spec.klyn.constants import LOSSES, PRECISIONS, Loss, Precision
from bitproof_spec.klyn.shapes import Shape
from bitproof_spec.klyn.stages import Stage

CLASSES: Mapping[Precision, type[Sequential[Any]]] = {
    "binary16": Sequential[Float16],
    "binary32": Sequential[Float32],
    "binary64": Sequential[Float64],
}
RATES = st.sampled_from([0.0, 0.013, 0.25, 3.0])
DECAYS = st.sampled_from([0.0, 0.3, 0.71, 0.937])
OPTIMIZERS: st.SearchStrategy[SGD | Adam] = st.builds(SGD, RATES, DECAYS, st.booleans()) | st.builds(
    Adam, RATES, DECAYS, DECAYS, st.sampled_from([3e-6, 0.5])
)
SCALES = st.builds(
    LossScaling,
    st.sampled_from([1.0, 96.0, 2.0**20, 2.0**127]),
    st.sampled_from([1.0, 3.0]),
    st.sampled_from([0.25, 1.0]),
    st.sampled_from([1, 2, 7]),
)


class Training(NamedTuple):
    """How to make a model, and what to train it on."""

    precision: Precision
    stages: tuple[Stage, ...]
    optimizer: SGD | Adam
    loss: Loss
    scaling: LossScaling | None
    samples: int
    batch_size: int
    seed: int

    def model(self) -> Sequential[Any]:
        """A new model, compiled."""
        model = CLASSES[self.precision](map(restored, self.stages))
        model.compile(self.optimizer, self.loss, loss_scaling=self.scaling)
        return model

    def train(self, model: Sequential[Any], epochs: int) -> None:
        """One call to fit."""
        y = targets(self.loss, self.output(model), self.samples)
        model.fit(self.x(model), y, epochs=epochs, batch_size=self.batch_size, seed=self.seed, verbose=0)

    def x(self, model: Sequential[Any]) -> np.ndarray[Any, Any]:
        """Samples for a model."""
        return np.random.default_rng(31).standard_normal((self.samples, *self.shapes(model)[0]))

    def output(self, model: Sequential[Any]) -> Shape:
        """The shape of a sample's output."""
        return self.shapes(model)[-1]

    def shapes(self, model: Sequential[Any]) -> tuple[Shape, ...]:
        """The shapes between stages."""
        network = model._network
        assert network is not None
        return network.shapes


def targets(loss: Loss, output: Shape, samples: int) -> np.ndarray[Any, Any]:
    """Numbers of the output's shape, or classes."""
    rng = np.random.default_rng(32)
    if loss == "mean_squared_error":
        return rng.standard_normal((samples, *output))
    return rng.integers(0, max(output[-1], 1), (samples, *output[:-1]))


@st.composite
def trainings(draw: st.DrawFn) -> Training:
    """Any model, trained in any way; classes only where there are some."""
    precision = draw(st.sampled_from(PRECISIONS))
    drawn = Training(
        precision,
        draw(models()),
        draw(OPTIMIZERS),
        draw(st.sampled_from(LOSSES)),
        draw(SCALES) if precision == "binary16" else None,
        draw(st.integers(1, 5)),
        draw(st.integers(1, 3)),
        draw(st.integers(0, 2**53 - 1)),
    )
    return drawn if drawn.output(drawn.model())[-1] else drawn._replace(loss="mean_squared_error")
