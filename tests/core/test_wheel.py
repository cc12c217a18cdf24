"""The wheel, as a user has it: built, installed into a fresh environment, the sources out of reach, without torch."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.core.source_tree import ROOT, sources

IMPORT = """
import importlib, importlib.metadata, importlib.resources, sys
import bitproof, bitproof_spec
for package in (bitproof, bitproof_spec):
    assert package.__file__.startswith(sys.prefix), package.__file__
    assert importlib.resources.files(package).joinpath("py.typed").is_file()
    assert package.__version__ == importlib.metadata.version("bitproof")
for name in sys.argv[1:]:
    importlib.import_module(name)
from bitproof import buffers
import numpy
block = buffers.block_of(numpy.array([1, -0.0], ">f2"))
assert (block.data, buffers.array_of(block).tolist()) == (b"\\x00\\x3c\\x00\\x80", [1, 0])
print(sorted({name.split(".")[0] for name in sys.modules} & {"torch", "hypothesis", "sklearn", "keras"}))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts of an environment that holds the wheel, numpy and rich, and nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT), cwd=folder)
    (wheel,) = folder.glob("bitproof-*.whl")
    venv.create(folder / "env", with_pip=False, symlinks=True)
    scripts = folder / "env" / "bin"
    pip = (sys.executable, "-m", "pip", "--python", str(scripts / "python"))
    run(*pip, "install", "--quiet", "-c", str(ROOT / "constraints.txt"), str(wheel), cwd=folder)
    return scripts


def run(*command: str, cwd: Path) -> str:
    """What a command prints; the test fails with all that it said when it fails."""
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME")}
    out = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert out.returncode == 0, f"{' '.join(command)}\n{out.stdout}\n{out.stderr}"
    return out.stdout


def test_both_packages_are_typed_and_import_without_torch_from_the_wheel(installed: Path) -> None:
    pure = [source.name for source in sources("bitproof_spec")]
    without_torch = ["bitproof.views", "bitproof.cli", "bitproof.klyn", "bitproof.torchlean"]
    out = run(str(installed / "python"), "-I", "-W", "error", "-c", IMPORT, *pure, *without_torch, cwd=installed)
    assert out.strip() == "[]"


@pytest.mark.parametrize(
    "use", ["import bitproof.tensors", "from bitproof.klyn import Sequential", "from bitproof.torchlean import Trainer"]
)
def test_a_runtime_in_the_wheel_says_which_extra_to_install(installed: Path, use: str) -> None:
    code = f"try:\n    {use}\nexcept ImportError as error:\n    print(error)"
    out = run(str(installed / "python"), "-I", "-c", code, cwd=installed)
    assert out == "this part of bitproof needs torch: pip install 'bitproof[torch]'\n"


def test_the_command_of_the_wheel_runs(installed: Path) -> None:
    out = run(str(installed / "bitproof"), "--version", cwd=installed)
    assert "KNN 1.0, bitproof profile" in out
