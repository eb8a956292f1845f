"""Properties of the rules in every reachable state: games and records."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given

import pontedeldiavolo as pdd
from support.strategies import SMALL_RULES, games


@given(games())
def test_the_turns_of_a_game(game: pdd.Game) -> None:
    states_ = list(game.states())
    assert states_[0] == pdd.GameState.initial(game.rules)
    assert states_[-1] == game.state
    assert len(states_) == len(game.actions) + 1
    assert [turn.action for turn in game.turns] == list(game.actions)
    for turn, (before, after) in zip(game.turns, pairwise(states_), strict=True):
        assert turn.number == after.turn
        assert turn.seat is before.seat_to_move
        assert turn.color is before.to_move
        assert before.apply(turn.action) == after


@given(games(SMALL_RULES))
def test_the_result_names_the_winner(game: pdd.Game) -> None:
    seat = game.winning_seat
    if game.ending is None:
        assert (game.result, seat) == ("*", None)
    elif seat is None:
        assert game.result == "draw"
    else:
        color = game.state.color_of(seat)
        assert game.result == (seat.value if color is None else color.value)
    if game.ending is not None:
        with pytest.raises(pdd.IllegalActionError):
            game.play("pass")
        with pytest.raises(pdd.IllegalActionError):
            game.end(pdd.Ending.AGREEMENT)
