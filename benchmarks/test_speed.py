"""How fast the library is: whole random games and single questions, through the public API.

Run with::

    pip install --group bench --editable .
    python -m pytest benchmarks

Machines differ and are noisy: compare the ratios of one run, never figures of two.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

import pontedeldiavolo as pdd
from reference import Reference

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

GAMES = 10


def rules(side: int) -> pdd.Rules:
    """Return the rules of a square board with an unlimited supply."""
    return pdd.Rules(pdd.Board(side, side))


def play(start: pdd.GameState, seed: int, *, checked: bool) -> int:
    """Play random games to the end and return how many turns they took."""
    rng = Random(seed)
    turns = 0
    for _ in range(GAMES):
        state = start
        while not state.is_over:
            action = state.legal_actions.sample(rng)
            state = state.apply(action) if checked else state.apply_unchecked(action)
        turns += state.turn
    return turns


def play_reference(side: int, seed: int) -> int:
    """Play one random game with the slow reference and return its turns."""
    rng = Random(seed)
    game = Reference(side, side)
    turns = -1  # the choice of a colour is not a turn
    while game.phase != "over":
        game.play(rng.choice(game.legal()))
        turns += 1
    return turns


@pytest.mark.parametrize("side", [6, 8, 10, 12, 26])
@pytest.mark.parametrize("checked", [False, True], ids=["unchecked", "checked"])
def test_random_games(benchmark: BenchmarkFixture, side: int, *, checked: bool) -> None:
    """Whole games of uniformly random actions."""
    start = pdd.GameState.initial(rules(side))
    benchmark.group = f"random games, {side}x{side}"
    turns = benchmark.pedantic(
        play, args=(start, 1), kwargs={"checked": checked}, rounds=5, warmup_rounds=1
    )
    benchmark.extra_info.update(work=turns, unit="turns")


@pytest.mark.parametrize("side", [6, 8, 10])
def test_random_games_of_the_reference(benchmark: BenchmarkFixture, side: int) -> None:
    """The same with the reference of the tests, which checks everything from scratch."""
    benchmark.group = f"random games, {side}x{side}"
    turns = benchmark.pedantic(play_reference, args=(side, 1), rounds=1)
    benchmark.extra_info.update(work=turns, unit="turns")


@pytest.mark.parametrize("side", [10, 26])
def test_listing_the_opening(benchmark: BenchmarkFixture, side: int) -> None:
    """Make every one of the legal opening pairs."""
    start = pdd.GameState.initial(rules(side))
    benchmark.group = f"listing, {side}x{side}"
    count = benchmark.pedantic(lambda: sum(1 for _ in start.legal_actions), rounds=5)
    benchmark.extra_info.update(work=count, unit="actions")


def test_perft(benchmark: BenchmarkFixture) -> None:
    """Count action sequences of 5x5 to depth 3."""
    start = pdd.GameState.initial(rules(5))
    benchmark.group = "perft, 5x5"
    nodes = benchmark.pedantic(pdd.perft, args=(start, 3), rounds=3)
    assert nodes == 151_800
    benchmark.extra_info.update(work=nodes, unit="nodes")
