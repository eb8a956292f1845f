"""Many games at once, compared with the core, state by state."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import lru_cache, partial
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import pytest
from benchmarks.contest import contest
from benchmarks.figures import BATCH, CORE, MANY_AT_ONCE, Figure, note
from benchmarks.states import forget, random_states, start

import pontedeldiavolo as pdd
from pontedeldiavolo import batch

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

ROWS = 4096
STATES = 512
MIDDLE = range(10, 40)
"""The turns in the middle of a game; a random game takes about 50."""
RECORDS = 400
CORE_RECORDS = 50


class Rows(NamedTuple):
    """Half-played games, as states and as a batch, with a legal step for each."""

    states: tuple[pdd.GameState, ...]
    games: batch.GameBatch
    steps: list[pdd.Step]
    codes: list[int]


@pytest.fixture(scope="module")
def rows() -> Rows:
    """Return positions from the middle of random games."""
    rng = Random(1)
    middle = [state for state in random_states(160) if state.turn in MIDDLE]
    states = tuple(rng.sample(middle, ROWS))
    games = batch.GameBatch.from_states(states)
    steps = [rng.choice(forget(state).legal_steps) for state in states]
    return Rows(states, games, steps, [games.space.encode(step) for step in steps])


def mask_rows(rows: Rows) -> int:
    """Make the masks of all rows."""
    return len(rows.games.legal_mask())


def mask_states(rows: Rows) -> int:
    """Make the masks of some states."""
    for state in rows.states[:STATES]:
        rows.games.space.legal_mask(forget(state))
    return STATES


def step_rows(rows: Rows) -> int:
    """Play a step in all rows."""
    return len(rows.games.step(rows.codes))


def step_states(rows: Rows) -> int:
    """Play a step in some states."""
    for state, step in zip(rows.states[:STATES], rows.steps, strict=False):
        forget(state).step(step)
    return STATES


def score_rows(rows: Rows) -> int:
    """Score all rows for both colours."""
    return len(rows.games.points)


def score_states(rows: Rows) -> int:
    """Score some states for both colours."""
    for state in rows.states[:STATES]:
        for color in pdd.Color:
            _ = state.score(color).points
    return STATES


def draw_rows(rows: Rows) -> int:
    """Make the planes of all rows."""
    return len(rows.games.planes())


WORK: dict[str, dict[str, Callable[[Rows], int]]] = {
    "masks of legal steps": {BATCH: mask_rows, CORE: mask_states},
    "steps": {BATCH: step_rows, CORE: step_states},
    "points of both colours": {BATCH: score_rows, CORE: score_states},
    "planes for a network": {BATCH: draw_rows},
}


@pytest.mark.parametrize("row", WORK)
def test_rows(benchmark: BenchmarkFixture, rows: Rows, row: str) -> None:
    """Run an operation on every row, and on some of the same states."""
    programs = {column: partial(work, rows) for column, work in WORK[row].items()}
    rates = contest(benchmark, programs, rounds=25)
    note(benchmark, *(Figure(MANY_AT_ONCE, row, *each) for each in rates.items()))


@lru_cache
def records() -> tuple[pdd.records.Record, ...]:
    """Return records of random games, parsed and not yet played."""
    rng = Random(1)
    found: list[pdd.records.Record | pdd.RecordError] = []
    for _ in range(RECORDS):
        game = pdd.Game.new(start(10).rules)
        while game.ending is None:
            game = game.play(game.state.legal_actions.sample(rng))
        found.extend(pdd.records.iter_records(io.StringIO(pdd.records.dumps(game))))
    return tuple(each for each in found if isinstance(each, pdd.records.Record))


def turns(some: tuple[pdd.records.Record, ...]) -> int:
    """Return the number of turns in records; the choice of a colour does not count."""
    return sum(len(record.actions) - 1 for record in some)


def replay_core() -> int:
    """Replay some records one by one."""
    some = records()[:CORE_RECORDS]
    for record in some:
        record.game()
    return turns(some)


def replay_batch() -> int:
    """Replay all records in one call."""
    batch.replay(records())
    return turns(records())


def test_replay(benchmark: BenchmarkFixture) -> None:
    """Play the main lines of parsed records, and check every action."""
    rates = contest(benchmark, {BATCH: replay_batch, CORE: replay_core}, rounds=15)
    row = "turns of records replayed"
    note(benchmark, *(Figure(MANY_AT_ONCE, row, *each) for each in rates.items()))
