"""The numbers of a board's cells and bridges as arrays, and where symmetries take them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.board.bridge import beneath
from pontedeldiavolo.board.geometry import FORWARD
from pontedeldiavolo.board.symmetry import Symmetry, symmetries_of

DIRECTIONS = (*FORWARD, *((-dx, -dy) for dx, dy in FORWARD))
"""The steps from one end of a bridge to the other, from the first end and from the second."""

Numbers = npt.NDArray[np.int32]


class BoardTables(NamedTuple):
    """Arrays for boards of one size. Symmetries have the numbers of ``symmetries(board)``."""

    number: Numbers
    """(cells, directions): the bridge from a cell in a direction; -1 if there is none."""
    direction: Numbers
    """(bridges,): from its first end."""
    ends: Numbers
    """(bridges, 2): its first and its second cell."""
    beneath: Numbers
    """(bridges, 2): the cells under it; a single one comes twice."""
    cell_to: Numbers
    """(symmetries, cells): where each cell goes."""
    cell_from: Numbers
    """(symmetries, cells): where each cell comes from."""
    direction_to: Numbers
    """(symmetries, directions): what a direction becomes."""


@lru_cache(maxsize=16)
def board_tables(width: int, height: int) -> BoardTables:
    """Return the arrays for a board size."""
    cells = np.arange(width * height)
    row, column = np.divmod(cells, width)
    dx, dy = np.array(FORWARD).T
    x, y = column[:, np.newaxis] + dx, row[:, np.newaxis] + dy
    first, direction = np.nonzero((x >= 0) & (x < width) & (y < height))
    bridges = np.arange(len(first))
    second = first + dy[direction] * width + dx[direction]
    number = np.full((len(cells), len(DIRECTIONS)), -1)
    number[first, direction] = bridges
    number[second, direction + len(FORWARD)] = bridges
    under = [[v * width + u for u, v in beneath((0, 0), step)] for step in FORWARD]
    offsets = np.array([(each[0], each[-1]) for each in under])
    symmetries = symmetries_of(width, height)
    cell_to = np.array([_cells_to(symmetry, column, row) for symmetry in symmetries])
    return BoardTables(
        *(
            each.astype(np.int32)
            for each in (
                number,
                direction,
                np.stack((first, second), axis=1),
                first[:, np.newaxis] + offsets[direction],
                cell_to,
                np.argsort(cell_to, axis=1),
                np.array([_directions_to(symmetry) for symmetry in symmetries]),
            )
        )
    )


def _cells_to(
    symmetry: Symmetry, column: npt.NDArray[np.int_], row: npt.NDArray[np.int_]
) -> npt.NDArray[np.int_]:
    """Return where the cells in these columns and rows go."""
    if symmetry.transposes:
        column, row = row, column
    if symmetry.flips_columns:
        column = symmetry.width - 1 - column
    if symmetry.flips_rows:
        row = symmetry.height - 1 - row
    return row * symmetry.width + column


def _directions_to(symmetry: Symmetry) -> list[int]:
    """Return what each direction becomes."""
    found = []
    for step in DIRECTIONS:
        dx, dy = reversed(step) if symmetry.transposes else step
        found.append(
            DIRECTIONS.index(
                (-dx if symmetry.flips_columns else dx, -dy if symmetry.flips_rows else dy)
            )
        )
    return found


def bridges_to(tables: BoardTables, symmetry: int) -> Numbers:
    """Return for each bridge the number of the bridge that a symmetry takes it to."""
    firsts = tables.cell_to[symmetry, tables.ends[:, 0]]
    found: Numbers = tables.number[firsts, tables.direction_to[symmetry, tables.direction]]
    return found
