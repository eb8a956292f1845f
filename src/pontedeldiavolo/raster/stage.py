"""The frames of an animation: only what a turn changes is drawn anew."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from math import isqrt
from typing import Final, NamedTuple

from PIL import Image

from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.geometry import bits
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.position.islands import group_around
from pontedeldiavolo.raster.palette import Color, guide, palette_of
from pontedeldiavolo.raster.sheet import Box, Sheet, sheet_of
from pontedeldiavolo.rules.actions import Action, BuildBridge, PlaceTiles
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.svg.document import render
from pontedeldiavolo.svg.land import CELL
from pontedeldiavolo.svg.themes import Theme
from pontedeldiavolo.svg.view import View, view_of

SCALE, MOST_BY_DEFAULT = 1, 1000
"""How many pixels there are for each unit of the SVG, and how many at most, if nobody says so."""

MOST_PIXELS: Final = 100_000_000
"""How many pixels all frames have together: two bytes each, which are kept until the end."""

SLACK: Final = 4
"""How far brackets and soft edges may reach beyond their cells, in units of the SVG."""


SAMPLES: Final = 3
"""How many frames say which colours all of them have."""

SEAM: Final = 8
"""How many pixels more than is wanted are drawn on each side."""


class Moment(NamedTuple):
    """A board as a turn left it."""

    state: GameState
    action: Action | None


class Style(NamedTuple):
    """How all frames are drawn."""

    coordinates: bool
    networks: bool
    symmetry: Symmetry | None
    theme: Theme


class Stage:
    """Where the frames of one game are drawn.

    Raises:
        TypeError: If a part of *style* is not of its type.
        PonteError: If the symmetry is one of another board, or so many frames are too large.
    """

    def __init__(self, moments: list[Moment], style: Style, pixels: int | None) -> None:
        most = isqrt(MOST_PIXELS // len(moments))
        if pixels is not None and pixels > most:
            raise PonteError(
                f"with {len(moments):,} frames, the size of an animation is at most {most:,}, "
                f"not {pixels:,}"
            )
        self.style: Style = style
        self.pixels: int | None = pixels
        self.most: int = min(MOST_BY_DEFAULT, most)
        self.colors: list[Color] = palette_of(style.theme, self._samples(moments))
        self.guide: Image.Image = guide(self.colors)
        board = moments[0].state.rules.board
        self.view: View = _view(board, style)

    def _samples(self, moments: list[Moment]) -> Image.Image:
        """Return some frames side by side: together they have every kind of edge and shadow.

        Games on large boards have them all at the end; on small ones little lasts so long.
        """
        last = len(moments) - 1
        shown = dict.fromkeys(round(last * place / SAMPLES) for place in range(1, SAMPLES + 1))
        sheets = [self._sheet(moments[each]) for each in shown]
        wide, high = sheets[0].width, sheets[0].height
        found = Image.new("RGB", (wide * len(sheets), high))
        for place, sheet in enumerate(sheets):
            found.paste(_drawn(sheet, sheet.whole), (wide * place, 0))
        return found

    def first(self, moment: Moment) -> Image.Image:
        """Return a whole frame."""
        sheet = self._sheet(moment)
        return self._indexed(sheet, sheet.whole)

    def following(self, image: Image.Image, before: Moment, now: Moment) -> Image.Image:
        """Return the frame after *image*; that itself, if nothing looks different."""
        sheet = self._sheet(now)
        after = image.copy()
        for box in [sheet.whole] if self.style.networks else self._changed(sheet, before, now):
            after.paste(self._indexed(sheet, box), box)
        return image if after.tobytes() == image.tobytes() else after

    def _sheet(self, moment: Moment) -> Sheet:
        coordinates, networks, symmetry, theme = self.style
        picture = render(
            moment.state,
            last=moment.action,
            coordinates=coordinates,
            networks=networks,
            symmetry=symmetry,
            theme=theme,
        )
        return sheet_of(picture, theme.paper, self.pixels, scale=SCALE, most=self.most)

    def _indexed(self, sheet: Sheet, box: Box) -> Image.Image:
        part = _drawn(sheet, box)
        return part.quantize(palette=self.guide, dither=Image.Dither.NONE)

    def _changed(self, sheet: Sheet, before: Moment, now: Moment) -> Iterator[Box]:
        """Iterate over the parts of a frame that are not as they were."""
        for cells in dict.fromkeys((*_touched(before), *_touched(now))):
            points = [self.view.points[cell] for cell in bits(cells)]
            lefts, tops = zip(*points, strict=True)
            yield sheet.around(
                min(lefts) - SLACK,
                min(tops) - SLACK,
                max(lefts) + CELL + SLACK,
                max(tops) + CELL + SLACK,
            )


def _view(board: Board, style: Style) -> View:
    symmetry = style.symmetry or Symmetry(board.width, board.height)
    return view_of(symmetry, coordinates=style.coordinates)


def _touched(moment: Moment) -> Iterator[int]:
    """Iterate over the cells of an action: each tile with its land, or both ends of a bridge."""
    state, action = moment
    if not isinstance(action, PlaceTiles | BuildBridge):
        return
    geometry = state._pieces.geometry
    a, b = (1 << geometry.index(cell) for cell in (action.a, action.b))
    if isinstance(action, BuildBridge):
        yield a | b
        return
    tiles = state._pieces.sides[0].tiles, state._pieces.sides[1].tiles
    for seed in (a, b):
        yield group_around(geometry, tiles[0] if tiles[0] & seed else tiles[1], seed)


def _drawn(sheet: Sheet, box: Box) -> Image.Image:
    left, top, right, bottom = box
    all_of_it = sheet.whole
    # At the edges of what is drawn, lines that go on beyond them look otherwise.
    around = (
        max(left - SEAM, all_of_it[0]),
        max(top - SEAM, all_of_it[1]),
        min(right + SEAM, all_of_it[2]),
        min(bottom + SEAM, all_of_it[3]),
    )
    x, y = around[:2]
    with Image.open(BytesIO(sheet.drawn(around))) as image:
        return image.convert("RGB").crop((left - x, top - y, right - x, bottom - y))
