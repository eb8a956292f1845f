"""The frames of an animation: only what a turn changes is drawn anew."""

from __future__ import annotations

from io import BytesIO
from math import isqrt
from typing import Final, NamedTuple

from PIL import Image

from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.geometry import bits
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.errors import PonteError
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
        end = self._sheet(moments[-1])
        # At the end there is every kind of edge and shadow that the game has.
        self.colors: list[Color] = palette_of(style.theme, _drawn(end, end.whole))
        self.guide: Image.Image = guide(self.colors)
        board = moments[0].state.rules.board
        self.view: View = _view(board, style)

    def first(self, moment: Moment) -> Image.Image:
        """Return a whole frame."""
        sheet = self._sheet(moment)
        return self._indexed(sheet, sheet.whole)

    def following(self, image: Image.Image, before: Moment, now: Moment) -> Image.Image:
        """Return the frame after *image*; that itself, if nothing looks different."""
        sheet = self._sheet(now)
        box = sheet.whole if self.style.networks else self._changed(sheet, before, now)
        if box is None:
            return image
        part = self._indexed(sheet, box)
        if part.tobytes() == image.crop(box).tobytes():
            return image
        after = image.copy()
        after.paste(part, box)
        return after

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

    def _changed(self, sheet: Sheet, before: Moment, now: Moment) -> Box | None:
        """Return the part of a frame that is not as it was; ``None`` if all is."""
        cells = _touched(before) | _touched(now)
        if not cells:
            return None
        points = [self.view.points[cell] for cell in bits(cells)]
        lefts, tops = zip(*points, strict=True)
        return sheet.around(
            min(lefts) - SLACK,
            min(tops) - SLACK,
            max(lefts) + CELL + SLACK,
            max(tops) + CELL + SLACK,
        )


def _view(board: Board, style: Style) -> View:
    symmetry = style.symmetry or Symmetry(board.width, board.height)
    return view_of(symmetry, coordinates=style.coordinates)


def _touched(moment: Moment) -> int:
    """Return the cells of an action, with the land that it has changed; a bridge lies between."""
    state, action = moment
    if not isinstance(action, PlaceTiles | BuildBridge):
        return 0
    pieces = state._pieces
    found = 0
    for cell in (action.a, action.b):
        seed = 1 << pieces.geometry.index(cell)
        found |= seed
        for side in pieces.sides:
            if side.tiles & seed and isinstance(action, PlaceTiles):
                found |= group_around(pieces.geometry, side.tiles, seed)
    return found


def _drawn(sheet: Sheet, box: Box) -> Image.Image:
    with Image.open(BytesIO(sheet.drawn(box))) as image:
        return image.convert("RGB")
