"""A scalar is of one format; what encodes and decodes it knows which."""

from bitproof_spec.composite import COMPLEX64, Complex
from bitproof_spec.encoding import BINARY32, Binary32

word: bytes = BINARY32.encode(Binary32(0x3F800000))
scalar: Binary32 = BINARY32.decode(word)
pair: bytes = COMPLEX64.encode(Complex(scalar, scalar))
part: Binary32 = COMPLEX64.decode(pair).re
