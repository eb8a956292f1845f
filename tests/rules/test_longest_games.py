"""No game is longer than the rules say it can be."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given

import pontedeldiavolo as pdd
from pontedeldiavolo import Board, GameState, Rules
from pontedeldiavolo.testing import strategies
from support.strategies import share


def steps_of(action: pdd.Action) -> int:
    return 2 if isinstance(action, pdd.PlaceTiles) else 1


@given(strategies.games())
@share(0.5)
def test_games_end_within_the_bounds(play: pdd.Game) -> None:
    # Bridges and small groups make games long: many of the players build whenever they can.
    of, steps = play.state.rules, sum(map(steps_of, play.actions))
    assert play.state.turn <= of.most_turns
    assert steps <= of.most_steps
    assert of.most_turns < of.most_steps


@pytest.mark.parametrize("size", [(1, 1), (1, 2), (1, 5), (2, 2), (3, 1), (3, 2), (2, 3), (4, 2)])
@pytest.mark.parametrize(("tiles", "bridges"), [(None, None), (3, None), (4, 1), (0, 0)])
def test_the_longest_of_all_games_on_small_boards(
    size: tuple[int, int], tiles: int | None, bridges: int | None
) -> None:
    of = Rules(Board(*size), tiles_per_color=tiles, bridges=bridges)

    @cache
    def longest(state: GameState) -> tuple[int, int]:
        """Return how many turns and how many steps can still follow."""
        if state.is_over:
            return 0, 0
        turns, steps = [], []
        for action in state.legal_actions:
            further = longest(state.apply_unchecked(action).canonical())
            turns.append(further[0] + (not isinstance(action, pdd.ChooseColor)))
            steps.append(further[1] + steps_of(action))
        return max(turns), max(steps)

    turns, steps = longest(GameState.initial(of))
    assert turns <= of.most_turns
    assert steps <= of.most_steps


def test_bounds() -> None:
    assert (Rules().most_turns, Rules().most_steps) == (82, 123)
    assert (pdd.presets.ORIGINAL.most_turns, pdd.presets.ORIGINAL.most_steps) == (57, 98)
    assert (Rules(Board(1, 1)).most_turns, Rules(Board(1, 1)).most_steps) == (2, 3)
    assert Rules(tiles_per_color=0).most_turns == 2
    assert Rules(bridges=0).most_turns == 52
