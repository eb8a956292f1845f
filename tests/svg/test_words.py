"""What pictures say: titles, descriptions, the texts of tags."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import svg
from support.diagrams import draw, play
from support.pictures import EXAMPLE, FAULTY, SPACE, example_game, example_state, parse
from support.strategies import games, share

START = pdd.GameState.initial(pdd.Rules(pdd.Board(3, 3)))


def said_of(scene: pdd.Scene) -> tuple[str, str]:
    root = parse(svg.render(scene))
    return root.findtext(f"{SPACE}title", ""), root.findtext(f"{SPACE}desc", "")


@pytest.mark.parametrize(
    ("scene", "title"),
    [
        (START, "after turn 0, white to move"),
        (START.step(pdd.PlaceTile(pdd.parse_cell("b2"))), "after turn 0, white to move"),
        (play(START, "a1,c1"), "after turn 1, colours are chosen"),
        (play(START, "a1,c1", "red"), "after turn 1, red to move"),
        (EXAMPLE, "a board"),
        (FAULTY, "a board"),
        (example_game(), "Ada & Bo – <Cy>, Tea"),
        (example_game().state, "the game is over"),
    ],
)
def test_titles(scene: pdd.Scene, title: str) -> None:
    assert said_of(scene)[0] == f"Ponte del Diavolo, {title}"


@pytest.mark.parametrize(
    ("tags", "title"),
    [
        ({}, ""),
        ({"Event": "A fair"}, ", A fair"),
        ({"First": "Ada"}, ", Ada – ?"),
        ({"Second": "Bo", "Event": "A fair"}, ", ? – Bo, A fair"),
        ({"Event": "x" * 1000}, f", {'x' * 200}"),
        ({"Event": "]]>&lt;\ufffe\uffff\U0001f309"}, ", ]]>&lt;\ufffd\ufffd\U0001f309"),
    ],
)
def test_titles_of_games(tags: dict[str, str], title: str) -> None:
    assert said_of(pdd.Game.new(tags=tags))[0] == f"Ponte del Diavolo{title}"


def test_a_position_in_words() -> None:
    assert said_of(EXAMPLE)[1] == (
        "A board of 6 by 6 cells. "
        "White: islands a5 b5 a6 b6, sandbanks a3 b3; d3 d4; d6, bridges d4-b5, 1 point. "
        "Red: islands e1 f1 e2 f2, sandbanks a1; c1; f4; f6, bridges a1-c1, f4-f6, 1 point. "
        "Blocked: b1 c4 c5 f5."
    )
    assert said_of(draw("."))[1] == (
        "A board of 1 by 1 cells. White: nothing, 0 points. Red: nothing, 0 points."
    )


def test_a_half_turn_in_words() -> None:
    half = example_state().step(pdd.PlaceTile(pdd.parse_cell("d2")))
    assert said_of(half)[1].endswith("Blocked: b1 c4 c5 f5. White has shown a first tile on d2.")
    red = play(START, "a1,c1", "red").step(pdd.PlaceTile(pdd.parse_cell("b3")))
    assert said_of(red)[1].endswith("Red has shown a first tile on b3.")


def test_a_game_in_words() -> None:
    assert said_of(example_game())[1] == (
        "A board of 4 by 3 cells. White: islands b2 c2 d2 d3, 1 point. "
        "Red: sandbanks a2 a3; b1; d1, bridges b1-d1, 0 points. Blocked: c1. "
        "White wins by points, 1 to 0."
    )


def test_a_set_up_in_words() -> None:
    said = said_of(FAULTY)[1]
    assert said.startswith("A board of 4 by 4 cells. White: sandbanks a1; c1; ")
    assert "points" not in said
    assert "White off the board: z9. Bridges off the board: b1-z3." in said
    assert said.endswith(" ".join(map(pdd.messages.explain, FAULTY.faults())))


@given(games())
@share(0.3)
def test_tags_come_back_as_they_were(game: pdd.Game) -> None:
    title, description = said_of(game)
    for name in ("First", "Second", "Event"):
        text = game.tags.get(name, "")
        if "\ufffe" not in text and "\uffff" not in text:
            # Whitespace at the ends of lines is all that XML readers may change.
            assert text in title
    assert description


@given(st.text(max_size=20))
def test_any_event_makes_a_picture(event: str) -> None:
    try:
        game = pdd.Game.new(tags={"Event": event})
    except pdd.PonteError:
        return
    assert said_of(game)[0].startswith("Ponte del Diavolo")
