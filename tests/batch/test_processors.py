"""Programs that measure compile as for another processor, and keep that code apart."""

from __future__ import annotations

import subprocess
import sys

import pytest
from benchmarks import processors

from support.paths import ROOT

PROGRAM = """
import argparse
from benchmarks import processors
parser = argparse.ArgumentParser()
processors.add_option(parser)
processors.restart_for(parser.parse_args().processor)
from numba.core.registry import cpu_target
from pontedeldiavolo.batch.kernels import vectors
_, name, features = cpu_target.target_context.codegen().magic_tuple()
print(processors.features(), name, "avx2" in features, "avx512" in features, vectors.has_pdep())
"""


@pytest.mark.parametrize(
    ("target", "found"),
    [("avx2", "AVX2 x86-64-v3 True False True"), ("x86-64", "x86-64 x86-64 False False False")],
)
def test_a_program_compiles_as_for_another_processor(target: str, found: str) -> None:
    command = [sys.executable, "-c", PROGRAM, "--processor", target]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == found


def test_a_target_comes_before_the_import_of_numba() -> None:
    program = "import numba; from benchmarks import processors; processors.use('avx2')"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "Numba has already been imported" in done.stderr


def test_every_target_has_a_name() -> None:
    assert processors.NAMES.keys() == processors.TARGETS.keys()
