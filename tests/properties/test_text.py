"""What the rules promise in every state that play can reach: values as text."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from support.checks import assert_same_legality
from support.strategies import actions, boards, cells, positions, rules, setups, states


@given(boards(), st.data())
def test_actions_as_text(board: pdd.Board, data: st.DataObject) -> None:
    action = data.draw(actions(board))
    text = pdd.format_action(action)
    assert pdd.parse_action(text) == action
    assert pdd.parse_action(f"\t {text.upper()}\n") == action
    if isinstance(action, pdd.PlaceTiles | pdd.BuildBridge):
        separator = "," if isinstance(action, pdd.PlaceTiles) else "-"
        assert text == f"{action.a}{separator}{action.b}"
        assert pdd.parse_action(f"{action.b} {separator} {action.a}") == action


@given(boards(), st.data())
def test_cells_as_text(board: pdd.Board, data: st.DataObject) -> None:
    cell = data.draw(cells(board, beyond=50))
    assert pdd.parse_cell(pdd.format_cell(cell)) == cell
    assert str(cell) == pdd.format_cell(cell)


@given(rules())
def test_rules_as_text(drawn: pdd.Rules) -> None:
    assert pdd.parse_rules(pdd.format_rules(drawn)) == drawn


@given(states())
def test_states_as_text(state: pdd.GameState) -> None:
    text = pdd.format_state(state)
    assert "\n" not in text
    again = pdd.parse_state(text)
    assert again == state
    assert pdd.format_state(again) == text
    assert pdd.parse_state(text.upper()) == state
    assert_same_legality(again, state)


@given(states(), st.data())
def test_unequal_states_have_unequal_texts(state: pdd.GameState, data: st.DataObject) -> None:
    assume(not state.is_over)
    legal = state.legal_actions
    first, second = (
        state.apply(legal[data.draw(st.integers(0, len(legal) - 1))]) for _ in range(2)
    )
    assert (first == second) is (pdd.format_state(first) == pdd.format_state(second))


@given(setups())
def test_setups_as_text(setup: pdd.Setup) -> None:
    text = pdd.format_setup(setup)
    assert pdd.parse_setup(text) == setup
    assert pdd.format_setup(pdd.parse_setup(text)) == text


@given(positions())
def test_positions_as_setups(position: pdd.Position) -> None:
    setup = position.setup()
    assert setup.faults() == ()
    assert setup.position() == position
    assert pdd.parse_setup(pdd.format_setup(setup)).position() == position


@given(setups())
def test_a_setup_is_a_position_or_says_why_not(setup: pdd.Setup) -> None:
    faults = setup.faults()
    if faults:
        with pytest.raises(pdd.InvalidPositionError) as caught:
            setup.position()
        assert caught.value.faults == faults
    else:
        assert setup.position().setup() == setup
