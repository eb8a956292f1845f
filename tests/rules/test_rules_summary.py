"""The summary of the rules: boards that parse, verdicts of both kinds, all languages alike."""

from __future__ import annotations

import re

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.base.catalogs import SummaryBoard, SummarySection, rules_summary, tables_of
from pontedeldiavolo.messages import LANGUAGES

CODES = [*LANGUAGES]
BOARDS = [board for section in rules_summary("en")[1] for board in section.boards]


def node_of(action: str) -> pdd.Step | pdd.Action:
    return pdd.parse_step(action) if re.fullmatch(r"[a-z]\d", action) else pdd.parse_action(action)


def legal(board: SummaryBoard) -> list[str]:
    state = pdd.parse_state(board.state)
    return [each for each in board.actions if not state.violations(node_of(each))]


@pytest.mark.parametrize("code", CODES)
def test_languages_have_the_same_sections(code: str) -> None:
    title, sections = rules_summary(code)
    english = rules_summary("en")[1]
    assert title
    assert [(each.key, each.boards) for each in sections] == [
        (each.key, each.boards) for each in english
    ]
    assert {*tables_of(code)["summary"]} == {"title", *(each.key for each in sections)}
    assert all(each.heading and each.text.endswith(".") for each in sections)


@pytest.mark.parametrize("code", CODES)
def test_the_summary_fits_one_screen(code: str) -> None:
    sections = rules_summary(code)[1]
    assert len(sections) <= 8
    assert sum(len(each.text) for each in sections) < 2000


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.state.split()[0])
def test_boards_are_states_in_canonical_form(board: SummaryBoard) -> None:
    assert pdd.format_state(pdd.parse_state(board.state)) == board.state


def test_boards_show_what_is_legal_and_what_is_not() -> None:
    islands, bridges, _ = BOARDS
    assert legal(islands) == ["d2"]
    assert legal(bridges) == ["e1-e3", "e1-g3", "b2-c4"]


@pytest.mark.parametrize("code", CODES)
def test_the_points_of_the_last_board_are_those_in_the_text(code: str) -> None:
    section: SummarySection = rules_summary(code)[1][-1]
    state = pdd.parse_state(section.boards[0].state)
    points = [str(state.score(color).points) for color in pdd.Color]
    assert re.findall(r"\d+", section.text)[-2:] == points
