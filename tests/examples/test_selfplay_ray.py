"""Self-play on a cluster writes complete files, even if workers are killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("ray", reason="Ray is not installed: extra ray")
if sys.platform == "win32":
    pytest.skip("Windows cannot kill a process as Linux does", allow_module_level=True)

import numpy as np
import pyarrow.parquet as pq

import pontedeldiavolo as pdd
from support.paths import ROOT, example

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
PATIENCE = 240.0
"""The maximum seconds of a run; Ray alone may take half a minute to start."""
TASKS = 4
GAMES = 1500
SIDE = 6


def worker_at_work(folder: Path, program: subprocess.Popen[bytes]) -> int:
    """Return the process that runs a task."""
    deadline = time.monotonic() + PATIENCE
    while program.poll() is None and time.monotonic() < deadline:
        for busy in folder.glob(".??????-*"):
            return int(busy.name.rpartition("-")[2])
        time.sleep(0.01)
    raise AssertionError("no task was begun")


@pytest.fixture(scope="module")
def disturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Play with two workers, kill one of them during a task, and return the results."""
    folder = tmp_path_factory.mktemp("cluster") / "games"
    said = folder.with_suffix(".log")
    asked = [f"--folder={folder}", "--workers=2"]
    asked += [f"--tasks={TASKS}", f"--games={GAMES}", f"--side={SIDE}"]
    command = [sys.executable, str(ROOT / "examples" / "selfplay_ray.py"), *asked]
    with said.open("wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as program:
        try:
            os.kill(worker_at_work(folder, program), signal.SIGKILL)
            assert program.wait(PATIENCE) == 0, said.read_text("utf-8")
        finally:
            program.kill()
    return folder, said.read_text("utf-8")


def test_a_killed_worker_loses_nothing(disturbed: tuple[Path, str]) -> None:
    folder, said = disturbed
    names = {f"{number:06}.{suffix}" for number in range(TASKS) for suffix in ("pdd", "parquet")}
    assert {path.name for path in folder.iterdir()} == names
    row = next(line for line in said.splitlines() if line.startswith("| 2 |"))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[1:3] == [str(TASKS), f"{TASKS * GAMES:,}"]
    assert int(cells[5]) == 1


def test_rows_and_records_are_of_the_same_games(disturbed: tuple[Path, str]) -> None:
    folder, _ = disturbed
    for path in folder.glob("*.pdd"):
        games = [game for game in pdd.records.read(path) if isinstance(game, pdd.Game)]
        assert len(games) == GAMES
        assert all(game.ending is pdd.Ending.SCORED for game in games)
        rows = pq.read_table(path.with_suffix(".parquet"))
        number = rows["game"].to_numpy()
        steps = [sum(1 + isinstance(each, pdd.PlaceTiles) for each in g.actions) for g in games]
        assert np.bincount(number).tolist() == steps
        # Rows are in the order of play, so the last row of a game belongs to its last turn.
        last = len(number) - 1 - np.unique(number[::-1], return_index=True)[1]
        results = rows["result"].to_numpy()[last].tolist()
        outcomes = [(game.state.outcome, game.plies[-1].seat) for game in games]
        assert results == [end.value(seat) for end, seat in outcomes if end is not None]
        masks = np.stack([np.frombuffer(each, np.uint8) for each in rows["mask"].to_pylist()])
        codes = rows["code"].to_numpy()
        legal = np.unpackbits(masks, axis=1, bitorder="little")
        assert legal[np.arange(len(codes)), codes].all()
        assert pdd.parse_rules(rows.schema.metadata[b"rules"].decode()) == games[0].rules


def test_a_repeated_task_has_the_same_result(disturbed: tuple[Path, str], tmp_path: Path) -> None:
    folder, _ = disturbed
    run_task = example("selfplay_ray")["run_task"]
    left = tmp_path / ".000001-elsewhere-1"
    left.mkdir()
    assert run_task(1, GAMES, SIDE, tmp_path) == (GAMES, 1)
    for suffix in ("pdd", "parquet"):
        made = (tmp_path / f"000001.{suffix}").read_bytes()
        assert made == (folder / f"000001.{suffix}").read_bytes()
    assert run_task(1, GAMES, SIDE, tmp_path) == (0, 0)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_folder_with_other_settings_is_refused(disturbed: tuple[Path, str]) -> None:
    folder, _ = disturbed
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    run_task = example("selfplay_ray")["run_task"]
    assert run_task(0, GAMES, SIDE, folder) == (0, 0)
    for games, side in ((GAMES + 1, SIDE), (GAMES, SIDE + 1)):
        with pytest.raises(ValueError, match=r"000000\.parquet was made with other settings"):
            run_task(0, games, side, folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
