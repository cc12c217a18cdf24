"""States loaded into a layout or scalar that isn't theirs, and files of another scalar than the module's."""

from typing import Literal

from bitproof.torchlean import FLOAT, FLOAT32, Float, Float32, Graph, Adam, Module, PlainEager, Sequential, Sgd, State, checkpoint, layout, nn, sequential
from bitproof.torchlean.checkpointable import FLOAT32_FILES, FLOAT_FILES
from bitproof_spec.encoding import Binary64, Configured

In = tuple[Literal[3]]
Weight = tuple[Literal[2], Literal[3]]
Bias = tuple[Literal[2]]
start: Sequential[In, In] = sequential((3,))
model = start.then(nn.Linear[Literal[3], Literal[2]](3, 2))
deeper = model.then(nn.LayerNorm[Literal[2]](2))
turned: State[Float, Bias, Weight] = checkpoint.state.load(model, FLOAT, "s")  # E: arg-type expected "Sequential[
short: State[Float, Weight] = checkpoint.state.load(model, FLOAT, "s")  # E: arg-type expected "Sequential[
narrow: State[Float32, Weight, Bias] = checkpoint.state.load(model, FLOAT, "s")  # E: arg-type expected "StateEncoding[Float32]"
whole: State[Float, Weight, Bias] = checkpoint.state.load(model, FLOAT, "s")
checkpoint.state.save(deeper, whole, "s")  # E: misc Cannot infer value of type parameter "Shapes" of "save"
layout(model, FLOAT).state([[Float32(1)], [Float(2)]])  # E: list-item expected "Float"
layout(model, FLOAT).state([[1.0], [Float(2)]])  # E: list-item expected "Float"
FLOAT.encode(Binary64(1))  # E: arg-type expected "Float"
FLOAT32.encode(Float(1))  # E: arg-type expected "Float32"
word: Configured = FLOAT.decode(b"")  # E: assignment variable has type "Configured"
module: Module[Float32] = Module(model, Float32, PlainEager(Sgd(0.1)))
FLOAT_FILES.write(False, "module", module.parameters())  # E: arg-type expected "ParamList[Float]"
FLOAT32_FILES.read(False, "module", Module(model, Float, PlainEager(Sgd(0.1))).parameters())  # E: arg-type expected "ParamList[Float32]"
Graph(Adam(0.1))  # E: arg-type expected "Sgd"
