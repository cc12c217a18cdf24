"""States of a model's layout in a scalar, and modules of the scalar that their files are for."""

from typing import Literal

from bitproof.torchlean import FLOAT, FLOAT32, Float, Float32, Module, PlainEager, Sequential, Sgd, State, checkpoint, layout, nn, sequential
from bitproof.torchlean.checkpointable import FLOAT32_FILES, FLOAT_FILES
from bitproof_spec.composite import Complex
from bitproof_spec.encoding import Configured
from bitproof_spec.formats import BINARY16
from bitproof_spec.torchlean.encodings import complex_state, configured_state

In = tuple[Literal[3]]
Weight = tuple[Literal[2], Literal[3]]
Bias = tuple[Literal[2]]
start: Sequential[In, In] = sequential((3,))
model = start.then(nn.Linear[Literal[3], Literal[2]](3, 2))
wide: State[Float, Weight, Bias] = checkpoint.state.load(model, FLOAT, "wide")
half: State[Configured, Weight, Bias] = checkpoint.state.load(model, configured_state(BINARY16, Configured), "half")
pairs: State[Complex[Float32], Weight, Bias] = checkpoint.state.load(model, complex_state(FLOAT32), "pairs")
made: State[Float, Weight, Bias] = layout(model, FLOAT).state([[Float(1)] * 6, [Float(2)] * 2])
first: tuple[Float, ...] = made.scalars(0)
checkpoint.state.save(model, wide, "again")
module: Module[Float32] = Module(model, Float32, PlainEager(Sgd(0.1)))
FLOAT32_FILES.write(False, "module", module.parameters())
FLOAT_FILES.read(False, "module", Module(model, Float, PlainEager(Sgd(0.1))).parameters())
checkpoint.save(module, "module")
