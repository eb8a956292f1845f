"""Properties of the rules in every reachable state: steps, and equal states."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.testing import strategies
from pontedeldiavolo.testing.strategies import half_turns, states
from support.checks import assert_same_legality
from support.diagrams import WHITE
from support.strategies import cells

# Applying an action


@given(strategies.games())
def test_the_old_state_stays_as_it_was(play: pdd.Game) -> None:
    states = [*play.states()]
    texts = [pdd.format_state(state) for state in states]
    lengths = [len(state.legal_actions) for state in states]
    again = pdd.GameState.initial(play.state.rules)
    for action, after in zip(play.actions, states[1:], strict=True):
        before, text = again, pdd.format_state(again)
        again = before.apply(action)
        assert again == after
        assert before != again
        assert pdd.format_state(before) == text
        assert before.apply_unchecked(action) == after
    assert [pdd.format_state(state) for state in states] == texts
    assert [len(state.legal_actions) for state in states] == lengths


@given(states(), st.data())
def test_a_pair_in_two_steps_in_either_order(state: pdd.GameState, data: st.DataObject) -> None:
    legal = state.legal_actions
    assume(legal.pairs)
    pair = data.draw(st.integers(0, len(legal.pairs) - 1).map(legal.pairs.__getitem__))
    after = state.apply(pair)
    for first, second in (pair.cells, pair.cells[::-1]):
        assert pdd.PlaceTiles(first, second) == pair
        half = state.step(pdd.PlaceTile(first))
        assert isinstance(half, pdd.HalfTurn)
        assert (half.state, half.first, half.is_over) == (state, first, False)
        assert (half.to_move, half.seat_to_move) == (state.to_move, state.seat_to_move)
        assert half.step(pdd.PlaceTile(second)) == after


@given(half_turns())
def test_a_half_turn_answers_what_its_state_answers(half: pdd.HalfTurn) -> None:
    state = half.state
    for name in ("rules", "position", "phase", "to_move", "seat_to_move", "turn", "bridges_left"):
        assert getattr(half, name) == getattr(state, name), name
    for color in pdd.Color:
        assert half.owner(color) is state.owner(color)
        assert half.tiles_left(color) == state.tiles_left(color)
        assert half.score(color) == state.score(color)
    for seat in pdd.Seat:
        assert half.color_of(seat) is state.color_of(seat)
    assert half.is_over is False
    assert half.outcome is None
    assert {step.cell for step in half.legal_steps if isinstance(step, pdd.PlaceTile)} == set(
        half.second_tiles
    )


@given(states())
def test_every_first_step_has_a_partner(state: pdd.GameState) -> None:
    for step in state.legal_steps:
        then = state.step(step)
        if isinstance(step, pdd.PlaceTile):
            assert isinstance(then, pdd.HalfTurn)
            assert then.second_tiles
            assert then.second_tiles == state.legal_actions.second_tiles(step.cell)
            assert list(then.legal_steps) == [pdd.PlaceTile(cell) for cell in then.second_tiles]
        else:
            assert then == state.apply(step)


@given(states(), st.data())
def test_a_cell_without_partner_is_refused_as_a_first_step(
    state: pdd.GameState, data: st.DataObject
) -> None:
    step = pdd.PlaceTile(data.draw(cells(state.rules.board)))
    assume(step not in state.legal_steps)
    with pytest.raises(pdd.IllegalActionError) as caught:
        state.step(step)
    assert caught.value.violations == state.violations(step) != ()


# Updated, and recomputed


@given(states())
def test_a_state_is_what_its_pieces_make(state: pdd.GameState) -> None:
    setup = state.position.setup()
    position = pdd.Position.from_pieces(
        state.rules.board,
        # From the last cell back: no order in which the pieces come may matter.
        reversed(setup.white),
        reversed(setup.red),
        reversed(setup.bridges),
    )
    assert position == state.position
    again = pdd.GameState.from_position(
        position,
        rules=state.rules,
        to_move=state.to_move,
        white_owner=state.owner(WHITE),
        phase=state.phase,
    )
    assert again == state
    assert hash(again) == hash(state)
    assert again.turn == state.turn
    assert again.outcome == state.outcome
    assert_same_legality(again, state)


@given(strategies.games())
def test_transpositions_are_equal(play: pdd.Game) -> None:
    # White's first two pairs change places. No bridge can stand before white's second turn, and
    # what is legal with more tiles down is legal with fewer.
    assume(len(play.actions) > 3)
    opening, choice, reply, second, *rest = play.actions
    assume(all(isinstance(each, pdd.PlaceTiles) for each in (opening, reply, second)))
    state = pdd.GameState.initial(play.state.rules)
    for action in (second, choice, reply, opening, *rest):
        state = state.apply(action)
    assert state == play.state
    assert hash(state) == hash(play.state)
    assert state.position == play.state.position
    assert pdd.format_state(state) == pdd.format_state(play.state)
    assert_same_legality(state, play.state)


@given(states())
def test_with_to_move(state: pdd.GameState) -> None:
    for color in pdd.Color:
        if state.phase not in (pdd.Phase.PLAY, pdd.Phase.LAST_TURN):
            with pytest.raises(pdd.InvalidPositionError):
                state.with_to_move(color)
            continue
        other = state.with_to_move(color)
        assert (other.phase, other.to_move) == (pdd.Phase.PLAY, color)
        assert (other.rules, other.position) == (state.rules, state.position)
        assert other.owner(WHITE) == state.owner(WHITE)
        assert (other == state) is (state.phase is other.phase and state.to_move is color)
        assert_same_legality(
            other,
            pdd.GameState.from_position(
                state.position, rules=state.rules, to_move=color, white_owner=state.owner(WHITE)
            ),
        )
