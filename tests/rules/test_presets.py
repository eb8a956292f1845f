"""The parts of rules, the published rules, the longest games, and the summary of the rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from hypothesis import given

import pontedeldiavolo as pdd
from pontedeldiavolo import Board, GameState, Rules, Tiebreak, presets
from pontedeldiavolo.base.catalogs import (
    RulesSummaryBoard,
    RulesSummarySection,
    rules_summary,
    tables_of,
)
from pontedeldiavolo.messages import LANGUAGES
from pontedeldiavolo.testing import strategies
from support.diagrams import act
from support.strategies import share

BOTH = (Tiebreak.ISLANDS, Tiebreak.BRIDGES)
SMALL, USUAL, LARGE = (Board(side, side) for side in (8, 10, 12))


@pytest.mark.parametrize(
    ("name", "preset", "rules"),
    [
        ("original", presets.ORIGINAL, Rules(USUAL, 40, 15, BOTH)),
        ("boardspace", presets.BOARDSPACE, Rules(USUAL, 40, 15, BOTH)),
        ("board-game-arena", presets.BOARD_GAME_ARENA, Rules(USUAL, None, None, BOTH)),
        ("brettspielnetz", presets.BRETTSPIELNETZ, Rules(LARGE, None, None, BOTH)),
        ("your-turn-my-turn", presets.YOUR_TURN_MY_TURN, Rules(LARGE, None, None, BOTH)),
        ("wikipedia", presets.WIKIPEDIA, Rules(USUAL, None, None, ())),
        ("abstract-play", presets.ABSTRACT_PLAY, Rules(USUAL, None, None, BOTH)),
        ("abstract-play-8", presets.ABSTRACT_PLAY_8, Rules(SMALL, None, None, BOTH)),
        ("abstract-play-12", presets.ABSTRACT_PLAY_12, Rules(LARGE, None, None, BOTH)),
    ],
)
def test_presets(name: str, preset: Rules, rules: Rules) -> None:
    assert presets.by_name(name) == preset == rules
    assert name in presets.names()
    assert name in presets.names_of(preset)
    assert pdd.parse_rules(name) == preset


@pytest.mark.parametrize(
    "name", ["Brettspielnetz", "BRETTSPIELNETZ", "YOUR_TURN_MY_TURN", "your-turn_My-Turn"]
)
def test_case_and_underscores_do_not_matter(name: str) -> None:
    assert presets.by_name(name) == presets.BRETTSPIELNETZ


def test_equal_presets_share_their_names() -> None:
    assert len(presets.names()) == len(set(presets.names())) == 9
    assert presets.names_of(presets.ORIGINAL) == ("original", "boardspace")
    large = ("brettspielnetz", "your-turn-my-turn", "abstract-play-12")
    assert presets.names_of(Rules(LARGE)) == large
    assert presets.names_of(Rules(Board(9, 9))) == ()


@pytest.mark.parametrize(
    "name", ["", "chess", " original", "origina", "w\u0131kipedia", "wi\u212aipedia", "x" * 10**6]
)
def test_unknown_names(name: str) -> None:
    with pytest.raises(pdd.InvalidRulesError, match="there are original, boardspace") as caught:
        presets.by_name(name)
    assert len(str(caught.value)) < 300


def test_the_default_rules() -> None:
    assert Rules() == Rules(USUAL, None, None, BOTH)
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
def test_contradictory_rules_are_refused(arguments: Mapping[str, Any]) -> None:
    with pytest.raises(pdd.InvalidRulesError):
        Rules(**arguments)


def steps_of(action: pdd.Action) -> int:
    return 2 if isinstance(action, pdd.PlaceTiles) else 1


@given(strategies.games())
@share(0.5)
def test_games_end_within_the_bounds(play: pdd.Game) -> None:
    # Bridges and small groups make games long, so many players build whenever they can.
    of = play.state.rules
    steps = sum(map(steps_of, play.actions))
    assert play.state.turn <= of.max_turns
    assert steps <= of.max_steps
    assert of.max_turns < of.max_steps


@pytest.mark.parametrize("size", [(1, 1), (1, 2), (1, 5), (2, 2), (3, 1), (3, 2), (2, 3), (4, 2)])
@pytest.mark.parametrize(("tiles", "bridges"), [(None, None), (3, None), (4, 1), (0, 0)])
def test_the_longest_of_all_games_on_small_boards(
    size: tuple[int, int], tiles: int | None, bridges: int | None
) -> None:
    of = Rules(Board(*size), tiles_per_color=tiles, bridges=bridges)

    @cache
    def longest(state: GameState) -> tuple[int, int]:
        """Return the maximum numbers of turns and of steps that can follow."""
        if state.is_over:
            return 0, 0
        turns = []
        steps = []
        for action in state.legal_actions:
            further = longest(state.apply_unchecked(action).canonical())
            turns.append(further[0] + (not isinstance(action, pdd.ChooseColor)))
            steps.append(further[1] + steps_of(action))
        return max(turns), max(steps)

    turns, steps = longest(GameState.initial(of))
    assert turns <= of.max_turns
    assert steps <= of.max_steps


def test_bounds() -> None:
    assert (Rules().max_turns, Rules().max_steps) == (82, 123)
    assert (pdd.presets.ORIGINAL.max_turns, pdd.presets.ORIGINAL.max_steps) == (57, 98)
    assert (Rules(Board(1, 1)).max_turns, Rules(Board(1, 1)).max_steps) == (2, 3)
    assert Rules(tiles_per_color=0).max_turns == 2
    assert Rules(bridges=0).max_turns == 52


CODES = [*LANGUAGES]
BOARDS = [board for section in rules_summary("en")[1] for board in section.boards]


def legal(board: RulesSummaryBoard) -> list[str]:
    state = pdd.parse_state(board.state)
    return [each for each in board.actions if not state.violations(act(each))]


@pytest.mark.parametrize("code", CODES)
def test_languages_have_the_same_sections(code: str) -> None:
    title, sections = rules_summary(code)
    english = rules_summary("en")[1]
    assert title
    same = [[(each.key, each.boards) for each in part] for part in (sections, english)]
    assert same[0] == same[1]
    assert {*tables_of(code)["summary"]} == {"title", *(each.key for each in sections)}
    assert all(each.heading and each.text.endswith(".") for each in sections)


@pytest.mark.parametrize("code", CODES)
def test_the_summary_fits_one_screen(code: str) -> None:
    sections = rules_summary(code)[1]
    assert len(sections) <= 8
    assert sum(len(each.text) for each in sections) < 2000


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.state.split()[0])
def test_boards_are_states_in_canonical_form(board: RulesSummaryBoard) -> None:
    assert pdd.format_state(pdd.parse_state(board.state)) == board.state


def test_boards_show_what_is_legal_and_what_is_not() -> None:
    islands, bridges, _ = BOARDS
    assert legal(islands) == ["d2"]
    assert legal(bridges) == ["e1-e3", "e1-g3", "b2-c4"]


@pytest.mark.parametrize("code", CODES)
def test_the_points_of_the_last_board_are_those_in_the_text(code: str) -> None:
    section: RulesSummarySection = rules_summary(code)[1][-1]
    state = pdd.parse_state(section.boards[0].state)
    points = [str(state.score(color).points) for color in pdd.Color]
    assert re.findall(r"\d+", section.text)[-2:] == points
