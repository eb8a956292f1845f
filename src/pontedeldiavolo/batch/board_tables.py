"""The numbers of a board's cells and bridges as arrays, and where symmetries take them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.board.bridge import beneath
from pontedeldiavolo.board.geometry import FORWARD
from pontedeldiavolo.board.symmetry import Symmetry, symmetries_of

DIRECTIONS = (*FORWARD, *((-dx, -dy) for dx, dy in FORWARD))
"""The steps from one end of a bridge to the other, from the first end and from the second."""

T = TypeVar("T", bound=np.generic)
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
    span_to: Numbers
    """(symmetries, 1 + directions): what 1 and a direction becomes; 0 stays 0."""


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
    grid = cells.reshape(height, width)
    cell_from = np.array([transformed(grid, each).ravel() for each in symmetries])
    tables = (
        number,
        direction,
        np.stack((first, second), axis=1),
        first[:, np.newaxis] + offsets[direction],
        np.argsort(cell_from, axis=1),
        cell_from,
        np.array([_spans_to(symmetry) for symmetry in symmetries]),
    )
    return BoardTables(*(each.astype(np.int32) for each in tables))


def transformed(array: npt.NDArray[T], symmetry: Symmetry) -> npt.NDArray[T]:
    """Return a view of an array of shape (…, height, width), turned or mirrored."""
    if symmetry.transposes:
        array = array.swapaxes(-1, -2)
    if symmetry.flips_columns:
        array = array[..., ::-1]
    return array[..., ::-1, :] if symmetry.flips_rows else array


def _spans_to(symmetry: Symmetry) -> list[int]:
    """Return what 1 and each direction becomes, after 0."""
    found = [0]
    for step in DIRECTIONS:
        dx, dy = reversed(step) if symmetry.transposes else step
        to = (-dx if symmetry.flips_columns else dx, -dy if symmetry.flips_rows else dy)
        found.append(1 + DIRECTIONS.index(to))
    return found


def bridges_to(tables: BoardTables, symmetry: int) -> Numbers:
    """Return for each bridge the number of the bridge that a symmetry takes it to."""
    firsts = tables.cell_to[symmetry, tables.ends[:, 0]]
    found: Numbers = tables.number[firsts, tables.span_to[symmetry, 1 + tables.direction] - 1]
    return found
