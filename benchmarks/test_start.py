"""The time of the first use: imports, the tables of a board, and compilation."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from random import Random
from statistics import median as middle
from time import perf_counter
from typing import TYPE_CHECKING

import pytest
from benchmarks.figures import FIGURE, TIMES_AND_SIZES, Figure, median, note
from benchmarks.states import start

from pontedeldiavolo.batch.kernels.game import rules_table
from pontedeldiavolo.batch.symmetries import bridge_tables
from pontedeldiavolo.board import geometry

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

ROUNDS = 7
MILLISECOND = 1000
TARGET = 60
IMPORTS = (
    ("attrs", "pontedeldiavolo", "`import pontedeldiavolo`, attrs aside (ms)"),
    ("pontedeldiavolo", "pontedeldiavolo.batch", "`import pontedeldiavolo.batch` after that (ms)"),
    ("sys", "numba", "`import numba`, with NumPy (ms)"),
)
"""Pairs of modules, and the name of the additional time of the second one."""
MODULES = ("sys", "attrs", "pontedeldiavolo", "numba", "pontedeldiavolo.batch")
PLAYOUT = "from pontedeldiavolo import batch; batch.GameBatch.initial().playout(seed=1)"
IMPORTED = "imported"
PLAYOUTS = "playouts"
"""Folders for Numba's cache."""
LARGE = 40


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for files that processes share, mainly bytecode."""
    path = tmp_path_factory.mktemp("start")
    run("import pontedeldiavolo.batch", path, IMPORTED)
    return path


def run(program: str, folder: Path, cache: str) -> None:
    """Run a program in a separate process.

    It uses bytecode files, as an installed package does, whatever the environment says.
    """
    environment = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(folder / cache),
        "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),
        "PYTHONDONTWRITEBYTECODE": "",
    }
    subprocess.run(
        [sys.executable, "-c", program], env=environment, check=True
    )  # the program is ours


def test_imports(benchmark: BenchmarkFixture, folder: Path) -> None:
    """Import modules in turn, so that each round compares times under equal conditions."""
    times: dict[str, list[float]] = defaultdict(list)

    def import_all() -> None:
        for module in MODULES:
            begin = perf_counter()
            run(f"import {module}", folder, IMPORTED)
            times[module].append((perf_counter() - begin) * MILLISECOND)

    benchmark.pedantic(import_all, rounds=ROUNDS)
    for less, more, row in IMPORTS:
        value = middle(b - a for a, b in zip(times[less], times[more], strict=True))
        target = TARGET if more == "pontedeldiavolo" else None
        note(benchmark, Figure(TIMES_AND_SIZES, row, FIGURE, value, target))


def forget_tables() -> None:
    """Clear the cached tables of all board sizes."""
    geometry._CACHE = geometry._GeometryCache()
    bridge_tables.cache_clear()
    rules_table.cache_clear()


def count_opening() -> None:
    """Count the legal actions."""
    len(start(LARGE).legal_actions)


def play_game() -> None:
    """Play a whole random game, which uses nearly all tables."""
    rng = Random(1)
    state = start(LARGE)
    while not state.is_over:
        state = state.apply_unchecked(state.legal_actions.sample(rng))


def test_first_question_on_a_large_board(benchmark: BenchmarkFixture) -> None:
    """Count the opening actions, which builds only the few tables that are needed."""
    benchmark.pedantic(count_opening, setup=forget_tables, rounds=ROUNDS)
    row = "40×40, first `len(legal_actions)` (ms)"
    note(benchmark, Figure(TIMES_AND_SIZES, row, FIGURE, median(benchmark) * MILLISECOND))


@pytest.mark.parametrize(
    ("which", "setup"),
    [("first", forget_tables), ("second", lambda: None)],
    ids=["first", "second"],
)
def test_games_on_a_large_board(benchmark: BenchmarkFixture, which: str, setup: object) -> None:
    """Play a first game, which builds the tables, and a second one, which does not."""
    benchmark.pedantic(play_game, setup=setup, rounds=3)
    row = f"40×40, {which} random game (ms)"
    note(benchmark, Figure(TIMES_AND_SIZES, row, FIGURE, median(benchmark) * MILLISECOND))


def test_tables_of_a_large_board_for_batches(benchmark: BenchmarkFixture) -> None:
    """Build all tables for batches, which are needed at once."""
    benchmark.pedantic(rules_table, args=(start(LARGE).rules,), setup=forget_tables, rounds=3)
    row = "40×40, tables for batches (ms)"
    note(benchmark, Figure(TIMES_AND_SIZES, row, FIGURE, median(benchmark) * MILLISECOND))


@pytest.mark.parametrize("cache", ["empty", "filled"])
def test_first_playout(benchmark: BenchmarkFixture, folder: Path, cache: str) -> None:
    """Play one game in a new process; the time includes the imports."""
    if cache == "empty":
        shutil.rmtree(folder / PLAYOUTS, ignore_errors=True)
        benchmark.pedantic(run, args=(PLAYOUT, folder, PLAYOUTS), rounds=1)
    else:
        benchmark.pedantic(run, args=(PLAYOUT, folder, PLAYOUTS), rounds=ROUNDS, warmup_rounds=1)
    row = f"new process with one playout, {cache} cache (ms)"
    note(benchmark, Figure(TIMES_AND_SIZES, row, FIGURE, median(benchmark) * MILLISECOND))
