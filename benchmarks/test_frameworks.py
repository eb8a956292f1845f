"""Environments of frameworks, compared with the core and pools that they are made of."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from benchmarks.contest import contest
from benchmarks.figures import ADAPTER, BELOW, FRAMEWORKS, Figure, note
from benchmarks.test_games import board

import pontedeldiavolo as pdd
from pontedeldiavolo import batch

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

SIDES = (6, 10, 18)
SIZES = (64, 256, 1024, 4096)
STEPS_A_ROUND = 20_000


def random_codes(side: int) -> list[int]:
    """Return the steps of a random game."""
    rng = Random(1)
    space = pdd.StepSpace(pdd.Board(side, side))
    node: pdd.Node = pdd.GameState.initial(pdd.Rules(space.board))
    codes: list[int] = []
    while not node.is_over:
        codes.append(space.encode(rng.choice(node.legal_steps)))
        node = node.step(space.decode(codes[-1]))
    return codes


def play_core(side: int, codes: list[int]) -> int:
    """Play with the core: a step, the mask, the planes."""
    space = pdd.StepSpace(pdd.Board(side, side))
    node: pdd.Node = pdd.GameState.initial(pdd.Rules(space.board))
    for code in codes:
        node = node.step(space.decode(code))
        np.frombuffer(space.legal_mask(node), np.int8)
        batch.planes(node)
    return len(codes)


@pytest.mark.parametrize("side", SIDES)
def test_raw_env(benchmark: BenchmarkFixture, side: int) -> None:
    """Step an environment of PettingZoo, with the observation of the agent to act."""
    pytest.importorskip("pettingzoo")
    environment = pdd.adapters.pettingzoo.raw_env(pdd.Rules(pdd.Board(side, side)))
    codes = random_codes(side)

    def play() -> int:
        environment.reset()
        for code in codes:
            environment.step(code)
            environment.observe(environment.agent_selection)
        return len(codes)

    programs: dict[str, Callable[[], int]] = {BELOW: partial(play_core, side, codes), ADAPTER: play}
    rates = contest(benchmark, programs, rounds=31)
    row = f"`raw_env`, {board(side)}"
    note(benchmark, *(Figure(FRAMEWORKS, row, *each) for each in rates.items()))


@pytest.mark.parametrize("copy", [False, True], ids=["in place", "copied"])
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("size", SIZES)
def test_vector_env(benchmark: BenchmarkFixture, size: int, mode: str, *, copy: bool) -> None:
    """Step many games of Gymnasium, and of a pool, at random."""
    pytest.importorskip("gymnasium")
    environment = pdd.adapters.gymnasium.PonteVectorEnv(size, autoreset_mode=mode, copy=copy)
    environment.reset(seed=1)
    pool = batch.GamePool(size=size, seed=1, planes=True)
    rounds = max(1, STEPS_A_ROUND // size)

    def play_pool() -> int:
        for _ in range(rounds):
            pool.step(pool.sample_steps())
        return rounds * size

    def play() -> int:
        for _ in range(rounds):
            environment.step(environment.sample())
        return rounds * size

    rates = contest(benchmark, {BELOW: play_pool, ADAPTER: play}, rounds=15)
    kept = ", copied" if copy else ""
    row = f"`PonteVectorEnv`, {size:,} games, {mode}{kept}"
    note(benchmark, *(Figure(FRAMEWORKS, row, *each) for each in rates.items()))
