"""Properties of the rules in every reachable state: steps, and equal states."""

from __future__ import annotations

import pytest
from hypothesis import assume, given

import pontedeldiavolo as pdd
from pontedeldiavolo.testing import strategies
from pontedeldiavolo.testing.strategies import half_turns, states
from support.checks import assert_same_legality
from support.diagrams import WHITE

# Applying an action


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


# Updated, and recomputed


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
