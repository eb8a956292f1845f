"""Parse SVG pictures, and compare them with golden ones.

``python tests/support/pictures.py`` writes the golden pictures.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import svg
from support.diagrams import bridge, cells, draw
from support.paths import DATA

GOLDEN = DATA / "svg"
SPACE = "{http://www.w3.org/2000/svg}"

EXAMPLE = draw("""
    6 w w . w . r
    5 w w . . . .
    4 . . . w . r
    3 w w . w . .
    2 . . . . r r
    1 r . r . r r
    bridges b5-d4 a1-c1 f4-f6
""")
FAULTY = pdd.parse_setup("""
    4 w w w w
    3 w . x .
    2 . . . r
    1 w r w .
    white z9
    bridges a1-c1 a4-d1 b1-z3
""")


def example_state() -> pdd.GameState:
    return pdd.GameState.from_position(EXAMPLE, to_move=pdd.Color.WHITE)


def example_game() -> pdd.Game:
    """Return a short game with islands, a bridge and a pass."""
    text = """\
[First "Ada & Bo"]
[Second "<Cy>"]
[Event "Tea"]
[Rules "4x3 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"]

1. c2,d3 red 2. a2,a3 3. b2,d2 4. b1,d1 5. pass 6. b1-d1 white-wins
"""
    return pdd.records.loads(text)


def _marked() -> svg.Svg:
    a1, c3, e5, f6 = cells("a1 c3 e5 f6")
    return svg.render(
        example_state(),
        last=pdd.parse_action("a6,b6"),
        highlights=[c3, e5],
        targets=True,
        arrows=[svg.Arrow(a1, f6), svg.Arrow(e5, e5, "#112233")],
        heat={a1: 0.5, c3: -1, e5: 0},
        size=300,
    )


def _turned() -> svg.Svg:
    turn = EXAMPLE.board.symmetries[5]
    return svg.render(EXAMPLE, symmetry=turn, theme=svg.PRINT, networks=True)


def _half_turn() -> svg.Svg:
    half = example_state().step(pdd.PlaceTile(pdd.parse_cell("d2")))
    return svg.render(half, theme=svg.DARK, targets=True, coordinates=False)


PICTURES: dict[str, Callable[[], svg.Svg]] = {
    "empty": lambda: svg.render(pdd.GameState.initial()),
    "position": lambda: svg.render(EXAMPLE),
    "marked": _marked,
    "turned": _turned,
    "half-turn": _half_turn,
    "faulty": lambda: svg.render(FAULTY),
    "game": lambda: svg.render(example_game(), networks=True),
}
"""The pictures that are stored as golden files."""


def parse(picture: svg.Svg | str) -> ET.Element:
    """Return the root of a picture; it must be well-formed."""
    return ET.fromstring(str(picture))  # noqa: S314 - the library has written this text


def parts(root: ET.Element, *classes: str) -> list[ET.Element]:
    """Return the elements with all these classes, in drawing order."""
    wanted = {*classes}
    return [each for each in root.iter() if wanted <= {*each.get("class", "").split()}]


def title(element: ET.Element) -> str:
    return element.findtext(f"{SPACE}title", "")


def titles(element: ET.Element, around: str = "") -> dict[ET.Element, str]:
    """Return the title of each part: its own, or that of its group."""
    found = {}
    # The title of the whole picture belongs to no part.
    for part in element:
        found[part] = title(part) or around
        found |= titles(part, found[part])
    return found


def names(elements: list[ET.Element]) -> list[str]:
    """Return the cells or bridges that parts belong to."""
    return [each.get("data-cell") or each.get("data-bridge") or "" for each in elements]


def position_in(root: ET.Element, turn: int | None = None) -> pdd.Position:
    """Return the position that a picture shows, in a picture of a game after a turn."""

    def found(*classes: str) -> list[str]:
        there = parts(root, *classes)
        if turn is not None:
            there = [each for each in there if int(each.attrib["data-turn"]) <= turn]
        return names(there)

    white, red = (map(pdd.parse_cell, found("tile", each.value)) for each in pdd.Color)
    board = pdd.Board(*map(int, root.attrib["data-board"].split("x")))
    return pdd.Position.from_pieces(board, white, red, map(bridge, found("bridge")))


def different_pixels(one: str, other: str) -> int:
    """Return the number of pixels in which two pictures differ; needs the extra ``png``."""
    why = "not installed: extra png"
    resvg, chops = (
        pytest.importorskip(each, reason=why) for each in ("resvg_py", "PIL.ImageChops")
    )
    pixels = pytest.importorskip("support.pixels")
    images = [pixels.opened(resvg.svg_to_bytes(svg_string=text)) for text in (one, other)]
    assert images[0].size == images[1].size
    return sum(chops.difference(*images).convert("L").histogram()[1:])


def write_goldens(folder: Path) -> None:
    for name, make in PICTURES.items():
        text = str(make()).replace("><", ">\n<")
        (folder / f"{name}.svg").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    write_goldens(GOLDEN)
