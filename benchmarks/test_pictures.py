"""The time of pictures of boards and of replay pages; ``benchmarks.sizes`` has their sizes."""

from __future__ import annotations

from random import Random
from statistics import median as middle
from time import perf_counter
from typing import TYPE_CHECKING

from benchmarks.figures import FIGURE, TIMES_AND_SIZES, Figure, median, note
from benchmarks.states import random_states

import pontedeldiavolo as pdd
from support.pages import long_game

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

GAMES = 20
ROUNDS = 5


def test_pictures_in_turns(benchmark: BenchmarkFixture) -> None:
    """Draw every state of random games, and play one turn in each."""
    rng = Random(1)
    states = random_states(GAMES)
    actions = [state.legal_actions.sample(rng) for state in states]

    def draw_all() -> None:
        for state in states:
            pdd.svg.render(state)

    def play_all() -> float:
        begin = perf_counter()
        for state, action in zip(states, actions, strict=True):
            state.apply_unchecked(action)
        return perf_counter() - begin

    turns = middle(play_all() for _ in range(ROUNDS))
    benchmark.pedantic(draw_all, rounds=ROUNDS, warmup_rounds=1)
    ratio = median(benchmark) / turns
    note(
        benchmark,
        Figure(TIMES_AND_SIZES, "one picture in SVG (turns applied)", FIGURE, ratio, 100),
    )


def test_pages_in_replays(benchmark: BenchmarkFixture) -> None:
    """Make pages of games with 50 turns and comments, and replay the games."""
    games = [long_game(seed) for seed in range(GAMES)]

    def make_all() -> list[pdd.html.Html]:
        return [pdd.html.replay(game) for game in games]

    def replay_all() -> float:
        begin = perf_counter()
        for game in games:
            for _ in game.states():
                pass
        return perf_counter() - begin

    replays = middle(replay_all() for _ in range(ROUNDS))
    benchmark.pedantic(make_all, rounds=ROUNDS, warmup_rounds=1)
    ratio = median(benchmark) / replays
    name = "page of a game with 50 turns"
    note(
        benchmark,
        Figure(TIMES_AND_SIZES, f"{name} (times replayed)", FIGURE, ratio, 40),
    )
