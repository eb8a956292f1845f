"""Read the colours of raster pictures."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

from PIL import Image, ImageSequence

import pontedeldiavolo as pdd

CELL = 40
RGB = tuple[int, int, int]


def opened(data: bytes) -> Image.Image:
    """Return a picture in RGB."""
    with Image.open(BytesIO(data)) as image:
        return image.convert("RGB")


def frames_of(data: bytes) -> list[tuple[Image.Image, float]]:
    """Return the frames of an animation as a viewer shows them, and their milliseconds."""
    with Image.open(BytesIO(data)) as image:
        return [
            (frame.convert("RGB"), frame.info.get("duration", 0))
            for frame in ImageSequence.Iterator(image)
        ]


def rgb(color: str) -> RGB:
    red, green, blue = bytes.fromhex(color.removeprefix("#"))
    return red, green, blue


class Places:
    """The places of the cells in a picture, with independently measured margins."""

    def __init__(self, image: Image.Image, board: pdd.Board, *, coordinates: bool = True) -> None:
        self.image: Image.Image = image
        self.board: pdd.Board = board
        self.left: int = 26 if coordinates else 6
        self.top: int = 26 if coordinates and max(board.width, board.height) > 26 else 6
        wide = self.left + CELL * board.width + self.top
        high = self.top + CELL * board.height + self.left
        self.scale: float = min(image.width / wide, image.height / high)

    def at(self, cell: str | pdd.Cell, right: float = 0, down: float = 0) -> RGB:
        """Return the colour at an offset from the middle of a cell, whose width counts as 40."""
        where = pdd.parse_cell(cell) if isinstance(cell, str) else cell
        x = self.left + CELL * where.column + CELL / 2 + right
        y = self.top + CELL * (self.board.height - 1 - where.row) + CELL / 2 + down
        found = self.image.getpixel((int(x * self.scale), int(y * self.scale)))
        assert isinstance(found, tuple)
        red, green, blue = found
        return red, green, blue

    def tiles(self, theme: pdd.svg.Theme) -> Iterator[tuple[pdd.Cell, pdd.Color | None]]:
        """Yield all cells with the colour of the visible tile."""
        seen: dict[RGB, pdd.Color | None] = {
            rgb(theme.white): pdd.Color.WHITE,
            rgb(theme.red): pdd.Color.RED,
        }
        for cell in self.board.cells:
            # These points are inside the rim of red's tiles; a bridge covers some of them.
            found = [self.at(cell, *each) for each in ((13, 4), (-13, 4), (4, 10.5), (-4, 10.5))]
            yield cell, next((seen[each] for each in found if each in seen), None)

    def shows(self, position: pdd.Position, theme: pdd.svg.Theme = pdd.svg.LIGHT) -> bool:
        """Return whether a picture shows exactly the tiles of a position."""
        return all(position.color_at(cell) is color for cell, color in self.tiles(theme))
