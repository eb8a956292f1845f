"""Boards in PNG: SVG pictures, rasterized as a whole or in part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import SupportsIndex, TypeAlias, final

import resvg_py
from attrs import evolve

from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.base.guesses import shows_usage
from pontedeldiavolo.base.messages import Catalog
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.position.position import Position, Setup
from pontedeldiavolo.rules.actions import Action, PlaceTile
from pontedeldiavolo.state.state import GameState, HalfTurn
from pontedeldiavolo.svg.document import (
    VIEW_BOX,
    RenderOptions,
    checked_options,
    draw,
    has_legible_letters,
    pixels_of,
)
from pontedeldiavolo.svg.overlays import Arrow
from pontedeldiavolo.svg.themes import LIGHT, Theme

MAX_PIXELS = 4096
"""The maximum side in pixels; a square of this side takes 64 MB while it is drawn."""
PIXELS_PER_UNIT = 2
"""The scale of a picture without a size."""

_CELLS = re.compile('<g class="cells".*?</g>', re.DOTALL)
"""The elements of water cells, which can be omitted because the sea has the same colour."""

Box: TypeAlias = tuple[int, int, int, int]
"""A rectangle in pixels: left, top, right, bottom."""
Sides: TypeAlias = tuple[int, int]
"""A width and a height in pixels."""


@final
class Rasterizer:
    """A picture that can be drawn as pixels.

    Args:
        options: The picture, without a size.
        pixels: The length of the longer side; or both sides, with the picture centred on paper;
            ``None`` for the size of the SVG.
        scale: The pixels for each unit of the SVG, if *pixels* is ``None``.
        max_side: The maximum side, if *pixels* is ``None``.
    """

    def __init__(
        self, options: RenderOptions, pixels: int | Sides | None, *, scale: int, max_side: int
    ) -> None:
        text = _CELLS.sub("", draw(options).text, count=1)
        self._before, *box, self._after = VIEW_BOX.split(text, maxsplit=1)
        self._paper: str = options.theme.paper
        units = int(box[0]), int(box[1])
        if pixels is None:
            pixels = min(scale * max(units), max_side)
        if isinstance(pixels, int):
            longer = max(units)
            wide = max(1, round(pixels * units[0] / longer))
            high = max(1, round(pixels * units[1] / longer))
        else:
            wide, high = pixels
        # The background fills any remaining part of a pixel.
        self._scale: float = min(wide / units[0], high / units[1])
        left = round((self._scale * units[0] - wide) / 2)
        top = round((self._scale * units[1] - high) / 2)
        self.whole: Box = (left, top, left + wide, top + high)

    def png(self, box: Box) -> bytes:
        """Return a part of the picture in PNG."""
        left, top, right, bottom = box
        width = right - left
        height = bottom - top
        units = " ".join(f"{each / self._scale:.7f}" for each in (left, top, width, height))
        svg = f'{self._before} viewBox="{units}" width="{width}" height="{height}"{self._after}'
        # Pictures need no fonts, and loading fonts takes long.
        return resvg_py.svg_to_bytes(svg_string=svg, background=self._paper, skip_system_fonts=True)

    def box(self, left: float, top: float, right: float, bottom: float) -> Box:
        """Return the pixels that cover a rectangle in SVG units."""
        scale = self._scale
        _, _, width, height = self.whole
        return (
            max(0, int(scale * left)),
            max(0, int(scale * top)),
            min(width, int(scale * right) + 1),
            min(height, int(scale * bottom) + 1),
        )


def with_coordinates(
    options: RenderOptions, pixels: int | Sides | None, *, scale: int, max_side: int
) -> RenderOptions:
    """Return the options with the decision whether to write coordinates.

    The arguments are those of :class:`Rasterizer`.
    """
    if options.coordinates is not None:
        return options
    if pixels is None:
        pixels = min(max_side, scale * max(options.layout.width, options.layout.height))
    shorter = pixels if isinstance(pixels, int) else min(pixels)
    return evolve(options, coordinates=has_legible_letters(options.board, shorter))


@shows_usage
def png(  # noqa: D417 - most arguments are those of svg.render
    drawable: GameState | HalfTurn | Position | Setup | Game,
    *,
    last: Action | PlaceTile | None = None,
    highlights: Iterable[Cell] = (),
    targets: bool = False,
    arrows: Iterable[Arrow] = (),
    heat: Mapping[Cell, float] | None = None,
    coordinates: bool | None = None,
    networks: bool = False,
    symmetry: Symmetry | None = None,
    theme: Theme = LIGHT,
    size: SupportsIndex | tuple[SupportsIndex, SupportsIndex] | None = None,
    catalog: Catalog | str = "en",
) -> bytes:
    """Return a picture of a board in PNG: the picture that ``svg.render`` draws, as pixels.

    It takes the arguments of :func:`pontedeldiavolo.svg.render`, but *size* differs.

    >>> state = pdd.GameState.initial(pdd.Rules(pdd.Board(3, 3)))
    >>> pdd.raster.png(state, size=100, targets=True)[1:4]
    b'PNG'

    Args:
        size: The length of the longer side in pixels, or width and height, such as ``(1200, 630)``,
            with the picture centred. By default 864 for a board of 10×10; at most 4,096.

    Raises:
        PonteError: If a side is not from 1 to 4,096, or ``svg.render`` refuses an argument.
    """
    pixels = _pixels(size)
    look = (coordinates, networks, symmetry, theme, None, catalog)
    options = checked_options(drawable, last, highlights, targets, arrows, heat, *look)
    options = with_coordinates(options, pixels, scale=PIXELS_PER_UNIT, max_side=MAX_PIXELS)
    picture = Rasterizer(options, pixels, scale=PIXELS_PER_UNIT, max_side=MAX_PIXELS)
    return picture.png(picture.whole)


def _pixels(
    size: SupportsIndex | tuple[SupportsIndex, SupportsIndex] | None,
) -> int | Sides | None:
    """Return the argument *size* of :func:`png` as integers."""
    if size is None:
        return None
    if not isinstance(size, tuple):
        return pixels_of(size, MAX_PIXELS, "png-size")
    if len(size) != 2:  # noqa: PLR2004 - a width and a height
        raise PonteError(f"size must be one number or two, not {len(size)}")
    width, height = size
    return (
        pixels_of(width, MAX_PIXELS, "png-size", "size[0]"),
        pixels_of(height, MAX_PIXELS, "png-size", "size[1]"),
    )
