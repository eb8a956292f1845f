"""The texts of pictures: titles, descriptions and tags; and pictures in notebooks."""

from __future__ import annotations

import re
from ast import literal_eval
from operator import attrgetter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.vendor.pretty import pretty

import pontedeldiavolo as pdd
from pontedeldiavolo import svg
from pontedeldiavolo.base.messages import Catalog
from pontedeldiavolo.game.board_view import Drawable
from pontedeldiavolo.messages import LANGUAGES
from support.diagrams import draw, play
from support.pictures import EXAMPLE, FAULTY, SPACE, example_game, example_state, parse
from support.processes import run_python
from support.strategies import games, share

GERMAN = LANGUAGES["de"]

B2 = pdd.parse_cell("b2")
HALF = example_state().step(pdd.PlaceTile(pdd.parse_cell("d2")))
START = pdd.GameState.initial(pdd.Rules(pdd.Board(3, 3)))


def said_of(drawable: Drawable, catalog: Catalog = pdd.messages.LANGUAGES["en"]) -> tuple[str, str]:
    root = parse(svg.render(drawable, catalog=catalog))
    return root.findtext(f"{SPACE}title", ""), root.findtext(f"{SPACE}desc", "")


@pytest.mark.parametrize(
    ("drawable", "english", "german"),
    [
        (START, "after turn 0, white to move", "nach Zug 0, Weiß am Zug"),
        (START.step(pdd.PlaceTile(B2)), "after turn 0, white to move", "nach Zug 0, Weiß am Zug"),
        (play(START, "a1,c1"), "after turn 1, colours are chosen", "nach Zug 1, vor der Farbwahl"),
        (play(START, "a1,c1", "red"), "after turn 1, red to move", "nach Zug 1, Rot am Zug"),
        (EXAMPLE, "a board", "ein Brett"),
        (FAULTY, "a board", "ein Brett"),
        (example_game(), "Ada & Bo – <Cy>, Tea", "Ada & Bo – <Cy>, Tea"),
        (example_game().state, "the game is over", "die Partie ist zu Ende"),
    ],
)
def test_titles(drawable: Drawable, english: str, german: str) -> None:
    assert said_of(drawable)[0] == f"Ponte del Diavolo, {english}"
    assert said_of(drawable, GERMAN)[0] == f"Ponte del Diavolo, {german}"


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


@pytest.mark.parametrize(
    ("choice", "title"), [("", "Ada – Bo"), ("white", "Bo – Ada"), ("red", "Ada – Bo")]
)
def test_the_player_of_white_comes_first(choice: str, title: str) -> None:
    """Player 2 chooses the colour."""
    game = pdd.Game.new(tags={"First": "Ada", "Second": "Bo"}).play("d4,g7")
    said = said_of(game.play(choice) if choice else game)
    assert said[0] == f"Ponte del Diavolo, {title}"


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
    assert said_of(HALF)[1].endswith("Blocked: b1 c4 c5 f5. White has shown a first tile on d2.")
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
    assert said.endswith(" ".join(map(pdd.messages.explain, FAULTY.violations())))


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


def test_a_position_in_german() -> None:
    assert said_of(EXAMPLE, GERMAN)[1] == (
        "Ein Brett mit 6 mal 6 Feldern. "
        "Weiß: Inseln a5 b5 a6 b6, Sandbänke a3 b3; d3 d4; d6, Brücken d4-b5, 1 Punkt. "
        "Rot: Inseln e1 f1 e2 f2, Sandbänke a1; c1; f4; f6, Brücken a1-c1, f4-f6, 1 Punkt. "
        "Blockiert: b1 c4 c5 f5."
    )
    assert said_of(example_game(), GERMAN)[1].endswith("Weiß gewinnt nach Punkten, 1 zu 0.")
    assert said_of(FAULTY, GERMAN)[1].endswith(
        " ".join(pdd.messages.explain(each, GERMAN) for each in FAULTY.violations())
    )


def titles_in(drawable: Drawable, catalog: Catalog, **options: Any) -> list[str]:
    root = parse(svg.render(drawable, catalog=catalog, **options))
    return [each.text or "" for each in root.iter(f"{SPACE}title")]


