"""Records replayed in batches, held against the core."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from itertools import chain, combinations
from random import Random

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import replay
from pontedeldiavolo.records import Record
from pontedeldiavolo.testing import strategies
from support.batch_rows import ANY_RULES, FOUR_BY_TWO, ODD_RULES, RULES
from support.batches import NONE, beginnings, sized, state_behind, visited, winner_of
from support.paths import DATA
from support.strategies import attempts, share

FILE = DATA / "games.jsonl"
ROWS = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


def recorded(start: pdd.GameState, actions: Sequence[pdd.Action]) -> Record:
    """Return a record of these actions, legal or not."""
    return Record(start, {}, pdd.Line(tuple(map(pdd.Move, actions))))


def require_replayed(records: list[Record | pdd.Game]) -> list[int]:
    """Require that records are replayed as in the core; return where they are illegal."""
    found = replay(records)
    expected = [replayed(record) for record in records]
    assert found.points.dtype == found.illegal_at.dtype == np.int32
    assert found.winner.dtype == np.int8
    assert found.is_over.dtype == np.bool_
    assert found.points.shape == (len(records), 2)
    assert found.illegal_at.tolist() == [place for _, place in expected]
    assert found.is_over.tolist() == [state.is_over for state, _ in expected]
    assert found.winner.tolist() == [winner_of(state) for state, _ in expected]
    assert found.points.tolist() == [
        [state.score(color).points for color in pdd.Color] for state, _ in expected
    ]
    return [place for _, place in expected]


def replayed(record: Record | pdd.Game) -> tuple[pdd.GameState, int]:
    """Return the state after the last legal action, and the place of the illegal one, or -1."""
    state = record.start
    for place, action in enumerate(record.actions):
        if not state.is_legal(action):
            return state, place
        state = state.apply_unchecked(action)
    return state, NONE


def test_complete_games_of_an_independent_implementation() -> None:
    rows = ROWS[:: sized(1, 10)]
    records = []
    for row in rows:
        rules = pdd.Rules(pdd.Board(*row["size"]), row["tiles"], row["bridges"])
        actions = list(map(pdd.parse_action, row["moves"]))
        records.append(recorded(pdd.GameState.initial(rules), actions))
    found = replay(iter(records))
    assert found.illegal_at.tolist() == [NONE] * len(rows)
    assert found.is_over.all()
    assert found.points.tolist() == [row["points"] for row in rows]
    winners = {"white": 0, "red": 1, "draw": NONE}
    assert found.winner.tolist() == [winners[row["winner"]] for row in rows]


def odd_action(board: pdd.Board, rng: Random) -> pdd.Action:
    """Return any action, on the board or off it, most likely illegal."""
    cells = [
        *rng.sample(board.cells, min(3, len(board))),
        # One row up, or beyond the last cell, if cells were numbered carelessly.
        pdd.Cell(board.width, 0),
        pdd.Cell(board.width + 2, 0),
        pdd.Cell(0, board.height),
        pdd.Cell(10**9, 10**9),
    ]
    actions: list[pdd.Action] = [pdd.Pass(), *map(pdd.ChooseColor, pdd.Color)]
    actions += [pdd.PlaceTiles(cells[0], cells[0]), pdd.BuildBridge(cells[0], cells[0])]
    actions += [shape(*rng.sample(cells, 2)) for shape in (pdd.PlaceTiles, pdd.BuildBridge)]
    actions += [pdd.PlaceTiles(*pair) for pair in combinations(cells[:3], 2)]
    actions += [
        pdd.BuildBridge(*each.ends)
        for each in rng.sample(board.bridges, min(2, len(board.bridges)))
    ]
    return rng.choice(actions)


def spoilt(start: pdd.GameState, actions: list[pdd.Action], rng: Random) -> Record:
    """Return a record with an action replaced, added, left out or moved."""
    board, place = start.rules.board, rng.randrange(len(actions) + 1)
    odd = odd_action(board, rng)
    other = rng.choice([*actions, odd])
    changed = rng.choice(
        [
            [*actions[:place], odd, *actions[place + 1 :]],
            [*actions[:place], odd, *actions[place:]],
            [*actions[:place], other, *actions[place:]],
            [*actions[:place], *actions[place + 1 :]],
            [*actions, odd, odd],
            [*actions[place:], *actions[:place]],
        ]
    )
    return recorded(start, changed)


@pytest.mark.slow
def test_games_of_all_rules_in_one_call() -> None:
    rng = Random(8)
    records: list[Record | pdd.Game] = []
    for rules in RULES[:: sized(1, 5)]:
        for start in beginnings(rules, sized(2, 1), rng):
            if len(rules.board) > sized(10_000, 40):
                continue
            state, game = state_behind(start), pdd.Game.new(start=state_behind(start))
            while not state.is_over:
                action = state.legal_actions.sample(rng)
                state, game = state.apply_unchecked(action), game.play(action)
            actions = list(game.actions)
            records += [game, recorded(game.start, actions[: rng.randrange(len(actions) + 1)])]
            records += [spoilt(game.start, actions, rng) for _ in range(sized(6, 2))]
    rng.shuffle(records)
    places = require_replayed(records)
    assert places.count(NONE) > len(places) / 6
    assert max(places) > 10


@share(sized(100, 8) / 100)
@given(strategies.games(ANY_RULES), st.data())
def test_attempts_in_records(game: pdd.Game, data: st.DataObject) -> None:
    records: list[Record | pdd.Game] = []
    states = [*game.states()]
    for _ in range(4):
        place = data.draw(st.integers(0, len(states) - 1))
        tried = data.draw(attempts(states[place]))
        if not isinstance(tried, pdd.PlaceTile):
            before, after = game.actions[:place], game.actions[place:]
            records += [recorded(states[0], [*before, tried, *after])]
            records += [recorded(states[place], [tried, *after])]
    require_replayed(records)


def test_endings_are_not_held_against_the_board() -> None:
    rules = pdd.Rules(pdd.Board(4, 4))
    game = pdd.Game.new(rules).play("a1,b1").play("red")
    resigned = game.end(pdd.Ending.RESIGNATION, pdd.Seat.FIRST)
    declared = evolve(recorded(game.start, list(game.actions)), result="white")
    found = replay([game, resigned, declared])
    assert found.illegal_at.tolist() == found.winner.tolist() == [NONE] * 3
    assert not found.is_over.any()


def test_variations_are_left_out() -> None:
    game = pdd.Game.new(pdd.Rules(pdd.Board(4, 4))).play("a1,b1").play("red").play("a3,b3")
    assert require_replayed([game.with_variation((0,), ["a1,c1", "white"]), game]) == [NONE] * 2


@pytest.mark.parametrize("none", [[], (), iter([])])
def test_no_records_at_all(none: Iterable[pdd.Game]) -> None:
    found = replay(none)
    assert found.points.shape == (0, 2)
    assert found.winner.shape == found.is_over.shape == found.illegal_at.shape == (0,)
    kinds = [each.dtype for each in (found.points, found.winner, found.is_over)]
    assert kinds == [np.int32, np.int8, np.bool_]


def test_records_without_actions_and_those_that_begin_at_the_end() -> None:
    assert require_replayed([pdd.Game.new(rules) for rules in ODD_RULES]) == [NONE] * 4
    over = visited(FOUR_BY_TWO, Random(3))[-1]
    assert isinstance(over, pdd.GameState)
    records = [recorded(over, actions) for actions in ([], [pdd.Pass()], [pdd.Pass(), pdd.Pass()])]
    assert require_replayed([*records]) == [NONE, 0, 0]


def test_archives_are_read_as_they_come() -> None:
    head = '[Rules "{} tiles=unlimited bridges=unlimited tiebreaks=none"]\n'
    text = f"{head.format('5x5')}1. a1,b2 red 2. c3,d4 *\n\n"
    text += f"{head.format('4x4')}1. a1,b2 red 2. b2,d4 *\n"
    read = pdd.records.iter_records(text.splitlines(keepends=True))
    found = replay(record for record in read if isinstance(record, Record))
    assert found.illegal_at.tolist() == [NONE, 2]
    games = list(pdd.records.iter_games(text.replace(" 2. b2,d4", "").splitlines(keepends=True)))
    assert replay(chain(games, games)).illegal_at.tolist() == [NONE] * 4
