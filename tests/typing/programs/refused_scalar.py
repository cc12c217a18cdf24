"""Scalars of one format passed for those of another, or for plain numbers."""

from bitproof_spec.composite import COMPLEX64, Complex
from bitproof_spec.encoding import BINARY32, Binary32, Binary64

BINARY32.encode(Binary64(1))  # E: arg-type expected "Binary32"
BINARY32.encode(1)  # E: arg-type "int"; expected "Binary32"
BINARY32.encode(1.0)  # E: arg-type "float"; expected "Binary32"
wide: Binary64 = BINARY32.decode(b"")  # E: assignment variable has type "Binary64"
COMPLEX64.encode(Complex(Binary64(1), Binary64(1)))  # E: arg-type Argument 1 to "Complex"  # E: arg-type Argument 2 to "Complex"
mixed: Complex[Binary32] = Complex(Binary32(1), Binary64(1))  # E: arg-type expected "Binary32"
part: Binary64 = COMPLEX64.decode(b"").re  # E: assignment variable has type "Binary64"
