"""Klyn models and stages of different precisions mixed up."""

from bitproof.klyn import Dense, Double, Float, Float16, Float32, Float64, Input, Sequential

half: Sequential[Float16] = Sequential[Float32]([Input((3,)), Dense(2)])  # E: assignment variable has type "Sequential[Float16]"
Sequential[Float32]([Input((3,)), Dense[Float16](2)])  # E: list-item "Dense[Float16]"; expected "Stage[Float32]"
loaded: Sequential[Float64] = Sequential[Float32].load("m.knn")  # E: assignment variable has type "Sequential[Float64]"
single: Sequential[Float] = Sequential[Double]([Input((3,))])  # E: assignment variable has type "Sequential[Float32]"
Sequential[int]([])  # E: type-var Value of type variable "P" of "Sequential" cannot be "int"
Dense[float](2)  # E: type-var Value of type variable "P" of "Dense" cannot be "float"


def trained(model: Sequential[Float16]) -> None:
    model.compile("adam", loss="hinge")  # E: arg-type expected "Literal['sparse_categorical_crossentropy'
    model.compile(lambda: None)  # E: arg-type expected "SGD | Adam | str"
    model.compile("adam", loss_scaling=2.0)  # E: arg-type expected "LossScaling | None"
    model.save(1)  # E: arg-type expected "str | bytes | PathLike[str] | PathLike[bytes]"


trained(Sequential[Float32].load("m.knn"))  # E: arg-type expected "Sequential[Float16]"
Dense[Float32](2, activation="gelu")  # E: arg-type expected "Literal['linear', 'relu', 'sigmoid', 'tanh', 'softmax']"
stage: Dense[Float32] = Dense(2)
stage.units = 3  # E: misc Property "units" defined in "Dense" is read-only
