"""The memory that a state takes."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from benchmarks.figures import FIGURE, TIMES_AND_SIZES, Figure, note
from benchmarks.states import forget, random_states, start

import pontedeldiavolo as pdd

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

ALONE = "one state, sharing nothing but tables (bytes)"
IN_A_GAME = "each state of a game that is kept whole (bytes)"
TARGET = 1024


def copies() -> list[pdd.GameState]:
    """Create the states of a game, each from its own pieces."""
    identity = pdd.symmetries(start(10).rules.board)[0]
    return [state.transform(identity) for state in random_states(1)]


def a_game() -> list[pdd.GameState]:
    """Play a game, and keep its states, without their cached legal actions."""
    random_states.cache_clear()
    return [forget(state) for state in random_states(1)]


@pytest.mark.parametrize(("row", "make"), [(ALONE, copies), (IN_A_GAME, a_game)])
def test_memory(
    benchmark: BenchmarkFixture, row: str, make: Callable[[], list[pdd.GameState]]
) -> None:
    """Create the states of a game, and measure the additional memory."""
    # Build the tables of the board before measuring.
    make()

    def measure() -> float:
        gc.collect()
        tracemalloc.start()
        states = make()
        gc.collect()
        size = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        return size / len(states)

    size = benchmark.pedantic(measure, rounds=1)
    note(benchmark, Figure(TIMES_AND_SIZES, row, FIGURE, size, TARGET))
