"""The time of a snapshot for a browser, in turns of a random game."""

from __future__ import annotations

from random import Random
from statistics import median as middle
from time import perf_counter
from typing import TYPE_CHECKING

from benchmarks.figures import FIGURE, TIMES_AND_SIZES, Figure, median, note
from benchmarks.states import forget, random_states

import pontedeldiavolo as pdd

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

GAMES = 20
ROUNDS = 5


def test_snapshots_in_turns(benchmark: BenchmarkFixture) -> None:
    """Make a snapshot of every state of random games, and play one turn in each."""
    rng = Random(1)
    states = random_states(GAMES)

    def show_all() -> None:
        for state in states:
            pdd.json.snapshot(forget(state))

    def play_all() -> float:
        begin = perf_counter()
        for state in states:
            forget(state).apply_unchecked(state.legal_actions.sample(rng))
        return perf_counter() - begin

    turns = middle(play_all() for _ in range(ROUNDS))
    benchmark.pedantic(show_all, rounds=ROUNDS, warmup_rounds=1)
    note(
        benchmark,
        Figure(
            TIMES_AND_SIZES, "one snapshot (random turns)", FIGURE, median(benchmark) / turns, 20
        ),
    )
