"""Boards of the pages: small pictures in the colours of the theme, beside their text."""

from __future__ import annotations

import re
import sys
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import attrs
import pytest

import pontedeldiavolo as pdd
from support.paths import ROOT

sys.path.insert(0, str(ROOT / "docs"))

pytest.importorskip("sphinx", reason="not installed: nox -s docs")

import boards  # the path to it is set above
import drawing  # the path to it is set above
import guides  # the path to it is set above
import layout  # the path to it is set above
from docutils import nodes
from docutils.utils import new_document

ISLANDS = pdd.parse_setup("""
4 w w . r .
3 w w . r .
2 . . . . r
1 w w . . w
  a b c d e
bridges b1-b3
""")
FAULTY = pdd.parse_setup("w w w w w")
COLOR = re.compile(r"#[0-9a-f]{6}")


@pytest.mark.parametrize("drawable", [ISLANDS, FAULTY, pdd.Game.new()])
def test_a_picture_has_only_colours_of_the_page(drawable: pdd.Setup | pdd.Game) -> None:
    options = {"networks": not isinstance(drawable, pdd.Game), "size": 200}
    drawn = drawing.draw(drawable, **options)
    used = {*re.findall(r"var\(--b-([\w-]+)\)", drawn)}
    assert COLOR.search(drawn) is None
    assert used <= drawing.NAMES.keys()
    assert {"paper", "water", "grid"} <= used
    ET.fromstring(drawn)  # noqa: S314 - our own output


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_with_its_variables_a_picture_has_the_colours_of_the_library(theme: str) -> None:
    colors = {"light": pdd.svg.LIGHT, "dark": pdd.svg.DARK}[theme]
    place = ["light", "dark"].index(theme)
    options = {"networks": True, "highlights": [pdd.parse_cell("a1")], "size": 200}
    filled = re.sub(
        r"var\(--b-([\w-]+)\)",
        lambda name: drawing.NAMES[name[1]][place],
        drawing.draw(ISLANDS, **options),
    )
    assert filled == drawing.draw(ISLANDS, theme=colors, **options)


def shapes(picture: str) -> list[str]:
    """Return the moves of all paths, and the rectangles."""
    paths = re.findall(r' d="([^"]+)"', picture)
    moves = [f"M{each}" for path in paths for each in path.split("M") if each]
    return moves + re.findall(r"<rect[^>]*?( x=[^>]*?)/?>", picture)


def test_a_picture_shows_everything_that_the_library_draws() -> None:
    whole = str(pdd.svg.render(ISLANDS, networks=True, size=200, coordinates=False))
    whole = re.sub(r'<g class="cells".*?</g>', "", whole)
    drawn = drawing.draw(ISLANDS, networks=True, size=200, coordinates=False)
    attributes = re.compile(r' (?:class|data-\w+|fill|stroke|stroke-linejoin)="[^"]*"')
    wanted = shapes(attributes.sub("", re.sub(r"<title>.*?</title>", "", whole)))
    assert sorted(shapes(attributes.sub("", drawn))) == sorted(wanted)
    assert len(drawn) < len(whole)


def test_labels_name_columns_and_rows() -> None:
    drawn = drawing.draw(pdd.parse_setup(f"{'/'.join(['. ' * 11] * 12)}".replace("/", "\n")))
    texts = ET.fromstring(drawn).findall("text")  # noqa: S314 - our own output
    assert "".join(each.text or "" for each in texts) == "abcdefghijk121110987654321"
    assert [len((each.get("x") or "").split()) for each in texts] == [11, 1, 1, 1, 9]


def test_heat_maps_are_drawn_for_each_theme() -> None:
    drawn = drawing.draw(ISLANDS, heat={pdd.parse_cell("a1"): 1.0}, size=200)
    assert drawn.count("<svg") == 2
    assert 'class="only-light"' in drawn
    assert 'class="only-dark"' in drawn


def test_a_theme_of_the_reader_wins_over_that_of_the_system() -> None:
    sheet = drawing.style_sheet()
    light = f"--b-water:{pdd.svg.LIGHT.water};"
    dark = f"--b-water:{pdd.svg.DARK.water};"
    assert sheet.count(light) == 1
    assert sheet.count(dark) == 2
    assert "body:not([data-theme=light])" in sheet
    assert sheet.count("--b-") == 3 * len(drawing.NAMES)
    count = len(attrs.fields(pdd.svg.Theme)) - 2
    assert len(drawing.NAMES) >= count + 2