def test_all_titles_of_parts_are_in_one_language() -> None:
    a1, b3 = map(pdd.parse_cell, ("a1", "b3"))
    state = example_state()
    marked: dict[str, Any] = {"last": pdd.parse_action("a6,b6"), "highlights": [a1]}
    marked |= {"arrows": [svg.Arrow(a1, b3)], "heat": {a1: 0.5}, "networks": True}
    for drawable, options in (
        (state, {**marked, "targets": True}),
        (HALF, {"targets": True}),
        (pdd.parse_setup("2 w w w w\n1 w . x .\nbridges a1-c1 a2-d1"), {"networks": True}),
        (example_game(), {"networks": True}),
    ):
        english, german = (
            titles_in(drawable, each, **options) for each in (pdd.messages.LANGUAGES["en"], GERMAN)
        )
        assert len(english) == len(german)
        for one, other in zip(english, german, strict=True):
            # Names of people and of cells, and numbers, are the same.
            is_name = re.fullmatch(r"[a-z]\d+(: 0.5)?|Ponte del Diavolo, Ada.*", one)
            assert one != other or is_name, one
    found = {*titles_in(state, GERMAN, **marked, targets=True)}
    assert found >= {
        *("Spalten", "Reihen", "Insel in Weiß", "Sandbank in Rot", "Brücke d4-b5 in Weiß"),
        *("a6: Weiß", "b1: blockiert", "Netz in Rot: 1 Insel, 1 Punkt", "a1 nach b3"),
        *("a6: zuletzt", "a1: hervorgehoben", "b3-d3: möglich"),
    }


def test_words_of_a_catalogue_cannot_break_a_picture() -> None:
    catalog = {
        key: f"<{text}&" if isinstance(key, str) and key.startswith("picture-") else text
        for key, text in pdd.messages.LANGUAGES["en"].items()
    }
    for drawable in (example_state(), FAULTY, example_game()):
        root = parse(svg.render(drawable, catalog=catalog, networks=True))
        assert "<columns&" in [each.text for each in root.iter(f"{SPACE}title")]


def test_a_catalogue_that_lacks_words_is_refused() -> None:
    lacking = {
        key: text for key, text in pdd.messages.LANGUAGES["en"].items() if key != "picture-sandbank"
    }
    with pytest.raises(pdd.PonteError, match=r"^the catalogue cannot explain picture-sandbank"):
        svg.render(EXAMPLE, catalog=lacking)


# Notebooks show drawables as pictures, failed tests as expressions

DRAWABLES = [example_state(), HALF, EXAMPLE, FAULTY, example_game()]


@pytest.mark.parametrize("drawable", DRAWABLES, ids=lambda each: type(each).__name__)
def test_every_drawable_is_shown_as_a_picture(drawable: Drawable) -> None:
    last = drawable.actions[-1] if isinstance(drawable, pdd.Game) else None
    assert drawable._repr_svg_() == svg.render(drawable, last=last)._repr_svg_()


@pytest.mark.parametrize("drawable", DRAWABLES, ids=lambda each: type(each).__name__)
def test_every_drawable_is_printed_as_an_expression(drawable: Drawable) -> None:
    printed = re.fullmatch(r"pdd\.([\w.]+)\((.*?)\)(\.position\(\))?", pretty(drawable), re.DOTALL)
    assert printed is not None
    made = attrgetter(printed[1])(pdd)(literal_eval(printed[2]))
    assert (made.position() if printed[3] else made) == drawable


def test_a_picture_is_shown_as_itself() -> None:
    picture = svg.render(EXAMPLE)
    page = pdd.html.replay(example_game())
    assert (str(picture), str(page)) == (picture.text, page.text)
    assert {svg.Svg(picture.text), pdd.html.Html(page.text)} == {picture, page}
    assert repr(picture) == f"Svg(text=<{len(picture.text):,} characters>)"
    assert repr(page).startswith("Html(text=<")


@pytest.mark.parametrize(
    ("width", "height", "size", "pixels"),
    [
        (3, 2, None, (152, 112)),
        (10, 10, None, (432, 432)),
        (10, 10, 99, (99, 99)),
        (40, 20, None, (800, 413)),
    ],
)
def test_notebooks_show_boards_at_the_size_of_their_cells(
    width: int, height: int, size: int | None, pixels: tuple[int, int]
) -> None:
    picture = svg.render(pdd.Position.from_pieces(pdd.Board(width, height)), size=size)
    root = parse(picture._repr_svg_())
    assert (int(root.attrib["width"]), int(root.attrib["height"])) == pixels


def test_notebooks_store_a_short_text_beside_a_game() -> None:
    game = pdd.Game.new().play("d4,g7").resign(pdd.Seat.FIRST)
    assert repr(game) == "<Game 10x10: 1 actions, result second>"


def test_the_renderer_is_loaded_with_the_first_picture() -> None:
    done = run_python(
        "import sys\n"
        "from pontedeldiavolo.state.state import GameState\n"
        "print('pontedeldiavolo.svg' in sys.modules)\n"
        "print(GameState.initial()._repr_svg_()[:5], 'pontedeldiavolo.svg' in sys.modules)\n"
    )
    assert (done.stdout, done.stderr) == ("False\n<svg  True\n", "")
