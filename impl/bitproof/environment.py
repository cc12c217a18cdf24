"""Where bits were computed: builds, processor kind and thread count, on which exact resume depends."""

from __future__ import annotations

import os
import platform
import sys
from typing import NamedTuple


class Environment(NamedTuple):
    """The build of the libraries, the kind of processor, and the threads that kernels use."""

    build: str
    processor: str
    threads: int

    def __str__(self) -> str:
        return f"{self.build}, {self.processor}, {self.threads} thread{'s' if self.threads != 1 else ''}"


def environment() -> Environment:
    """This process's; torch's where it is loaded, numpy's otherwise."""
    build = [f"Python {platform.python_version()}"]
    build += [f"{name} {sys.modules[name].__version__}" for name in ("numpy", "torch") if name in sys.modules]
    torch = sys.modules.get("torch")
    if torch is None:
        return Environment(", ".join(build), _processor(), os.cpu_count() or 1)
    kind = f"{_processor()}, {torch.backends.cpu.get_cpu_capability()}"
    return Environment(", ".join(build), kind, torch.get_num_threads())


def _processor() -> str:
    """The model that Linux tells, else what the platform calls the machine."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
            model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    except OSError:
        model = ""
    return model or platform.processor() or platform.machine()
