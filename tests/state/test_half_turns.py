"""A half turn answers what its state answers, and what can be done with the second tile."""

from __future__ import annotations

import copy
import pickle

import attrs
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import Color, GameState, HalfTurn, PlaceTile, Seat
from support.strategies import states


@given(states(), st.data())
def test_a_half_turn_answers_what_its_state_answers(state: GameState, data: st.DataObject) -> None:
    firsts = list(state.legal_actions.first_tiles)
    assume(firsts)
    half = state.step(PlaceTile(data.draw(st.sampled_from(firsts))))
    for name in ("rules", "position", "phase", "to_move", "seat_to_move", "turn", "bridges_left"):
        assert getattr(half, name) == getattr(state, name), name
    for color in Color:
        assert half.owner(color) is state.owner(color)
        assert half.tiles_left(color) == state.tiles_left(color)
        assert half.score(color) == state.score(color)
    for seat in Seat:
        assert half.color_of(seat) is state.color_of(seat)
    assert half.is_over is False
    assert half.outcome is None
    assert {step.cell for step in half.legal_steps if isinstance(step, PlaceTile)} == set(
        half.second_tiles
    )


def test_a_half_turn_is_a_value_of_two_parts() -> None:
    state = GameState.initial()
    half = state.step(PlaceTile(pdd.parse_cell("d4")))
    same = HalfTurn(state, pdd.parse_cell("d4"))
    other = attrs.evolve(half, first=pdd.parse_cell("e5"))
    assert half == same != other
    assert hash(half) == hash(same)
    assert other.first == pdd.parse_cell("e5")
    assert other.second_tiles != half.second_tiles
    assert pickle.loads(pickle.dumps(half)) == copy.deepcopy(half) == half
    match half:
        case HalfTurn(found, first):
            assert (found, first) == (state, half.first)
    assert repr(half).startswith("HalfTurn(state=<GameState opening, white to move:")
    with pytest.raises(AttributeError):
        half.phase = pdd.Phase.OVER  # type: ignore[misc]
