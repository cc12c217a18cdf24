"""Training under an allocator that checks its memory: no kernel that a stage uses writes beyond what it owns."""

from __future__ import annotations

import ctypes.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

DEBUG = ctypes.util.find_library("c_malloc_debug")
CHILD = """
import sys
import numpy as np
from bitproof.klyn import *
from tests.klyn.runtime.oracle_grid import convolutions, poolings
rows = [np.ones(size) for size in range(1, 200)]
for option in (*convolutions(), *poolings()):
    for precision in (Float16, Float32, Float64):
        try:
            model = Sequential[precision]([Input(option.sample), option.stage, Flatten(), Dense(1)])
        except ValueError:
            continue  # a window that doesn't fit
        model.compile("sgd", "mean_squared_error")
        x, y = np.ones((option.batch, *option.sample)), np.ones((option.batch, 1))
        model.fit(x, y, epochs=2, verbose=0)
        rows = [row.copy() for row in rows]
print("done")
"""


@pytest.mark.slow
@pytest.mark.skipif(DEBUG is None, reason="this C library has no libc_malloc_debug")
def test_every_option_of_the_grid_trains_within_its_memory() -> None:
    """torch 2.13's backward pass of a convolution by one cell with strides doesn't, and aborts here when it is used."""
    assert DEBUG is not None
    checking = {"LD_PRELOAD": DEBUG, "MALLOC_CHECK_": "3", "MALLOC_PERTURB_": "165", "PYTHONMALLOC": "malloc"}
    done = subprocess.run(
        [sys.executable, "-c", CHILD],
        env={**os.environ, **checking, "OMP_NUM_THREADS": "1"},
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr[-2000:]
