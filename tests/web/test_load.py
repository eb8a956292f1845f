"""The program that measures how much a hostile client slows another one down."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from support.paths import ROOT, SOURCE
from support.processes import PATIENCE

pytest.importorskip("uvicorn", reason="a board over HTTP needs uvicorn")
pytest.importorskip("starlette", reason="a board over HTTP needs starlette")

pytestmark = pytest.mark.nightly

KINDS = (
    "views of a game on 26×26, 32 at a time",
    "records of whole games on 26×26, 32 at a time",
    "refused requests, while 190 others wait",
    "silent connections, up to 2,000",
)
"""The attacks without the tree search, which takes long to compile."""


def measure(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "benchmarks.load", *options],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=2 * PATIENCE,
        check=False,
    )


@pytest.mark.parametrize("kind", KINDS)
def test_the_polite_client_is_served_beside_an_attack(kind: str) -> None:
    done = measure("--seconds", "3", "--only", kind)
    assert done.returncode == 0, done.stderr
    found = re.search(
        r"alone, (\d+\.\d) attacked by ([\d,]+) requests; a turn takes (\d+\.\d) times", done.stdout
    )
    assert found is not None, done.stdout
    # The attack took place, and the other client could still play.
    assert int(found[2].replace(",", "")) >= 5
    assert float(found[1]) > 0
    # With a fair share for two clients the time doubles; a busy machine adds to it.
    assert float(found[3]) < 8


@pytest.mark.parametrize("seconds", ["0", "-1", "60", "1e9", "nan"])
def test_the_time_of_an_attack_is_bounded(seconds: str) -> None:
    done = measure("--seconds", seconds)
    assert done.returncode == 2
    assert "--seconds must be" in done.stderr
