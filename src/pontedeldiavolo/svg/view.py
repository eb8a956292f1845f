"""Where everything stands in a picture: cells and their names, in any orientation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache

from pontedeldiavolo.board.cell import column_name
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.svg.glyphs import centred
from pontedeldiavolo.svg.land import CELL

FRAME, LABELLED = 6, 26
"""How wide the margin is, without and with coordinates."""
MANY = 26
"""Boards with a longer side than this carry their coordinates on all four sides."""

TILE = "h28v28h-28z"
HOLE = "m14 9a5 5 0 1 0 .1 0"
"""What red's tiles have, so that they differ without colours."""
TILES = (TILE, TILE + HOLE)
HALF = "m0 28l28-28v28z"
"""What red has of a cell that holds tiles of both colours."""
HATCHING = "l20-20m20 0l-40 40m20 0l20-20"


class View:
    """A board of one size in one orientation.

    Cells are numbers, as in all tables of a board.
    """

    def __init__(self, symmetry: Symmetry, *, coordinates: bool) -> None:
        columns, rows = symmetry.width, symmetry.height
        self.symmetry: Symmetry = symmetry
        self.coordinates: bool = coordinates
        self.columns: int = columns
        self.rows: int = rows
        self.margin: int = LABELLED if coordinates else FRAME
        self.far: int = self.margin if coordinates and max(columns, rows) > MANY else FRAME
        self.width: int = self.margin + CELL * columns + self.far
        self.height: int = self.far + CELL * rows + self.margin
        self.names: list[str] = [
            f"{column_name(x)}{y + 1}" for y in range(rows) for x in range(columns)
        ]
        self.points: list[tuple[int, int]] = [
            self._point(x, y) for y in range(rows) for x in range(columns)
        ]

    def _point(self, x: int, y: int) -> tuple[int, int]:
        """Return the upper left corner of a cell."""
        turned = self.symmetry
        if turned.transposes:
            x, y = y, x
        if turned.flips_columns:
            x = self.columns - 1 - x
        if not turned.flips_rows:
            y = self.rows - 1 - y
        return self.margin + CELL * x, self.far + CELL * y

    def middle(self, cell: int) -> tuple[int, int]:
        """Return the middle of a cell."""
        x, y = self.points[cell]
        return x + CELL // 2, y + CELL // 2

    # What does not depend on the scene is written once.

    @cached_property
    def water(self) -> list[str]:
        """Each cell where nothing lies."""
        return [
            f'<path class="cell" data-cell="{name}" d="M{x} {y + 20}h40">'
            f"<title>{name}</title></path>"
            for name, (x, y) in zip(self.names, self.points, strict=True)
        ]

    @cached_property
    def grid(self) -> str:
        """The lines between the cells."""
        left, top, wide, high = self.margin, self.far, CELL * self.columns, CELL * self.rows
        across = "".join(f"M{left},{top + CELL * y}h{wide}" for y in range(1, self.rows))
        return across + "".join(f"M{left + CELL * x},{top}v{high}" for x in range(1, self.columns))

    @cached_property
    def labels(self) -> tuple[str, str]:
        """The strokes of the columns' letters, and of the rows' numbers."""
        across, down = self._names_across(), self._names_down()
        return (down, across) if self.symmetry.transposes else (across, down)

    def _names_across(self) -> str:
        """What stands below the board, and above a large one."""
        places = (
            range(self.columns - 1, -1, -1) if self.symmetry.flips_columns else range(self.columns)
        )
        ys = (self.height - self.margin / 2 + 1, self.far / 2)[: 1 + (self.far > FRAME)]
        return "".join(
            centred(_name(number, is_row=self.symmetry.transposes), x, y)
            for x, number in enumerate_at(places, self.margin)
            for y in ys
        )

    def _names_down(self) -> str:
        """What stands to the left of the board, and to the right of a large one."""
        places = range(self.rows) if self.symmetry.flips_rows else range(self.rows - 1, -1, -1)
        xs = (self.margin / 2 - 1, self.width - self.margin / 2 + 1)[: 1 + (self.far > FRAME)]
        return "".join(
            centred(_name(number, is_row=not self.symmetry.transposes), x, y)
            for y, number in enumerate_at(places, self.far)
            for x in xs
        )


def enumerate_at(numbers: Iterable[int], margin: int) -> Iterator[tuple[float, int]]:
    """Iterate over numbers with the middles of the columns or rows where they stand."""
    for place, number in enumerate(numbers):
        yield margin + CELL * place + CELL / 2, number


def _name(number: int, *, is_row: bool) -> str:
    return str(number + 1) if is_row else column_name(number)


@lru_cache(maxsize=8)
def view_of(symmetry: Symmetry, *, coordinates: bool) -> View:
    """Return a view, the same one for equal arguments."""
    return View(symmetry, coordinates=coordinates)
