"""Klyn models at each precision; bare stages take the model's."""

from typing import TypeVar, assert_type

from bitproof.klyn import Dense, Double, Dropout, Float, Float16, Float32, Float64, Input, LossScaling, Sequential
from bitproof.klyn.precision import Precision

P = TypeVar("P", bound=Precision)

half: Sequential[Float16] = Sequential[Float16]([Input((3,)), Dropout(0.5), Dense[Float16](2)])
half.compile("adam", loss="mean_squared_error", loss_scaling=LossScaling(8.0))
assert_type(Sequential[Float64].load("m.knn"), Sequential[Float64])
single: Sequential[Float32] = Sequential[Float]([Input((3,)), Dense(2, activation="relu")])
double: Sequential[Double] = Sequential[Float64]([Input((3,))])
stage: Dense[Float32] = Dense(2)
Sequential[Float32]([Input[Float]((3,)), stage])


def trained(model: Sequential[P]) -> Sequential[P]:
    model.save("m.knn", include_optimizer=False)
    model.load_weights(b"m.knn", max_bytes=512 * 2**20)
    return model


assert_type(trained(half), Sequential[Float16])
