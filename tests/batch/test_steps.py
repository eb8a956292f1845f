"""What a batch does, held against the core step by step."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch
from support.batch_rows import BOARDS, BRIDGES_AROUND, RULES, few_turns_left
from support.batches import (
    Row,
    any_step,
    beginnings,
    require_equal_rows,
    require_equal_values,
    sized,
)
from support.diagrams import state_of
from support.strategies import TIEBREAKS, positions, share, states

STEPS = 1_000_000 if settings().max_examples > 1_000 else 20_000
"""So many steps of single games are compared, all tests of all rules together."""


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(
            each,
            id=pdd.format_rules(each),
            marks=[pytest.mark.slow] if len(each.board) > 30 else [],
        )
        for each in RULES
    ],
)
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
@given(states(BOARDS))
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
@given(positions(BOARDS), st.data())
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
def test_what_holds_in_one_place_of_a_wide_board_holds_in_every_place(name: str) -> None:
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
