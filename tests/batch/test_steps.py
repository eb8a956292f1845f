"""Legal and illegal steps of a batch, and replays of records, compared with the core."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, product
from random import Random

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch, replay
from pontedeldiavolo.records import Record
from pontedeldiavolo.testing import strategies
from pontedeldiavolo.testing.strategies import TIEBREAKS, positions, states
from support.batch_rows import (
    ANY_RULES,
    BRIDGES_AROUND,
    FOUR_BY_TWO,
    ODD_RULES,
    RULES,
    few_turns_left,
    mixed,
    slow_beyond,
)
from support.batches import (
    NONE,
    Row,
    any_step,
    arrays_of,
    beginnings,
    require_equal_rows,
    require_equal_values,
    same_arrays,
    sized,
    state_behind,
    visited,
    winner_of,
)
from support.diagrams import state_of
from support.paths import DATA
from support.strategies import attempts, share

STEPS = 1_000_000 if settings().max_examples > 1_000 else 20_000
"""The number of steps that the tests of all rules compare in total."""


@pytest.mark.parametrize("rules", slow_beyond(30, RULES))
def test_every_step_is_as_in_the_core(rules: pdd.Rules) -> None:
    rng = Random(pdd.format_rules(rules))
    space = pdd.StepSpace(rules.board)
    left = sized(STEPS // len(RULES), min(10, max(2, 200 // len(rules.board))))
    while left > 0:
        rows = beginnings(rules, sized(8, 2), rng)
        games = GameBatch.from_states(rows)
        require_equal_values(games, rows)
        while left > 0 and not games.is_over.all():
            masks = require_equal_rows(games, rows)
            codes = [any_step(*row, rng) for row in zip(rows, masks, strict=True)]
            left -= sum(not row.is_over for row in rows)
            games = games.step(codes)
            pairs = zip(rows, codes, strict=True)
            rows = [row if row.is_over else row.step(space.decode(code)) for row, code in pairs]
        require_equal_rows(games, rows)
        require_equal_values(games, rows)


def with_half_turns(state: pdd.GameState) -> list[Row]:
    """Return a state, and its half turns with the first, middle and last tile."""
    firsts = tuple(state.legal_actions.first_tiles)
    some = {firsts[0], firsts[len(firsts) // 2], firsts[-1]} if firsts else set()
    return [state, *(pdd.HalfTurn(state, cell) for cell in sorted(some))]


def require_agreement(rows: list[Row]) -> None:
    """Require that a batch of these rows agrees with the core."""
    games = GameBatch.from_states(rows)
    require_equal_rows(games, rows)
    require_equal_values(games, rows)


@share(sized(100, 8) / 100)
@given(states(ANY_RULES))
def test_states_that_play_reaches(state: pdd.GameState) -> None:
    require_agreement(with_half_turns(state))


def fitting(rules: pdd.Rules, position: pdd.Position) -> Iterator[pdd.GameState]:
    """Return every valid state with this position."""
    for phase, to_move, owner in product(pdd.Phase, pdd.Color, pdd.Seat):
        try:
            yield pdd.GameState.from_position(
                position, rules=rules, to_move=to_move, white_owner=owner, phase=phase
            )
        except pdd.InvalidPositionError:
            continue


@share(sized(100, 8) / 100)
@given(positions(ANY_RULES), st.data())
def test_positions_that_no_play_reaches(position: pdd.Position, data: st.DataObject) -> None:
    tiles = max(len(position.tiles(color)) for color in pdd.Color)
    bridges = sum(len(position.bridges(color)) for color in pdd.Color)
    supply = [data.draw(st.none() | st.integers(each, each + 2)) for each in (tiles, bridges)]
    order = data.draw(st.sampled_from(TIEBREAKS))
    rules = pdd.Rules(position.board, supply[0], supply[1], order)
    found = dict.fromkeys(fitting(rules, position))
    assert found
    require_agreement([row for state in found for row in with_half_turns(state)])


TOUCHED_AFTER_ALL = """
    5 . . . . .
    4 . . . . w
    3 . w w w .
    2 . . . . .
    1 . . . . .
      a b c d e
"""
TOO_LARGE_AFTER_ALL = """
    5 . . . . .
    4 . . . w w
    3 . . w . .
    2 w w . . .
    1 . . . . .
      a b c d e
