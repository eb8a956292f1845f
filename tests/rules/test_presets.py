"""The parts of rules, the published rules by name, and how long their games can be."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from hypothesis import given

import pontedeldiavolo as pdd
from pontedeldiavolo import Board, GameState, Rules, Tiebreak, presets
from pontedeldiavolo.testing import strategies
from support.strategies import share

BOTH = (Tiebreak.ISLANDS, Tiebreak.BRIDGES)


@pytest.mark.parametrize(
    ("name", "preset", "side", "tiles", "bridges", "tiebreaks"),
    [
        ("original", presets.ORIGINAL, 10, 40, 15, BOTH),
        ("boardspace", presets.BOARDSPACE, 10, 40, 15, BOTH),
        ("board-game-arena", presets.BOARD_GAME_ARENA, 10, None, None, BOTH),
        ("brettspielnetz", presets.BRETTSPIELNETZ, 12, None, None, BOTH),
        ("your-turn-my-turn", presets.YOUR_TURN_MY_TURN, 12, None, None, BOTH),
        ("wikipedia", presets.WIKIPEDIA, 10, None, None, ()),
        ("abstract-play", presets.ABSTRACT_PLAY, 10, None, None, BOTH),
        ("abstract-play-8", presets.ABSTRACT_PLAY_8, 8, None, None, BOTH),
        ("abstract-play-12", presets.ABSTRACT_PLAY_12, 12, None, None, BOTH),
    ],
)
def test_presets(
    name: str,
    preset: Rules,
    side: int,
    tiles: int | None,
    bridges: int | None,
    tiebreaks: tuple[Tiebreak, ...],
) -> None:
    assert preset == Rules(Board(side, side), tiles, bridges, tiebreaks)
    assert presets.by_name(name) == preset
    assert name in presets.names()
    assert name in presets.names_of(preset)
    assert pdd.parse_rules(name) == preset


def test_every_name_is_a_preset() -> None:
    assert len(presets.names()) == len(set(presets.names())) == 9
    for name in presets.names():
        assert name in presets.names_of(presets.by_name(name))


@pytest.mark.parametrize(
    "name", ["Brettspielnetz", "BRETTSPIELNETZ", "YOUR_TURN_MY_TURN", "your-turn_My-Turn"]
)
def test_case_and_underscores_do_not_matter(name: str) -> None:
    assert presets.by_name(name) == presets.BRETTSPIELNETZ


def test_equal_presets_share_their_names() -> None:
    assert presets.names_of(presets.ORIGINAL) == ("original", "boardspace")
    assert presets.names_of(Rules(Board(12, 12))) == (
        "brettspielnetz",
        "your-turn-my-turn",
        "abstract-play-12",
    )
    assert presets.names_of(Rules(Board(9, 9))) == ()


@pytest.mark.parametrize(
    "name", ["", "chess", " original", "origina", "w\u0131kipedia", "wi\u212aipedia", "x" * 10**6]
)
def test_unknown_names(name: str) -> None:
    with pytest.raises(pdd.InvalidRulesError, match="there are original, boardspace") as caught:
        presets.by_name(name)
    assert len(str(caught.value)) < 300


def test_the_default_rules() -> None:
    rules = Rules()
    assert rules == Rules(Board(10, 10), None, None, (Tiebreak.ISLANDS, Tiebreak.BRIDGES))
    assert Rules(tiebreaks=[Tiebreak.BRIDGES]).tiebreaks == (Tiebreak.BRIDGES,)
    assert Rules(tiles_per_color=0, bridges=0).tiles_per_color == 0


@pytest.mark.parametrize(
    "arguments",
    [
        {"tiles_per_color": -1},
        {"bridges": -1},
        {"tiebreaks": (Tiebreak.ISLANDS, Tiebreak.ISLANDS)},
        {"tiebreaks": (Tiebreak.BRIDGES, Tiebreak.ISLANDS, Tiebreak.BRIDGES)},
    ],
)
def test_rules_that_cannot_be(arguments: Mapping[str, Any]) -> None:
    with pytest.raises(pdd.InvalidRulesError):
        Rules(**arguments)


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
