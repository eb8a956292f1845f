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
from support.strategies import share

STATES = [
    state
    for seed in range(3)
    for state in random_game("8x8", seed).states()
    if state.phase is Phase.PLAY
]


def is_near(state: GameState, action: PlaceTiles) -> bool:
    """Tell whether the second tile is among the cells that a first one matters to."""
    geometry = state._pieces.geometry
    a, b = map(geometry.index, action.cells)
    return bool(geometry.near[a] >> b & 1)


def rate(state: GameState, action: pdd.Action) -> float:
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


@share(0.3)
@given(state=st.sampled_from(STATES), rng=st.randoms())
def test_ratings_are_those_of_the_board_after_an_action(state: GameState, rng: Random) -> None:
    ratings = {action: rating for rating, action in Rating(state, learned_weights()).actions()}
    assert {*state.legal_actions.others} <= ratings.keys()
    for action in rng.choices([*ratings], k=3):
        assert state.is_legal(action)
        # The sum ignores how distant tiles interact, for example by splitting an open region.
        if not isinstance(action, PlaceTiles) or is_near(state, action):
            assert ratings[action] == pytest.approx(rate(state, action))


@share(0.3)
@given(state=st.sampled_from(STATES), rng=st.randoms())
def test_symmetries_change_nothing(state: GameState, rng: Random) -> None:
    action = state.legal_actions.sample(rng)
    for each in pdd.symmetries(state.rules.board):
        rating = rate(state.transform(each), action.transform(each))
        assert rating == pytest.approx(rate(state, action))
