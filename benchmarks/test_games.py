"""Complete random games: the library, the plain program and the slow reference.

Every program samples uniformly from all legal actions, so games have the same mean length, though
they are not the same.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import TYPE_CHECKING

import pytest
from benchmarks import plain
from benchmarks.contest import contest
from benchmarks.figures import (
    CHECKED,
    ONE_THREAD,
    PLAIN,
    RANDOM_GAMES,
    REFERENCE,
    TWO_THREADS,
    UNCHECKED,
    Figure,
    median,
    note,
)
from benchmarks.states import plain_board, start

import pontedeldiavolo as pdd
from pontedeldiavolo import batch
from support.reference import Reference

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

SIDES = (6, 8, 10, 12, 18, 26)
SIDES_OF_REFERENCE = (6, 8, 10, 12)
"""Boards for the reference, which takes seconds for a game on 12×12, and minutes on larger ones."""
BATCH_GAMES = 2_000
"""How many games a batch plays for each game that is played alone."""
SEED = 1


def board(side: int) -> str:
    """Return the name of a square board."""
    return f"{side}×{side}"


def play_unchecked(side: int, games: int) -> int:
    """Play without checking actions, which are known to be legal."""
    rng = Random(SEED)
    turns = 0
    for _ in range(games):
        state = start(side)
        while not state.is_over:
            state = state.apply_unchecked(state.legal_actions.sample(rng))
        turns += state.turn
    return turns


def play_checked(side: int, games: int) -> int:
    """Play and check every action again."""
    rng = Random(SEED)
    turns = 0
    for _ in range(games):
        state = start(side)
        while not state.is_over:
            state = state.apply(state.legal_actions.sample(rng))
        turns += state.turn
    return turns


def play_plain(side: int, games: int) -> int:
    """Play with the plain program."""
    rng = Random(SEED)
    return sum(plain.Game(plain_board(side), rng).play() for _ in range(games))


def play_reference(side: int, games: int) -> int:
    """Play with the reference."""
    rng = Random(SEED)
    turns = 0
    for _ in range(games):
        game = Reference(side, side)
        turns -= 1  # the choice of a colour is not a turn
        while game.phase != "over":
            game.play(rng.choice(game.legal()))
            turns += 1
    return turns


def play_batch(side: int, games: int, threads: int) -> int:
    """Play all games at once."""
    rules = pdd.Rules(pdd.Board(side, side))
    playouts = batch.GameBatch.initial(rules, games).playout(SEED, threads)
    return int(playouts.turns.sum())


PLAYERS = {
    UNCHECKED: play_unchecked,
    CHECKED: play_checked,
    PLAIN: play_plain,
    ONE_THREAD: lambda side, games: play_batch(side, games * BATCH_GAMES, 1),
    TWO_THREADS: lambda side, games: play_batch(side, games * BATCH_GAMES, 2),
}


@pytest.mark.parametrize("side", SIDES)
def test_random_games(benchmark: BenchmarkFixture, side: int) -> None:
    """Play games with about a thousand turns in total; batches play many more."""
    games = 2000 // side**2
    players = {name: partial(play, side, games) for name, play in PLAYERS.items()}
    rates = contest(benchmark, players, rounds=15)
    note(benchmark, *(Figure(RANDOM_GAMES, board(side), *each) for each in rates.items()))


@pytest.mark.parametrize("side", SIDES_OF_REFERENCE)
def test_random_game_of_the_reference(benchmark: BenchmarkFixture, side: int) -> None:
    """Play one game per round, which takes long enough."""
    rounds = 3 if side < max(SIDES_OF_REFERENCE) else 1
    turns = benchmark.pedantic(play_reference, args=(side, 1), rounds=rounds)
    rate = turns / median(benchmark)
    note(benchmark, Figure(RANDOM_GAMES, board(side), REFERENCE, rate))
