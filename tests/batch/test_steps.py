"""Steps of a batch, legal and illegal, held against the core."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch
from pontedeldiavolo.testing.strategies import TIEBREAKS, positions, states
from support.batch_rows import (
    ANY_RULES,
    BRIDGES_AROUND,
    ODD_RULES,
    RULES,
    few_turns_left,
    mixed,
    slow_beyond,
)
from support.batches import (
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
)
from support.diagrams import state_of
from support.strategies import share

STEPS = 1_000_000 if settings().max_examples > 1_000 else 20_000
"""The number of steps of single games that all tests of all rules compare together."""


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
            rows = [
                row if row.is_over else row.step(space.decode(code))
                for row, code in zip(rows, codes, strict=True)
            ]
        require_equal_rows(games, rows)
        require_equal_values(games, rows)


def with_half_turns(state: pdd.GameState) -> list[Row]:
    """Return a state, and its half turns with the first, middle and last tile."""
    firsts = tuple(state.legal_actions.first_tiles)
    some = {firsts[0], firsts[len(firsts) // 2], firsts[-1]} if firsts else set()
    return [state, *(pdd.HalfTurn(state, cell) for cell in sorted(some))]


def require_agreement(rows: list[Row]) -> None:
    """Require that a batch made of these rows says what the core says, and holds the same."""
    games = GameBatch.from_states(rows)
    require_equal_rows(games, rows)
    require_equal_values(games, rows)


@share(sized(100, 8) / 100)
@given(states(ANY_RULES))
def test_states_that_play_reaches(state: pdd.GameState) -> None:
    require_agreement(with_half_turns(state))


def fitting(rules: pdd.Rules, position: pdd.Position) -> Iterator[pdd.GameState]:
    """Return every state with this position that is not refused."""
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
    rules = pdd.Rules(
        position.board,
        data.draw(st.none() | st.integers(tiles, tiles + 3)),
        data.draw(st.none() | st.integers(bridges, bridges + 1)),
        data.draw(st.sampled_from(TIEBREAKS)),
    )
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
    """Return a state with the same pieces in another place of a larger board."""

    def moved(cell: pdd.Cell) -> pdd.Cell:
        return pdd.Cell(cell.column + columns, cell.row + rows)

    white, red = (list(map(moved, state.position.tiles(color))) for color in pdd.Color)
    bridges = [
        pdd.Bridge(*map(moved, bridge.ends))
        for color in pdd.Color
        for bridge in state.position.bridges(color)
    ]
    position = pdd.Position.from_pieces(board, white, red, bridges)
    return pdd.GameState.from_position(position, to_move=state.to_move)


@pytest.mark.parametrize("name", PATTERNS)
def test_patterns_are_the_same_in_every_place_of_a_wide_board(name: str) -> None:
    state, board = PATTERNS[name], pdd.Board(64, sized(9, 5))
    # Around the border of the two words of a row, and at both ends.
    middle = range(20, 41) if sized(1, 0) else range(29, 32, 2)
    rows: list[Row] = []
    for symmetry in pdd.symmetries(state.rules.board)[:: sized(1, 3)]:
        for place in (0, *middle, *range(sized(56, 59), 60)):
            there = shifted(state.transform(symmetry), board, place, (board.height - 5) // 2)
            near = [
                cell for cell in there.legal_actions.first_tiles if -2 < cell.column - place < 6
            ]
            rows += [there, *(pdd.HalfTurn(there, cell) for cell in near[:: sized(7, 100)])]
    require_equal_rows(GameBatch.from_states(rows), rows)


STRICT_RULES = [
    pdd.Rules(pdd.Board(3, 3)),
    pdd.Rules(pdd.Board(4, 4)),
    pdd.Rules(pdd.Board(5, 3), tiles_per_color=5, bridges=1),
    pdd.Rules(pdd.Board(1, 1)),
    pdd.Rules(pdd.Board(6, 5)),
    pdd.Rules(pdd.Board(34, 2)),
]


def of_every_kind(rules: pdd.Rules, number: int, rng: Random) -> list[Row]:
    """Return rows of random games, among them one of each phase and kind that there is."""
    rows = [row for _ in range(6) for row in visited(rules, rng)]
    rng.shuffle(rows)
    kinds = {(type(row), state_behind(row).phase): row for row in rows}
    return [*kinds.values(), *rows[: max(0, number - len(kinds))]]


def require_refusals(rows: list[Row]) -> None:
    """Require of each of these rows that exactly its illegal steps are refused, and rightly."""
    space = pdd.StepSpace(rows[0].rules.board)
    over = visited(rows[0].rules, Random(1))[-1]
    for row in rows:
        mask = space.mask(row)
        # A finished game costs nothing to step, and lets the other row be number one.
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
    require_refusals(of_every_kind(rules, sized(16, 0), Random(pdd.format_rules(rules))))


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
    over, start = visited(rules, Random(1))[-1], pdd.GameState.initial(rules)
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
            actions: list[pdd.Action] = [
                pdd.PlaceTiles(row.first, cell) for cell in row.second_tiles
            ]
        else:
            actions = list(row.legal_actions)
        states = [state_behind(row).apply(action) for action in actions]
        assert [spaces[1].decode(code) for code in codes] == actions
        assert after.states() == tuple(states)


def test_numpy_generators_sample_legal_actions() -> None:
    rng, state = np.random.default_rng(1), pdd.GameState.initial(pdd.Rules(pdd.Board(3, 2)))
    seen = {*state.legal_actions}
    for legal in (state.legal_actions, state.legal_actions.pairs):
        assert {legal.sample(rng) for _ in range(300)} == seen
    assert {state.legal_steps.sample(rng) for _ in range(100)} == {*state.legal_steps}
