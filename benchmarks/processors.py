"""Compile as for another processor: the option ``--processor`` of programs that measure.

A processor with AVX2 or AVX-512 also runs what is compiled for less. Numba reads its target when it
is first imported, so a program with this option starts itself again. Numba's compiled code is kept
apart for each processor.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Final

AVX2_FEATURES: Final = (
    *("64bit", "cmov", "cx8", "cx16", "fxsr", "mmx", "popcnt", "sahf", "sse", "sse2", "sse3"),
    *("sse4.1", "sse4.2", "ssse3", "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe"),
    "xsave",
)
"""The features of the level x86-64-v3, in the words of LLVM."""
TARGETS: Final = {
    "avx2": {
        "NUMBA_CPU_NAME": "x86-64-v3",
        "NUMBA_CPU_FEATURES": ",".join(f"+{each}" for each in AVX2_FEATURES),
    },
    "x86-64": {"NUMBA_CPU_NAME": "x86-64", "NUMBA_CPU_FEATURES": ""},
}
"""The processors to choose from, and the environment that makes Numba compile for each."""
NAMES: Final = {"avx2": "AVX2", "x86-64": "x86-64"}
"""The names of these processors in results."""
FEATURES: Final = {"avx512bw": "AVX-512", "avx2": "AVX2"}
"""The features that decide the speed of sets of cells, the best first, and their names."""


def add_option(parser: argparse.ArgumentParser) -> None:
    """Add the option to a program."""
    parser.add_argument(
        "--processor", choices=TARGETS, help="compile as for this one; by default for this machine"
    )


def use(target: str | None) -> None:
    """Let this process, which has not imported Numba, and its children compile for a target."""
    if target is not None:
        if "numba" in sys.modules:
            raise RuntimeError("Numba has already been imported")
        os.environ |= TARGETS[target]


def restart_for(target: str | None) -> None:
    """Run this program again, compiling for a target, and exit; return if it already does."""
    if target is not None and not TARGETS[target].items() <= os.environ.items():
        environment = {**os.environ, **TARGETS[target]}
        sys.exit(subprocess.run(sys.orig_argv, env=environment, check=False).returncode)


def features() -> str:
    """Return the name of the features for which Numba compiles in this process."""
    for target, environment in TARGETS.items():
        if environment.items() <= os.environ.items():
            return NAMES[target]
    from llvmlite import binding  # noqa: PLC0415 - programs without compiled code need no LLVM

    found = binding.get_host_cpu_features()
    return next((name for key, name in FEATURES.items() if found.get(key)), platform.machine())


def processor() -> str:
    """Return the name of the processor of this machine."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    names = (line.partition(": ")[2] for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def machine() -> str:
    """Return the name of the processor, with the features for which Numba compiles."""
    return f"{processor()} with {features()}"
