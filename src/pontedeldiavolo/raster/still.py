"""Boards as pixels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, SupportsIndex

from pontedeldiavolo.base.catalogs import ENGLISH
from pontedeldiavolo.base.messages import Catalog
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.game.drawable import Drawable
from pontedeldiavolo.raster.sheet import LARGEST, pixels_of, sheet_of
from pontedeldiavolo.rules.actions import Action, PlaceTile
from pontedeldiavolo.svg.arrows import Arrow
from pontedeldiavolo.svg.document import render
from pontedeldiavolo.svg.themes import LIGHT, Theme

SCALE = 2
"""How many pixels there are for each unit of the SVG, if nobody says how large a picture is."""


def png(  # noqa: D417 - most arguments are those of svg.render
    scene: Drawable,
    *,
    last: Action | PlaceTile | None = None,
    highlights: Iterable[Cell] = (),
    targets: bool = False,
    arrows: Iterable[Arrow] = (),
    heat: Mapping[Cell, float] | None = None,
    coordinates: bool = True,
    networks: bool = False,
    symmetry: Symmetry | None = None,
    theme: Theme = LIGHT,
    size: SupportsIndex | None = None,
    catalog: Catalog = ENGLISH,
) -> bytes:
    """Return a picture of a board in PNG: the pixels of what ``svg.render`` draws.

    Its arguments are those of :func:`pontedeldiavolo.svg.render`, except:

    Args:
        size: The pixels of the longer side; by default 864 for a board of 10×10, 4,096 at most.

    Raises:
        TypeError: If an argument is not of its type.
        PonteError: If *size* is not 1 to 4,096, or for what ``svg.render`` refuses.
    """
    pixels = pixels_of(size)
    looks: Any = {"coordinates": coordinates, "networks": networks, "symmetry": symmetry}
    marks: Any = {"highlights": highlights, "targets": targets, "arrows": arrows, "heat": heat}
    picture = render(scene, last=last, theme=theme, catalog=catalog, **marks, **looks)
    sheet = sheet_of(picture, theme.paper, pixels, scale=SCALE, most=LARGEST)
    return sheet.drawn(sheet.whole)
