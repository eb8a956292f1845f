"""The player with learned weights rates the board after an action, the same for all symmetries."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import GameState, Phase, PlaceTiles
from pontedeldiavolo.players.pattern_player import Rating, features, learned_weights, patterns
from support.games import random_game

STATES = [
    state
    for seed in range(3)
    for state in random_game("8x8", seed).states()
    if state.phase is Phase.PLAY
]
FEW_TURNS = 5
"""Number of turns after which nobody can have two islands."""


def rate(state: GameState, action: pdd.Action) -> float:
    """Return the rating of an action, slowly."""
    weights, pieces, color = learned_weights(), state._pieces, state.to_move
    assert color is not None
    filled = pieces.occupied.bit_count() / len(state.rules.board)
    cells = action.cells if isinstance(action, PlaceTiles) else ()
    is_bridge = isinstance(action, pdd.BuildBridge)
    found = features(pieces.with_action(color.index, action), color.index, is_bridge=is_bridge)
    names = patterns(pieces, color.index, [*map(pieces.geometry.index, cells)])
    return sum(
        feature * (early + (late - early) * filled)
        for feature, early, late in zip(found, weights.early, weights.late, strict=True)
    ) + sum(weights.patterns.get(name, 0.0) for name in names)


@given(state=st.sampled_from(STATES), rng=st.randoms())
def test_ratings_are_those_of_the_board_after_an_action(state: GameState, rng: Random) -> None:
    ratings = {action: rating for rating, action in Rating(state, learned_weights()).actions()}
    assert {*state.legal_actions.others} <= ratings.keys()
    for action in rng.choices([*ratings], k=3):
        assert state.is_legal(action)
        # Islands far from each other can be in one network: that counts only if they are near.
        if state.turn <= FEW_TURNS or not isinstance(action, PlaceTiles):
            assert ratings[action] == pytest.approx(rate(state, action))


@given(state=st.sampled_from(STATES), rng=st.randoms())
def test_symmetries_change_nothing(state: GameState, rng: Random) -> None:
    action = state.legal_actions.sample(rng)
    for each in pdd.symmetries(state.rules.board):
        rating = rate(state.transform(each), action.transform(each))
        assert rating == pytest.approx(rate(state, action))
