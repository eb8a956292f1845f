"""The board: a rectangle of cells, and every bridge that could stand on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, SupportsIndex, final

from attrs import field, frozen

from pontedeldiavolo.base.errors import (
    InvalidRulesError,
    items_of,
    reason,
    require_type,
    whole_number,
)
from pontedeldiavolo.base.values import ImmutableValue

from .bridge import Bridge
from .cell import Cell
from .cell_set import CellSet, cell_set
from .geometry import Geometry, geometry
from .symmetry import Symmetry, symmetries_of


@final
@frozen(init=False)
class Board(ImmutableValue):
    """A rectangle of *width* × *height* cells. The original is 10×10 [S1].

    A width alone means a square: ``Board(6)`` is 6×6.

    >>> board = pdd.Board(3, 2)
    >>> [str(cell) for cell in board.cells]
    ['a1', 'b1', 'c1', 'a2', 'b2', 'c2']
    >>> [str(bridge) for bridge in board.bridges]
    ['a1-c1', 'a1-c2', 'c1-a2', 'a2-c2']
    >>> pdd.Cell(2, 1) in board, pdd.Cell(3, 0) in board
    (True, False)

    Attributes:
        width: The number of columns, 10 by default.
        height: The number of rows, by default as many as columns.

    Raises:
        InvalidRulesError: If a side is outside 1…:attr:`MAX_SIDE`.
    """

    MAX_SIDE: ClassVar[int] = 64
    """The longest side of any board. Parsers refuse a longer one before they allocate anything."""

    width: int
    height: int
    geometry: Geometry = field(init=False, eq=False, repr=False)
    """The tables of this board size as integers, for engines."""

    def __init__(self, width: SupportsIndex = 10, height: SupportsIndex | None = None) -> None:
        columns = whole_number(width, "width", InvalidRulesError)
        rows = columns if height is None else whole_number(height, "height", InvalidRulesError)
        for code, side in (("wrong-width", columns), ("wrong-height", rows)):
            if not 1 <= side <= self.MAX_SIDE:
                raise InvalidRulesError(reason(code, max=self.MAX_SIDE, side=side))
        object.__setattr__(self, "width", columns)
        object.__setattr__(self, "height", rows)
        object.__setattr__(self, "geometry", geometry(columns, rows))

    def __reduce__(self) -> tuple[type[Board], tuple[int, int]]:
        return Board, (self.width, self.height)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell, by row, then by column."""
        return self.geometry.cells

    @property
    def bridges(self) -> tuple[Bridge, ...]:
        """Every bridge that could stand on the board, by (first cell, second cell).

        There are 576 on 10×10. Codes of actions, masks and batches number bridges in this order.
        """
        return self.geometry.bridges

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """Every symmetry of the board, the identity first: 8 if it is square, else 4.

        >>> mirrored = pdd.Board(4, 3).symmetries[1]
        >>> str(pdd.Cell(0, 0).transform(mirrored))
        'a3'
        """
        return symmetries_of(self.width, self.height)

    def index(self, cell: Cell) -> int:
        """Return the index of *cell* in :attr:`cells`.

        Raises:
            PonteError: If it is off the board.
        """
        require_type(cell, Cell, "cell")
        return self.geometry.require_index(cell)

    def cell_set(self, cells: Iterable[Cell] = ()) -> CellSet:
        """Return the set of the given cells.

        Raises:
            PonteError: If one of them is off the board.
        """
        found = {*map(self.geometry.require_index, items_of(cells, Cell, "cells"))}
        return cell_set(self.geometry, sum(1 << index for index in found))

    def __contains__(self, cell: object) -> bool:
        return isinstance(cell, Cell) and self.geometry.index(cell) >= 0

    def __iter__(self) -> Iterator[Cell]:
        return iter(self.cells)

    def __len__(self) -> int:
        return self.width * self.height