"""
PATTERNS = {
    "touched after all": state_of(TOUCHED_AFTER_ALL),
    "too large after all": state_of(TOO_LARGE_AFTER_ALL),
    "bridges around": state_of(BRIDGES_AROUND),
    "red": state_of(BRIDGES_AROUND, pdd.Color.RED),
    "random": few_turns_left(pdd.Rules(pdd.Board(5, 5)), 11).with_to_move(pdd.Color.WHITE),
}


def shifted(state: pdd.GameState, board: pdd.Board, columns: int, rows: int) -> pdd.GameState:
    """Return a state with the same pieces shifted on a larger board."""

    def moved(cell: pdd.Cell) -> pdd.Cell:
        return pdd.Cell(cell.column + columns, cell.row + rows)

    white, red = (list(map(moved, state.position.tiles(color))) for color in pdd.Color)
    built = (bridge for color in pdd.Color for bridge in state.position.bridges(color))
    bridges = [pdd.Bridge(*map(moved, bridge.ends)) for bridge in built]
    position = pdd.Position.from_pieces(board, white, red, bridges)
    return pdd.GameState.from_position(position, to_move=state.to_move)


@pytest.mark.parametrize("name", PATTERNS)
def test_patterns_are_the_same_in_every_place_of_a_wide_board(name: str) -> None:
    state = PATTERNS[name]
    board = pdd.Board(64, sized(9, 5))
    # The columns lie around the border between two words of a row, and at both ends.
    middle = range(20, 41) if sized(1, 0) else range(29, 32, 2)
    rows: list[Row] = []
    for symmetry in state.rules.board.symmetries[:: sized(1, 3)]:
        for place in (0, *middle, *range(sized(56, 59), 60)):
            there = shifted(state.transform(symmetry), board, place, (board.height - 5) // 2)
            firsts = there.legal_actions.first_tiles
            near = [cell for cell in firsts if -2 < cell.column - place < 6]
            rows += [there, *(pdd.HalfTurn(there, cell) for cell in near[:: sized(7, 100)])]
    require_equal_rows(GameBatch.from_states(rows), rows)


STRICT_RULES = [
    *(pdd.Rules(pdd.Board(*sides)) for sides in ((3, 3), (4, 4), (1, 1))),
    pdd.Rules(pdd.Board(5, 3), tiles_per_color=5, bridges=1),
    *(pdd.Rules(pdd.Board(*sides)) for sides in ((6, 5), (34, 2))),
]


def require_refusals(rows: list[Row]) -> None:
    """Require that exactly the illegal steps of each row are refused, with the right error."""
    space = pdd.StepSpace(rows[0].rules.board)
    over = visited(rows[0].rules, Random(1))[-1]
    for row in rows:
        mask = space.legal_mask(row)
        # The finished game is skipped, and makes the other row number one.
        games = GameBatch.from_states([over, row])
        arrays = tuple(each.copy() for each in arrays_of(games))
        for code in range(len(space)):
            step = space.decode(code)
            if mask[code]:
                assert games.step([0, code]).states() == (over, row.step(step))
            elif row.is_over:
                assert same_arrays(arrays_of(games.step([0, code])), arrays)
            else:
                with pytest.raises(pdd.IllegalActionError) as expected:
                    row.step(step)
                with pytest.raises(pdd.IllegalActionError) as found:
                    games.step([0, code])
                assert found.value.violations == expected.value.violations != ()
                assert str(found.value) == f"row 1: {expected.value}"
                assert (type(found.value.row), found.value.row) == (int, 1)
        assert same_arrays(arrays_of(games), arrays)


@pytest.mark.parametrize("rules", slow_beyond(9, STRICT_RULES[: sized(6, 4)]))
def test_a_step_is_refused_exactly_where_the_core_refuses_it(rules: pdd.Rules) -> None:
    require_refusals(mixed(rules, sized(16, 8)))


@pytest.mark.parametrize("name", ["no bridges", "one bridge", "too few tiles", "two tiles"])
def test_steps_beyond_the_supply_are_refused(name: str) -> None:
    supply = {"no bridges": (None, 1), "one bridge": (None, 2), "too few tiles": (9, None)}
    tiles, bridges = supply.get(name, (10, None))
    state = state_of(BRIDGES_AROUND, tiles=tiles, bridges=bridges)
    assert state.position.open_bridges(pdd.Color.WHITE)
    require_refusals([state])


def test_the_first_row_that_is_refused_is_named_and_nothing_is_played() -> None:
    games = GameBatch.initial(pdd.Rules(pdd.Board(5, 5)), 6)
    last = len(games.space) - 1
    with pytest.raises(pdd.IllegalActionError, match=r"^row 2: Passing is not allowed"):
        games.step([0, 1, last, 3, last, last - 1])
    with pytest.raises(pdd.IllegalActionError, match=r"^row 5: This cannot be done"):
        games.step([0, 1, 2, 3, 4, last - 1])
    assert games.states() == GameBatch.initial(games.rules, 6).states()
    assert games.step(range(6)).legal_mask().sum() == 6 * 24


@pytest.mark.parametrize("code", [0, 1, -1, 10**9, 2**63 - 1, -(2**63)])
def test_finished_games_ignore_every_code(code: int) -> None:
    rules = pdd.Rules(pdd.Board(2, 2))
    over = visited(rules, Random(1))[-1]
    start = pdd.GameState.initial(rules)
    games = GameBatch.from_states([over, start, over])
    after = games.step([code, 3, code])
    assert after.states() == (over, start.step(pdd.PlaceTile(pdd.Cell(1, 1))), over)
    assert same_arrays(arrays_of(after.take([0, 2])), arrays_of(games.take([0, 2])))
    assert GameBatch.from_states([over]).step([code]).states() == (over,)


@pytest.mark.parametrize("rules", ODD_RULES, ids=pdd.format_rules)
def test_children_are_those_of_the_core(rules: pdd.Rules) -> None:
    rows = [row for row in mixed(rules, sized(30, 8)) if len(row.legal_steps) < sized(60, 15)]
    spaces = pdd.StepSpace(rules.board), pdd.ActionSpace(rules.board)
    games = GameBatch.from_states(rows)
    for place, row in enumerate(rows):
        codes, after = games.children(place - len(rows))
        assert [spaces[0].decode(code) for code in codes] == list(row.legal_steps)
        assert after.states() == tuple(row.step(step) for step in row.legal_steps)
        codes, after = games.children(place, actions=True)
        if isinstance(row, pdd.HalfTurn):
            whole: list[pdd.Action] = [
                pdd.PlaceTiles(row.placed_tile, cell) for cell in row.second_tiles
            ]
        else:
            whole = list(row.legal_actions)
        states = [state_behind(row).apply(action) for action in whole]
        assert [spaces[1].decode(code) for code in codes] == whole
        assert after.states() == tuple(states)


def test_numpy_generators_sample_legal_actions() -> None:
    rng = np.random.default_rng(1)
    state = pdd.GameState.initial(pdd.Rules(pdd.Board(3, 2)))
    seen = {*state.legal_actions}
    for legal in (state.legal_actions, state.legal_actions.pairs):
        assert {legal.sample(rng) for _ in range(300)} == seen
    assert {state.legal_steps.sample(rng) for _ in range(100)} == {*state.legal_steps}


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
    points = [[state.score(color).points for color in pdd.Color] for state, _ in expected]
    assert found.points.tolist() == points
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
    """Return a random action, on the board or off it, which is probably illegal."""
    cells = [
        *rng.sample(board.cells, min(3, len(board))),
        # Careless numbering would place this cell one row up or after the last cell.
        pdd.Cell(board.width, 0),
        pdd.Cell(board.width + 2, 0),
        pdd.Cell(0, board.height),
        pdd.Cell(10**9, 10**9),
    ]
    actions: list[pdd.Action] = [pdd.Pass(), *map(pdd.ChooseColor, pdd.Color)]
    actions += [pdd.PlaceTiles(cells[0], cells[0]), pdd.BuildBridge(cells[0], cells[0])]
    actions += [shape(*rng.sample(cells, 2)) for shape in (pdd.PlaceTiles, pdd.BuildBridge)]
    actions += [pdd.PlaceTiles(*pair) for pair in combinations(cells[:3], 2)]
    bridges = rng.sample(board.bridges, min(2, len(board.bridges)))
    actions += [pdd.BuildBridge(*each.ends) for each in bridges]
    return rng.choice(actions)


def spoilt(start: pdd.GameState, actions: list[pdd.Action], rng: Random) -> Record:
    """Return a record with an action replaced, added, removed or moved."""
    board = start.rules.board
    place = rng.randrange(len(actions) + 1)
    odd = odd_action(board, rng)
    other = rng.choice([*actions, odd])
    before = actions[:place]
    after = actions[place:]
    changed = [[*before, odd, *after[1:]], [*before, odd, *after], [*before, other, *after]]
    changed += [[*before, *after[1:]], [*actions, odd, odd], [*after, *before]]
    return recorded(start, rng.choice(changed))


@pytest.mark.slow
def test_games_of_all_rules_in_one_call() -> None:
    rng = Random(8)
    records: list[Record | pdd.Game] = []
    for rules in RULES[:: sized(1, 5)]:
        for start in beginnings(rules, sized(2, 1), rng):
            if len(rules.board) > sized(10_000, 40):
                continue
            state = state_behind(start)
            game = pdd.Game.new(start=state_behind(start))
            while not state.is_over:
                action = state.legal_actions.sample(rng)
                state = state.apply_unchecked(action)
                game = game.play(action)
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
            before = game.actions[:place]
            after = game.actions[place:]
            records += [recorded(states[0], [*before, tried, *after])]
            records += [recorded(states[place], [tried, *after])]
    require_replayed(records)


def test_endings_are_not_checked_against_the_board() -> None:
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
