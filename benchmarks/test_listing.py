"""Listing every legal action, and counting sequences of them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

import pytest
from benchmarks import plain
from benchmarks.contest import contest
from benchmarks.figures import CORE, PLAIN, RATES, REFERENCE, Figure, note
from benchmarks.states import forget, mirrored, plain_board, random_states, start

import pontedeldiavolo as pdd
from support.reference import Reference

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

OPENING = "actions listed, opening"
OPENING_26 = "actions listed, opening of 26×26"
ANY_TIME = "actions listed, all through a game"
TARGET = 1_000_000
OFTEN = 10
"""How often a round lists the actions of the opening, because once is too short to measure."""

DEPTH = 3
NODES = 151_800
COUNTED = "`perft` of 5×5 to depth 3"
VISITED = "the same, every end visited"


def list_all(states: tuple[pdd.GameState, ...]) -> int:
    """Create every legal action of new states."""
    return sum(1 for state in states for _ in forget(state).legal_actions)


def list_plain() -> int:
    """Create every opening with the plain program."""
    games = (plain.Game(plain_board(10), Random(1)) for _ in range(OFTEN))
    return sum(1 for game in games for _ in game.pairs(0))


def list_reference(states: tuple[pdd.GameState, ...]) -> int:
    """Create every legal action with the reference."""
    return sum(len(mirrored(state).legal()) for state in states)


def one_game() -> tuple[pdd.GameState, ...]:
    """Return some states of a game, from the opening to the end."""
    return random_states(1)[::3]


LISTINGS: dict[str, dict[str, Callable[[], int]]] = {
    OPENING: {
        CORE: lambda: list_all((start(10),) * OFTEN),
        PLAIN: list_plain,
        REFERENCE: lambda: list_reference((start(10),)),
    },
    OPENING_26: {CORE: lambda: list_all((start(26),))},
    ANY_TIME: {CORE: lambda: list_all(one_game()), REFERENCE: lambda: list_reference(one_game())},
}


@pytest.mark.parametrize("row", LISTINGS)
def test_listing(benchmark: BenchmarkFixture, row: str) -> None:
    """Create all actions, and drop them."""
    for column, rate in contest(benchmark, LISTINGS[row], rounds=9).items():
        target = TARGET if column == CORE else None
        note(benchmark, Figure(RATES, row, column, rate, target))


def visit(state: pdd.GameState, depth: int) -> int:
    """Count sequences by creating every state, including the last ones."""
    if depth == 0:
        return 1
    return sum(visit(state.apply_unchecked(each), depth - 1) for each in state.legal_actions)


def count_reference(game: Reference, depth: int) -> int:
    """Count sequences with the reference, without playing the last action."""
    actions = game.legal()
    if depth == 1:
        return len(actions)
    found = 0
    for action in actions:
        after = game.copy()
        after.play(action)
        found += count_reference(after, depth - 1)
    return found


def checked(nodes: int) -> int:
    """Return the number of nodes, after checking that it is correct."""
    assert nodes == NODES
    return nodes


COUNTS: dict[str, dict[str, Callable[[], int]]] = {
    COUNTED: {
        CORE: lambda: checked(pdd.perft(start(5), DEPTH)),
        REFERENCE: lambda: checked(count_reference(Reference(5, 5), DEPTH)),
    },
    VISITED: {CORE: lambda: checked(visit(start(5), DEPTH))},
}


@pytest.mark.parametrize("row", COUNTS)
def test_perft(benchmark: BenchmarkFixture, row: str) -> None:
    """Count action sequences."""
    rates = contest(benchmark, COUNTS[row], rounds=3)
    note(benchmark, *(Figure(RATES, row, *each) for each in rates.items()))
