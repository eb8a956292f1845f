"""Icon, logo and card of these pages, drawn by the library itself."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import metadata

import pontedeldiavolo as pdd

SIGN: Final = """
4 w w . .
3 w w . .
2 . . . .
1 . . w .
bridges b3-c1
"""
"""An island and a bridge: the icon."""
GAME: Final = """
8 r r . r r . r r
7 r r . r r . r r
6 . . . . . . . .
5 w w . w w . . r
4 w w . w w . . r
3 . . . . . . . .
2 w w . w w . r r
1 w w . w w . r r
bridges b1-d1 d2-d4 b5-d5 h2-h4 h5-h7
"""
"""The card."""
CARD_SIZE: Final = (1200, 630)


def draw(folder: Path) -> None:
    """Draw all of them into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    sign = pdd.parse_setup(SIGN).position()
    icon = pdd.svg.render(sign, coordinates=False, size=64)
    (folder / "icon.svg").write_text(f"{icon}\n", "utf-8")
    game = pdd.parse_setup(GAME).position()
    card = pdd.raster.png(game, networks=True, coordinates=False, size=CARD_SIZE)
    (folder / metadata.CARD).write_bytes(card)
