"""Random steps in pools of games, compared with turns of the core and with one environment."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pytest
from benchmarks.contest import contest
from benchmarks.figures import (
    BATCH,
    ENVIRONMENT,
    MASKS,
    MASKS_TWICE,
    ONE_ROW,
    PLANES,
    PLANES_TWICE,
    POOLS,
    UNCHECKED,
    Figure,
    note,
)
from benchmarks.states import random_states
from benchmarks.test_games import board, play_unchecked

import pontedeldiavolo as pdd
from pontedeldiavolo import batch

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

SIDES = (6, 8, 10, 12, 18, 26, 40)
SIZE = 1024
SIZES = (1, 16, 256, 4096, 16_384, 65_536)
USUAL = 10
CELLS_A_ROUND = 6_400_000
"""The number of steps in a round times the cells of the board. A round takes tens of milliseconds:
in a shorter one, the processor's cache would not hold the games, and threads would still sleep."""
MIN_CALLS = 4
MAX_CALLS = 2000
CASES = [*product(SIDES, [SIZE]), *product([USUAL], SIZES)]


class Environment:
    """One game as in training loops, with `reset` and `step`, as in Gymnasium."""

    def __init__(self, rules: pdd.Rules) -> None:
        self.space = pdd.StepSpace(rules.board)
        self.start = pdd.GameState.initial(rules)
        self.node: pdd.GameState | pdd.HalfTurn = self.start

    def reset(self) -> tuple[npt.NDArray[np.uint8], dict[str, Any]]:
        """Begin a game; return the observation, and the mask of legal steps."""
        self.node = self.start
        return self.seen()

    def step(self, code: int) -> tuple[npt.NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Play a step; return observation, reward, whether the game is over, and the mask."""
        seat = self.node.seat_to_move
        self.node = self.node.step(self.space.decode(code))
        outcome = self.node.outcome
        worth = 0.0 if outcome is None or seat is None else float(outcome.value(seat))
        seen, more = self.seen()
        return seen, worth, outcome is not None, False, more

    def seen(self) -> tuple[npt.NDArray[np.uint8], dict[str, Any]]:
        """Return planes and mask."""
        mask = np.frombuffer(self.space.legal_mask(self.node), np.uint8)
        return batch.planes(self.node), {"mask": mask}


def play_environment(environment: Environment, rng: np.random.Generator, steps: int) -> int:
    """Play a number of random steps."""
    _, more = environment.reset()
    for _ in range(steps):
        code = int(rng.choice(np.flatnonzero(more["mask"])))
        _, _, over, _, more = environment.step(code)
        if over:
            _, more = environment.reset()
    return steps


def mixed_pool(side: int, size: int, threads: int, *, planes: bool) -> batch.GamePool:
    """Return a pool in which some games have just begun and others are almost over."""
    pool = batch.GamePool(
        pdd.Rules(pdd.Board(side, side)), size, seed=1, threads=threads, planes=planes
    )
    ages = np.arange(size) % side**2
    for age in range(side**2):
        # A random game has about as many steps as the board has cells.
        pool.reset(np.flatnonzero(ages == age))
        pool.step(pool.sample_steps())
    return pool


def play_pool(pool: batch.GamePool) -> int:
    """Play random steps in every game."""
    wanted = CELLS_A_ROUND // len(pool.rules.board) // pool.size
    calls = min(max(wanted, MIN_CALLS), MAX_CALLS)
    for _ in range(calls):
        pool.step(pool.sample_steps())
    return calls * pool.size


@pytest.mark.parametrize(("side", "size"), CASES)
def test_pools(benchmark: BenchmarkFixture, side: int, size: int) -> None:
    """Step pools of games at all stages, and games one by one."""
    environment = Environment(pdd.Rules(pdd.Board(side, side)))
    programs: dict[str, Callable[[], int]] = {
        MASKS: partial(play_pool, mixed_pool(side, size, 1, planes=False)),
        PLANES: partial(play_pool, mixed_pool(side, size, 1, planes=True)),
        MASKS_TWICE: partial(play_pool, mixed_pool(side, size, 2, planes=False)),
        PLANES_TWICE: partial(play_pool, mixed_pool(side, size, 2, planes=True)),
        UNCHECKED: partial(play_unchecked, side, max(1, 400 // side**2)),
        ENVIRONMENT: partial(play_environment, environment, np.random.default_rng(1), side**2),
    }
    rates = contest(benchmark, programs, rounds=7)
    row = f"{board(side)}, {size:,} games"
    note(benchmark, *(Figure(POOLS, row, *each) for each in rates.items()))


MIDDLE = 20
"""The turn in the middle of a game from which a single row is taken."""
CALLS_A_ROUND = 100
CALLS: dict[str, Callable[[batch.GameBatch, npt.NDArray[np.int32]], object]] = {
    "`legal_mask()`": lambda one, _: one.legal_mask(),
    "`step(codes)`": lambda one, codes: one.step(codes),
    "`sample_steps(seed)`": lambda one, _: one.sample_steps(1),
    "`planes()`": lambda one, _: one.planes(),
    "`playout(seed)`": lambda one, _: one.playout(1),
}


@pytest.mark.parametrize("call", CALLS)
def test_one_row(benchmark: BenchmarkFixture, call: str) -> None:
    """Call a batch of one game repeatedly, to measure the overhead of a call."""
    middle = next(state for state in random_states(9) if state.turn == MIDDLE)
    one = batch.GameBatch.from_states([middle])
    codes = one.sample_steps(1)
    run = CALLS[call]

    def repeat() -> int:
        for _ in range(CALLS_A_ROUND):
            run(one, codes)
        return CALLS_A_ROUND

    programs: dict[str, Callable[[], int]] = {
        BATCH: repeat,
        UNCHECKED: partial(play_unchecked, USUAL, 10),
    }
    rates = contest(benchmark, programs, rounds=9)
    note(benchmark, *(Figure(ONE_ROW, call, *each) for each in rates.items()))
