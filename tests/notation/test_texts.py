"""Texts of cells, actions, rules, states and half turns: reading and writing."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from string import ascii_lowercase
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import Board, BuildBridge, Cell, Color, GameState, PlaceTiles, Rules, Tiebreak
from pontedeldiavolo.testing.strategies import boards, positions, setups
from support.checks import error_of
from support.diagrams import cells, state_of
from support.strategies import any_actions
from support.strategies import cells as cells_of

Parser = Callable[[str], object]
Writer = Callable[[Any], str]

A1, B1, A2, B2, C2, D4 = cells("a1 b1 a2 b2 c2 d4")
WHITE = "10x10 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"
INITIAL = f"brettspielnetz rows={'/'.join(['12'] * 12)} built=- phase=opening to-move=white white=-"

# Each case: a value, its text, and other texts for it.
COMMON = [
    (BuildBridge(A1, C2), "a1-c2", "c2-a1", "C2 - a1"),
    (pdd.ChooseColor(Color.WHITE), "white", "WHITE "),
    (pdd.ChooseColor(Color.RED), "red", " Red"),
    (pdd.Pass(), "pass", "pASS\n"),
]
ACTIONS = [
    (PlaceTiles(A1, B2), "a1,b2", "b2,a1", "A1,B2", " a1 , b2 ", "\ta1,\n\r\nb2\n"),
    (PlaceTiles(B1, A2), "b1,a2", "a2,b1"),
    (PlaceTiles(A1, Cell(63, 63)), "a1,bl64", "bl64,a1"),
]
SUPPLIES = "{} tiles={} bridges={} tiebreaks={}".format
RULES = [
    (Rules(), WHITE, " Board_Game_Arena\n", "10x10", "\t10X10 \r\n"),
    (Rules(tiles_per_color=40, bridges=15), SUPPLIES("10x10", 40, 15, "islands,bridges")),
    (Rules(Board(1, 64), 0, 0, ()), SUPPLIES("1x64", 0, 0, "none")),
    (Rules(Board(7, 5), 3, None, (Tiebreak.BRIDGES,)), SUPPLIES("7x5", 3, "unlimited", "bridges")),
    (
        Rules(Board(3, 3), 10**9, 1, (Tiebreak.BRIDGES, Tiebreak.ISLANDS)),
        SUPPLIES("3x3", 10**9, 1, "bridges,islands"),
    ),
    *(
        (Rules(tiles_per_color=many, bridges=many), WHITE.replace("unlimited", f"{many}"))
        for many in (10**10, 10**12, 10**15)
    ),
]
FREE = "tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"
STATES = [
    (
        GameState.initial(Rules(Board(3, 2), 4, 2, ())),
        "3x2 tiles=4 bridges=2 tiebreaks=none rows=3/3 built=- phase=opening to-move=white white=-",
    ),
    (
        state_of("2 w . r\n1 . . .", Color.RED, white_owner=pdd.Seat.SECOND),
        f"3x2 {FREE} rows=w1r/3 built=- phase=play to-move=red white=second",
    ),
    (
        state_of("3 w . w\n2 . . .\n1 r . r\nbridges a3-c3 a1-c1"),
        f"3x3 {FREE} rows=w1w/3/r1r built=a1-c1,a3-c3 phase=play to-move=white white=first",
    ),
    (
        state_of("w . w", phase=pdd.Phase.COLOR_CHOICE),
        f"3x1 {FREE} rows=w1w built=- phase=color-choice to-move=- white=-",
    ),
    (
        state_of("w r w r", phase=pdd.Phase.OVER),
        f"4x1 {FREE} rows=wrwr built=- phase=over to-move=- white=first",
    ),
    (
        state_of("w r w r", Color.RED, phase=pdd.Phase.LAST_TURN),
        f"4x1 {FREE} rows=wrwr built=- phase=last-turn to-move=red white=first",
    ),
]
READ: list[tuple[Parser, Writer, list[tuple[Any, ...]]]] = [
    (pdd.parse_cell, str, [(D4, "d4"), (Cell(63, 63), "bl64")]),
    (pdd.parse_action, pdd.format_action, [*COMMON, *ACTIONS]),
    (pdd.parse_step, pdd.format_action, [*COMMON, (pdd.PlaceTile(D4), "d4")]),
    (pdd.parse_rules, pdd.format_rules, RULES),
    (pdd.parse_state, pdd.format_state, STATES),
]


@pytest.mark.parametrize(
    ("parse", "write", "row"), [(parse, write, row) for parse, write, rows in READ for row in rows]
)
def test_read_and_written(parse: Parser, write: Writer, row: tuple[Any, ...]) -> None:
    value, text, *others = row
    assert write(value) == text
    upper = text.upper()
    for each in (text, f" \t{upper}\r\n", upper.replace(" ", " \t\n "), *others):
        assert parse(each) == value


def test_states_in_other_words() -> None:
    assert pdd.parse_state(INITIAL) == GameState.initial(pdd.presets.BRETTSPIELNETZ)
    state, text = STATES[2]
    assert pdd.parse_state(text.replace("a1-c1,a3-c3", "c3-a3,C1-a1")) == state


def test_the_names_of_all_columns_and_rows() -> None:
    pairs = map("".join, product(ascii_lowercase, repeat=2))
    names = [*ascii_lowercase, *pairs][: Board.MAX_SIDE]
    assert names[-1] == "bl"
    for place, name in enumerate(names):
        for cell, text in ((Cell(place, 0), f"{name}1"), (Cell(0, place), f"a{place + 1}")):
            assert str(cell) == text
            assert pdd.parse_cell(text) == cell


@given(st.data())
def test_every_step_comes_back_and_actions_that_are_steps_read_alike(data: st.DataObject) -> None:
    board = data.draw(boards())
    tile = pdd.PlaceTile(data.draw(cells_of(board, beyond=50)))
    assert pdd.parse_step(pdd.format_action(tile)) == tile
    assert pdd.parse_cell(str(tile.cell)) == tile.cell
    action = data.draw(any_actions(board))
    text = pdd.format_action(action)
    assert pdd.parse_action(text) == pdd.parse_action(f"\t {text.upper()}\n") == action
    if isinstance(action, PlaceTiles):
        with pytest.raises(pdd.NotationError):
            pdd.parse_step(text)
    else:
        assert pdd.parse_step(text) == pdd.parse_action(text) == action


@given(setups() | positions().map(pdd.Position.setup))
def test_set_ups_survive_as_text_and_are_positions_or_have_violations(setup: pdd.Setup) -> None:
    text = pdd.format_setup(setup)
    assert pdd.parse_setup(text) == setup
    assert pdd.format_setup(pdd.parse_setup(text)) == text
    if faults := setup.violations():
        assert error_of(pdd.InvalidPositionError, setup.position).violations == faults
    else:
        assert setup.position().setup() == setup
