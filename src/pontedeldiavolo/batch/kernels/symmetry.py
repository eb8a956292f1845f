"""Rows of a batch turned and mirrored."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.board_tables import board_tables
from pontedeldiavolo.batch.kernels.game import RED, WHITE
from pontedeldiavolo.batch.kernels.jit import njit_cached, njit_inline
from pontedeldiavolo.batch.rows import NONE, Rows
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.geometry import FORWARD


class SymmetryTables(NamedTuple):
    """What the symmetries of a board make of it: arrays with a row for each."""

    cell_to: npt.NDArray[np.int32]
    """(symmetries, cells): where each cell goes."""
    cell_from: npt.NDArray[np.int32]
    """(symmetries, cells): where each cell comes from."""
    span_to: npt.NDArray[np.int8]
    """(symmetries, 1 + directions): what each entry of a row's spans becomes."""
    begin_to: npt.NDArray[np.int8]
    """(symmetries, 1 + directions): the same, and 0 where no bridge begins but one ends."""


@njit_cached
def transform_rows(
    turns: SymmetryTables, rows: Rows, symmetries: npt.NDArray[np.intp], turned: Rows
) -> None:
    """Write what cells, bridges and first tile become, each row under its symmetry."""
    for row in range(len(symmetries)):
        symmetry = symmetries[row]
        for cell in range(turns.cell_from.shape[1]):
            source = turns.cell_from[symmetry, cell]
            turned.tiles[row, cell] = rows.tiles[row, source]
            turned.spans[row, cell] = turns.span_to[symmetry, rows.spans[row, source]]
        if rows.first[row] != NONE:
            turned.first[row] = turns.cell_to[symmetry, rows.first[row]]


@njit_cached
def find_canonical(turns: SymmetryTables, rows: Rows, least: npt.NDArray[np.intp]) -> None:
    """Write the number of the symmetry that makes the least of each row: of equal ones, the first.

    What is compared are white's tiles, red's, the bridges, as sets, and the first tile, as in
    :mod:`pontedeldiavolo.position.pieces`. The largest number of a set weighs most: so all
    begin with the last cell. Of the bridges that begin at a cell there is one at most, so its
    direction stands for it.
    """
    for row in range(len(least)):
        least[row] = 0
        for symmetry in range(1, len(turns.cell_from)):
            if is_less(turns, rows, row, symmetry, least[row]):
                least[row] = symmetry


@njit_inline
def is_less(turns: SymmetryTables, rows: Rows, row: int, one: int, other: int) -> bool:
    """Tell whether one symmetry makes less of a row than another."""
    comparison = compare_tiles(turns, rows, row, one, other, WHITE)
    if comparison == 0:
        comparison = compare_tiles(turns, rows, row, one, other, RED)
    if comparison == 0:
        comparison = compare_bridges(turns, rows, row, one, other)
    first = rows.first[row]
    if comparison == 0 and first != NONE:
        comparison = turns.cell_to[one, first] - turns.cell_to[other, first]
    return comparison < 0


@njit_inline
def compare_tiles(
    turns: SymmetryTables, rows: Rows, row: int, one: int, other: int, color: int
) -> int:
    """Return a number below 0 if a colour's tiles are less under one symmetry than another."""
    for cell in range(turns.cell_from.shape[1] - 1, -1, -1):
        here = rows.tiles[row, turns.cell_from[one, cell]] == color + 1
        there = rows.tiles[row, turns.cell_from[other, cell]] == color + 1
        if here != there:
            return 1 if here else -1
    return 0


@njit_inline
def compare_bridges(turns: SymmetryTables, rows: Rows, row: int, one: int, other: int) -> int:
    """Return a number below 0 if the bridges are less under one symmetry than another."""
    for cell in range(turns.cell_from.shape[1] - 1, -1, -1):
        here = np.int64(turns.begin_to[one, rows.spans[row, turns.cell_from[one, cell]]])
        there = np.int64(turns.begin_to[other, rows.spans[row, turns.cell_from[other, cell]]])
        if here != there:
            return here - there
    return 0


def transformed_rows(board: Board, rows: Rows, symmetries: npt.NDArray[np.intp]) -> Rows:
    """Return the rows, each turned by the symmetry of the number that goes with it."""
    found = Rows._make(each.copy() for each in rows)
    transform_rows(_turns(board.width, board.height), rows, symmetries, found)
    return found


def canonical_symmetries(board: Board, rows: Rows) -> npt.NDArray[np.intp]:
    """Return the number of the symmetry that makes each row canonical."""
    found = np.empty(len(rows.phase), np.intp)
    find_canonical(_turns(board.width, board.height), rows, found)
    return found


@lru_cache(maxsize=16)
def _turns(width: int, height: int) -> SymmetryTables:
    tables = board_tables(width, height)
    span_to = np.pad(tables.direction_to + 1, ((0, 0), (1, 0))).astype(np.int8)
    begin_to = np.where(span_to <= len(FORWARD), span_to, 0).astype(np.int8)
    return SymmetryTables(tables.cell_to, tables.cell_from, span_to, begin_to)