def page_of(*parts: nodes.Node) -> nodes.document:
    page = new_document("page")
    section = nodes.section("", nodes.title("", "The title of the section"), *parts)
    page += section
    return page


def arranged(name: str, *parts: nodes.Node) -> nodes.document:
    page = page_of(*parts)
    layout.arrange(SimpleNamespace(env=SimpleNamespace(docname=name)), page)
    return page


def link() -> nodes.Node:
    text = '<p class="play-on"><a href="x">Play on from here</a></p>'
    return drawing.html(text, kind=layout.PLAY_ON)


def board() -> nodes.Node:
    return boards.picture("game/rules", ISLANDS)


@pytest.mark.parametrize(("page", "title"), [("game/rules", "a board"), ("de/regeln", "ein Brett")])
def test_a_picture_speaks_the_language_of_its_page(page: str, title: str) -> None:
    drawn = boards.picture(page, ISLANDS)["html"]
    assert f"<title>Ponte del Diavolo, {title}</title>" in drawn


LEAD = "An island never grows, neither at its sides nor at its corners. A gap is enough."


def test_a_board_stands_beside_the_paragraph_before_it_and_what_is_said_of_it() -> None:
    verdicts = nodes.line_block(classes=["verdicts"])
    first = nodes.paragraph("", "Something else.")
    lead = nodes.paragraph("", LEAD)
    after = nodes.paragraph("", "After it.")
    page = arranged("game/rules", first, lead, board(), verdicts, link(), after)
    _title, *parts = page[0].children
    assert parts[0] is first
    assert parts[1]["classes"] == ["board-row"]
    assert parts[1][0] is lead
    assert parts[1][2] is verdicts
    assert len(parts[1]) == 4
    assert parts[2] is after


def test_guides_keep_their_order() -> None:
    page = arranged("howto/show", nodes.paragraph("", LEAD), board(), link())
    assert [type(each) for each in page[0]] == [
        nodes.title,
        nodes.paragraph,
        drawing.Html,
        drawing.Html,
    ]


def test_links_for_playing_on_have_different_names_that_begin_with_their_text() -> None:
    parts = [nodes.paragraph("", LEAD), board(), link(), board(), link()]
    page = arranged("howto/show", *parts, nodes.paragraph("", "Here:"), board(), link())
    labels = re.findall(
        r'aria-label="([^"]*)"', "".join(x["html"] for x in page.findall(drawing.Html))
    )
    assert labels == [
        "Play on from here: An island never grows, neither at its sides nor at its corners.",
        "Play on from here: An island never grows, neither at its sides nor at its corners. (2)",
        "Play on from here: The title of the section",
    ]


def test_no_line_ends_before_a_sign_for_per_cent() -> None:
    text = nodes.paragraph("", "", nodes.Text("It is 50 % of "), nodes.literal("", "50 % x"))
    page = arranged("howto/show", text)
    assert page.astext().endswith("It is 50\N{NO-BREAK SPACE}% of 50 % x")


def test_verdicts_have_a_sign_and_a_colour() -> None:
    [block] = boards._caption([(True, "a1", "legal"), (False, "b1", "Already taken.")])
    assert [line.astext() for line in block] == ["✓ a1: legal", "✗ b1: Already taken."]
    assert [line[0]["classes"] for line in block] == [["is-legal"], ["is-illegal"]]


def test_pictures_are_no_text_for_the_search() -> None:
    assert drawing.html("<p>Words</p>").astext() == ""
    assert not isinstance(board(), nodes.raw)


@pytest.mark.parametrize(
    "text", ["A node of a search", "A node of a search.", "A node of a search:"]
)
def test_all_summaries_of_the_reference_end_with_a_full_stop(text: str) -> None:
    from sphinx import addnodes  # noqa: PLC0415 - Sphinx may be missing

    entry = addnodes.desc("", addnodes.desc_content("", nodes.paragraph("", text)))
    assert guides.summary_of(entry) == "A node of a search."
