"""The time of a single query to a new state, which has nothing cached.

Calls are timed one by one, for their distribution. Each time includes the overhead of the clock and
of a function call, which is measured separately as the question "nothing".
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import quantiles
from time import perf_counter_ns
from typing import TYPE_CHECKING, NamedTuple

import pytest
from benchmarks.figures import MEDIAN, PERCENTILE, QUESTIONS, REFERENCE, Figure, note
from benchmarks.states import forget, mirrored, random_states

import pontedeldiavolo as pdd
from support.reference import Reference

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

GAMES = 100
ROUNDS = 3
MICROSECOND = 1000
REFERENCE_EVERY = 50
"""The reference answers only for one in so many states, to save time."""


class Question(NamedTuple):
    """A question: the action that it needs, and its answers by the library and the reference."""

    ask: Callable[[pdd.GameState, pdd.Action], object]
    about: Callable[[pdd.GameState, Random], pdd.Action | None]
    ask_reference: Callable[[Reference, pdd.Action], object] | None
    target: float | None = None
    target_of_percentile: float | None = None


def pair(state: pdd.GameState, rng: Random) -> pdd.PlaceTiles | None:
    """Return one of the legal pairs."""
    pairs = state.legal_actions.pairs
    return pairs[rng.randrange(len(pairs))] if pairs else None


def bridge(state: pdd.GameState, rng: Random) -> pdd.BuildBridge:
    """Return any bridge or, with equal probability, a buildable one, if there is one."""
    legal = state.legal_actions.bridges
    if legal and rng.random() < 1 / 2:
        return rng.choice(legal)
    any_bridge = rng.choice(state.rules.board.bridges)
    return pdd.BuildBridge(any_bridge.a, any_bridge.b)


def whatever(_state: pdd.GameState, _rng: Random) -> pdd.Pass:
    """Return a dummy action, for a question that needs none."""
    return pdd.Pass()


def point(cell: pdd.Cell) -> tuple[int, int]:
    """Return a cell of the reference."""
    return cell.column, cell.row


def seconds(game: Reference, first: pdd.Cell) -> list[tuple[int, int]]:
    """Try every cell as the second of two tiles."""
    cells = [(x, y) for x in range(game.width) for y in range(game.height)]
    return [cell for cell in cells if not game.broken("tiles", point(first), cell)]


def first_of(action: pdd.Action) -> pdd.Cell:
    """Return the first cell of a pair."""
    assert isinstance(action, pdd.PlaceTiles)
    return action.a


def is_legal_in_reference(game: Reference, action: pdd.Action) -> bool:
    """Return whether the reference allows an action."""
    return game.is_legal(pdd.format_action(action))


QUESTIONS_ASKED = {
    "nothing": Question(lambda state, _: state, whatever, None),
    "`is_legal` of a legal pair": Question(
        lambda state, action: state.is_legal(action), pair, is_legal_in_reference, 5
    ),
    "`is_legal` of a bridge": Question(
        lambda state, action: state.is_legal(action), bridge, is_legal_in_reference, 5
    ),
    "`len(legal_actions)`": Question(
        lambda state, _: len(state.legal_actions),
        whatever,
        lambda game, _: len(game.legal()),
        30,
        100,
    ),
    "`first_tiles`": Question(
        lambda state, _: state.legal_actions.first_tiles,
        whatever,
        lambda game, _: {cell for cells in game._legal_pairs(str(game.to_move)) for cell in cells},
        15,
    ),
    "`second_tiles(cell)`": Question(
        lambda state, action: state.legal_actions.second_tiles(first_of(action)),
        pair,
        lambda game, action: seconds(game, first_of(action)),
        15,
    ),
    "`json.snapshot`": Question(
        lambda state, _: pdd.json.snapshot(state), whatever, None, 1000, 1000
    ),
}


def in_microseconds(times: list[int]) -> tuple[float, float]:
    """Return the median and the 95th percentile of the times."""
    cuts = quantiles(times, n=20)
    return cuts[9] / MICROSECOND, cuts[18] / MICROSECOND


@pytest.mark.parametrize("name", QUESTIONS_ASKED)
def test_questions(benchmark: BenchmarkFixture, name: str) -> None:
    """Ask every state of random games."""
    rng = Random(1)
    question = QUESTIONS_ASKED[name]
    asked = [(state, question.about(state, rng)) for state in random_states(GAMES)]
    times: list[int] = []

    def ask_all() -> None:
        ask = question.ask
        for state, about in asked:
            if about is not None:
                forget(state)
                begin = perf_counter_ns()
                ask(state, about)
                times.append(perf_counter_ns() - begin)

    benchmark.pedantic(ask_all, rounds=ROUNDS)
    median, percentile = in_microseconds(times)
    note(
        benchmark,
        Figure(QUESTIONS, name, MEDIAN, median, question.target),
        Figure(QUESTIONS, name, PERCENTILE, percentile, question.target_of_percentile),
    )


@pytest.mark.parametrize(
    "name", [name for name, question in QUESTIONS_ASKED.items() if question.ask_reference]
)
def test_questions_to_the_reference(benchmark: BenchmarkFixture, name: str) -> None:
    """Ask the reference about some of the states."""
    rng = Random(1)
    question = QUESTIONS_ASKED[name]
    ask = question.ask_reference
    assert ask is not None
    states = random_states(GAMES)[::REFERENCE_EVERY]
    asked = [(mirrored(state), question.about(state, rng)) for state in states]
    times: list[int] = []

    def ask_all() -> None:
        for game, about in asked:
            if about is not None:
                begin = perf_counter_ns()
                ask(game, about)
                times.append(perf_counter_ns() - begin)

    benchmark.pedantic(ask_all, rounds=1)
    note(benchmark, Figure(QUESTIONS, name, REFERENCE, in_microseconds(times)[0]))
