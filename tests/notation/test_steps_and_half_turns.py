"""Texts of steps and of half turns: what is read, written and refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import BuildBridge, GameState, NotationError, PlaceTile
from support.strategies import actions, boards, cells, small_states

D4, A1, C2 = map(pdd.parse_cell, ("d4", "a1", "c2"))

STEPS: dict[str, pdd.Step] = {
    "d4": PlaceTile(D4),
    "a1-c2": BuildBridge(A1, C2),
    "white": pdd.ChooseColor(pdd.Color.WHITE),
    "red": pdd.ChooseColor(pdd.Color.RED),
    "pass": pdd.Pass(),
}


@pytest.mark.parametrize("text", STEPS)
def test_steps(text: str) -> None:
    assert pdd.parse_step(text) == STEPS[text]
    assert pdd.format_step(STEPS[text]) == text
    assert pdd.parse_step(f"\n {text.upper()}\t") == STEPS[text]


def test_bridges_in_either_order_with_blanks() -> None:
    assert pdd.parse_step("c2 - a1") == STEPS["a1-c2"]


@given(st.data())
def test_every_step_comes_back_and_actions_that_are_steps_read_alike(data: st.DataObject) -> None:
    board = data.draw(boards())
    tile = PlaceTile(data.draw(cells(board)))
    assert pdd.parse_step(pdd.format_step(tile)) == tile
    action = data.draw(actions(board))
    text = pdd.format_action(action)
    if isinstance(action, pdd.PlaceTiles):
        with pytest.raises(NotationError):
            pdd.parse_step(text)
    else:
        assert pdd.parse_step(text) == pdd.parse_action(text) == action
        assert pdd.format_step(action) == text


@pytest.mark.parametrize(
    ("text", "offset", "expected"),
    [
        ("", 0, "a cell, 'white', 'red' or 'pass'"),
        ("whiter", 0, "a cell, 'white', 'red' or 'pass'"),
        ("d4,e5", 2, "the end"),
        ("d4 x", 3, "the end"),
        ("pass d4", 5, "the end"),
        ("a1-", 3, "a cell such as 'c4'"),
        ("a0", 1, "a row from 1 to 64"),
        ("zz1", 0, "a column from a to bl"),
    ],
)
def test_what_is_no_step(text: str, offset: int, expected: str) -> None:
    with pytest.raises(NotationError) as caught:
        pdd.parse_step(text)
    assert (caught.value.offset, caught.value.expected) == (offset, expected)


SMALL = GameState.initial(pdd.Rules(pdd.Board(3, 2)))
TEXT = pdd.format_state(SMALL)


@given(small_states())
def test_half_turns_and_states_come_back_as_nodes(state: GameState) -> None:
    assert pdd.parse_node(pdd.format_state(state)) == state
    for cell in state.legal_actions.first_tiles:
        half = state.step(PlaceTile(cell))
        text = pdd.format_half_turn(half)
        assert text == f"{pdd.format_state(state)} first={cell}"
        assert pdd.parse_half_turn(text) == pdd.parse_node(text) == half
        assert pdd.parse_half_turn(f" {text.upper()}\n") == half


@pytest.mark.parametrize(
    ("text", "offset", "expected"),
    [
        (TEXT, len(TEXT), "a blank and then 'first='"),
        (TEXT + " ", len(TEXT) + 1, "'first='"),
        (TEXT + " first=", len(TEXT) + 7, "a cell such as 'c4'"),
        (TEXT + " first=a1 b1", len(TEXT) + 10, "the end"),
        (TEXT + " second=a1", len(TEXT) + 1, "'first='"),
    ],
)
def test_what_is_no_half_turn(text: str, offset: int, expected: str) -> None:
    with pytest.raises(NotationError) as caught:
        pdd.parse_half_turn(text)
    assert (caught.value.offset, caught.value.expected) == (offset, expected)
    if text.strip() != TEXT:
        with pytest.raises(NotationError) as caught:
            pdd.parse_node(text)
        assert (caught.value.offset, caught.value.expected) == (offset, expected)


def test_nodes_that_the_rules_refuse() -> None:
    with pytest.raises(pdd.IllegalActionError, match="Off the 3×2 board: d1"):
        pdd.parse_half_turn(TEXT + " first=d1")
    with pytest.raises(pdd.IllegalActionError, match="Off the 3×2 board: d1"):
        pdd.parse_node(TEXT + " first=d1")
    occupied = TEXT.replace("rows=3/3", "rows=3/w2")
    for read in (pdd.parse_node, pdd.parse_state):
        with pytest.raises(pdd.InvalidPositionError, match="The opening is played on an empty"):
            read(occupied)
    # A text that is wrong as a text is refused as one, whatever it says of the position.
    with pytest.raises(NotationError):
        pdd.parse_node(occupied + " first=")
    with pytest.raises(NotationError):
        pdd.parse_state(occupied + " first=a1")
