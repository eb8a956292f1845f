"""The layout of a picture: the places of cells, grid lines and coordinates in any orientation."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache

from pontedeldiavolo.board.cell import column_name
from pontedeldiavolo.board.geometry import bits
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.game.board_view import cell_names

from .outlines import BODY, CELL, INLAY, RIM, SHADOW_X, SHADOW_Y, arch
from .svgpath import centred_text

FRAME = 6
"""The width of a margin without coordinates."""
LABELLED = 26
"""The width of a margin with coordinates."""
MANY = 26
"""Boards with a longer side than this have coordinates on all four sides."""


class Layout:
    """The layout of a board of one size in one orientation, with cells as numbers."""

    def __init__(self, symmetry: Symmetry, *, coordinates: bool) -> None:
        columns = symmetry.width
        rows = symmetry.height
        self.symmetry: Symmetry = symmetry
        self.coordinates: bool = coordinates
        self.columns: int = columns
        self.rows: int = rows
        self.margin: int = LABELLED if coordinates else FRAME
        """The margin to the left and below."""
        self.far: int = self.margin if coordinates and max(columns, rows) > MANY else FRAME
        """The margin to the right and above."""
        self.width: int = self.margin + CELL * columns + self.far
        self.height: int = self.far + CELL * rows + self.margin
        self.names: tuple[str, ...] = cell_names(columns, rows)
        turned = [symmetry.point(column, row) for row in range(rows) for column in range(columns)]
        self.points: list[tuple[int, int]] = [
            (self.margin + CELL * x, self.far + CELL * (rows - 1 - y)) for x, y in turned
        ]
        """The upper left corner of each cell."""

    def names_of(self, cells: int) -> str:
        """Return the names of some cells, separated by blanks."""
        return " ".join([self.names[cell] for cell in bits(cells)])

    def bounds(self, cells: Iterable[int]) -> tuple[int, int, int, int]:
        """Return the rectangle around some cells: left, top, right, bottom."""
        lefts, tops = zip(*[self.points[cell] for cell in cells], strict=True)
        return min(lefts), min(tops), max(lefts) + CELL, max(tops) + CELL

    def middle(self, cell: int) -> tuple[int, int]:
        """Return the middle of a cell."""
        x, y = self.points[cell]
        return x + CELL // 2, y + CELL // 2

    def step(self, a: int, b: int) -> tuple[int, int]:
        """Return how far the second cell is to the right of the first, and how far below it."""
        x, y = self.points[a]
        to_x, to_y = self.points[b]
        return to_x - x, to_y - y

    def deck(self, a: int, b: int) -> str:
        """Return the path data of a bridge between two cells."""
        x, y = self.middle(a)
        over = arch(*self.step(a, b))
        return f"M{x + over.x} {y + over.y}{over.deck}"

    def shadow(self, a: int, b: int) -> str:
        """Return the path data of the shadow of a bridge between two cells."""
        x, y = self.middle(a)
        over = arch(*self.step(a, b))
        return f"M{x + over.x + SHADOW_X} {y + over.y + SHADOW_Y}{over.shadow}"

    # Parts that do not depend on the pieces are computed once.

    @cached_property
    def water(self) -> list[str]:
        """The water of each cell."""
        return [
            f'<path class="cell" data-cell="{name}" d="M{x} {y + 20}h40">'
            f"<title>{name}</title></path>"
            for name, (x, y) in zip(self.names, self.points, strict=True)
        ]

    @cached_property
    def tiles(self) -> tuple[list[str], ...]:
        """The path data of a rim, a tile and a frame on each cell."""
        shapes = (8, RIM), (8, BODY), (10, INLAY)
        return tuple([f"M{x + at} {y + at}{path}" for x, y in self.points] for at, path in shapes)

    @cached_property
    def grid(self) -> str:
        """The lines between the cells."""
        left = self.margin
        top = self.far
        wide = CELL * self.columns
        high = CELL * self.rows
        across = "".join(f"M{left},{top + CELL * y}h{wide}" for y in range(1, self.rows))
        return across + "".join(f"M{left + CELL * x},{top}v{high}" for x in range(1, self.columns))

    @cached_property
    def labels(self) -> tuple[str, str]:
        """The path data of the column letters and of the row numbers."""
        symmetry = self.symmetry
        columns = [*range(self.columns)]
        if symmetry.flips_columns:
            columns.reverse()
        rows = [*range(self.rows)]
        if not symmetry.flips_rows:
            # Row 1 is at the bottom.
            rows.reverse()
        if symmetry.transposes:
            letters = self._down([column_name(row) for row in rows])
            numbers = self._across([str(column + 1) for column in columns])
        else:
            letters = self._across([column_name(column) for column in columns])
            numbers = self._down([str(row + 1) for row in rows])
        return letters, numbers

    def _across(self, names: list[str]) -> str:
        """Return the path data of the names below the board, and above large boards."""
        ys = [self.height - self.margin / 2 + 1]
        if self.far > FRAME:
            ys.append(self.far / 2)
        return "".join(
            centred_text(name, self.margin + CELL * place + CELL / 2, y)
            for place, name in enumerate(names)
            for y in ys
        )

    def _down(self, names: list[str]) -> str:
        """Return the path data of the names to the left of the board, and right of large ones."""
        xs = [self.margin / 2 - 1]
        if self.far > FRAME:
            xs.append(self.width - self.margin / 2 + 1)
        return "".join(
            centred_text(name, x, self.far + CELL * place + CELL / 2)
            for place, name in enumerate(names)
            for x in xs
        )


@lru_cache(maxsize=8)
def layout_of(symmetry: Symmetry, *, coordinates: bool) -> Layout:
    """Return a layout, cached by its arguments."""
    return Layout(symmetry, coordinates=coordinates)
