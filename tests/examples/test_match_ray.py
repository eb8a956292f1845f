"""A match on a cluster: the sequential test ends it, and no game is lost with a worker."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("ray", reason="Ray is not installed: extra ray")
if sys.platform != "linux":
    pytest.skip("workers are found in /proc", allow_module_level=True)

import pontedeldiavolo as pdd
from support.paths import ROOT


def worker_of(folder: Path, program: subprocess.Popen[bytes]) -> int:
    """Return the process of a worker that plays a pair, after the first one is over."""
    deadline = time.monotonic() + 240
    while program.poll() is None and time.monotonic() < deadline:
        if [*folder.glob("*/*.pdd")]:
            for path in Path("/proc").glob("[0-9]*/cmdline"):
                if path.read_bytes().startswith(b"ray::play_pair"):
                    return int(path.parent.name)
        time.sleep(0.01)
    raise AssertionError("no pair was begun")


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_match_goes_on_without_a_worker(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    log = tmp_path / "log"
    options = ["--workers=3", "--sprt", "0", "100", f"--folder={folder}", "greedy", "random"]
    command = [sys.executable, str(ROOT / "examples" / "match_ray.py"), *options]
    with log.open("wb") as said, subprocess.Popen(command, stdout=said, stderr=said) as program:
        try:
            os.kill(worker_of(folder, program), signal.SIGKILL)
            assert program.wait(240) == 0, log.read_text("utf-8")
        finally:
            program.kill()
    last = log.read_text("utf-8").split("pairs [")[1]
    counts = tuple(int(each) for each in last.split("]")[0].split(", "))
    assert pdd.players.SequentialTest(0, 100).after(counts).accepted == 100
    for number in range(sum(counts)):
        (path,) = (folder / f"{number:06}").glob("*.pdd")
        assert [game.ending for game in pdd.records.iter_games(path)] == [pdd.Ending.SCORED] * 2
