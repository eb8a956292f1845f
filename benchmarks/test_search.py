"""Simulations of a search for many games, without evaluation, compared with steps of a pool."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pytest
from benchmarks.contest import contest
from benchmarks.figures import MASKS, SEARCH, SIMULATIONS, Figure, note
from benchmarks.test_games import board
from benchmarks.test_pools import mixed_pool, play_pool

import pontedeldiavolo as pdd

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

ROOTS = 1024
ROUNDS = 100


def play_search(
    search: pdd.players.BatchedSearch,
    priors: npt.NDArray[np.float32],
    values: npt.NDArray[np.float64],
) -> int:
    """Search the next step of every game, with the same evaluation for all leaves."""
    going = search.games.size - int(search.games.is_over.sum())
    while not search.done:
        search.leaves()
        search.backup(priors, values)
    search.advance(search.best())
    return ROUNDS * going


@pytest.mark.parametrize("side", [6, 10])
def test_search(benchmark: BenchmarkFixture, side: int) -> None:
    """Search games at all stages, and step as many games in a pool."""
    pool = mixed_pool(side, ROOTS, 1, planes=False)
    games = pool.games
    rng = np.random.default_rng(1)
    search = pdd.players.BatchedSearch(games, simulations=ROUNDS)
    priors = rng.random((ROOTS, len(games.space)), np.float32) ** 8
    play = partial(play_search, search, priors, rng.uniform(-1, 1, ROOTS))
    programs = {SIMULATIONS: play, MASKS: partial(play_pool, pool)}
    rates = contest(benchmark, programs, rounds=5)
    row = f"{board(side)}, {ROOTS:,} roots"
    note(benchmark, *(Figure(SEARCH, row, *each) for each in rates.items()))
