"""Pictures that the page loads as files of their own."""

from __future__ import annotations

from functools import cache
from typing import Final

from pontedeldiavolo import svg
from pontedeldiavolo.game.board_view import Drawable
from pontedeldiavolo.notation.setups import parse_setup

MEDIA_TYPE: Final = "image/svg+xml"
THEMES: Final = {"light": svg.LIGHT, "dark": svg.DARK}
LAGOON: Final = """
10 . w . w w . w w w .
 9 r w . w w . w r . .
 8 r r . r r . . . w .
 7 r w . w r . w w w .
 6 . . . . r . . r . .
 5 . r w w w . r r w r
 4 . r r r w . w r w .
 3 . . w . . r w . w .
 2 r r r . w . w r w .
 1 . . r . r r w r r .
bridges g4-e5 i5-i7 i8-i10 e10-g10 b2-b4 h2-h4 b5-a7 g5-e6 b8-d8
"""
"""The position of the picture on the start page, as a set-up."""


def picture(drawable: Drawable, theme: svg.Theme = svg.LIGHT) -> str:
    """Return a picture without coordinates, to be shown small or beside a text."""
    return svg.render(drawable, coordinates=False, theme=theme).text


@cache
def picture_files() -> dict[str, bytes]:
    """Return the pictures of the start page by the names of their files."""
    lagoon = parse_setup(LAGOON).position()
    return {
        "lagoon.svg": picture(lagoon).encode(),
        "lagoon-dark.svg": picture(lagoon, svg.DARK).encode(),
    }
