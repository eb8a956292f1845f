"""Rows turned and mirrored, and their canonical forms."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.board_tables import BoardTables, board_tables
from pontedeldiavolo.batch.kernels.layout import Rows
from pontedeldiavolo.batch.members import COLORS, NONE
from pontedeldiavolo.batch.symmetry_codes import symmetry_number
from pontedeldiavolo.batch.whole_numbers import whole_numbers
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.geometry import FORWARD
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.errors import PonteError

_WORD = 8
"""Keys are compared by words of so many bytes."""

Words = npt.NDArray[np.uint64]


def symmetry_numbers(
    board: Board, symmetries: Symmetry | npt.ArrayLike, size: int
) -> npt.NDArray[np.intp]:
    """Return the number of a symmetry for each of *size* rows.

    Raises:
        TypeError: If they are neither a :class:`Symmetry` nor whole numbers.
        PonteError: If there is not one for each row, or one is not of this board.
    """
    if isinstance(symmetries, Symmetry):
        return np.full(size, symmetry_number(board, symmetries), np.intp)
    found = whole_numbers(symmetries, "symmetries")
    if found.shape != (size,):
        raise PonteError(f"symmetries must have shape ({size},), not {found.shape}")
    count = len(board_tables(board.width, board.height).cell_to)
    wrong = np.flatnonzero((found < 0) | (found >= count))
    if wrong.size:
        row = int(wrong[0])
        raise PonteError(f"row {row}: symmetry {found[row]} is outside 0 to {count - 1}")
    return found.astype(np.intp)


def turned_rows(board: Board, rows: Rows, symmetries: npt.NDArray[np.intp]) -> Rows:
    """Return the rows, each turned by the symmetry of the number that goes with it."""
    tables = board_tables(board.width, board.height)
    found = Rows._make(each.copy() for each in rows)
    for number in np.unique(symmetries).tolist():
        which = np.flatnonzero(symmetries == number)
        comes_from = tables.cell_from[number]
        found.tiles[which] = rows.tiles[which][:, comes_from]
        found.spans[which] = _spans_to(tables, number)[rows.spans[which][:, comes_from]]
        found.first[which] = _first_to(tables, number, rows.first[which])
    return found


def canonical_symmetries(board: Board, rows: Rows) -> npt.NDArray[np.intp]:
    """Return the number of the symmetry that makes the least of each row.

    What is compared are white's tiles, red's, the bridges, as sets, and the first tile; and of
    what is equal, it is the first, as in :mod:`pontedeldiavolo.position.symmetries`.
    """
    tables = board_tables(board.width, board.height)
    least = _keys(tables, rows, 0)
    found = np.zeros(len(rows.phase), np.intp)
    every = np.arange(len(found))
    for number in range(1, len(tables.cell_to)):
        keys = _keys(tables, rows, number)
        at = (keys != least).argmax(axis=1)
        is_less = keys[every, at] < least[every, at]
        found[is_less] = number
        least[is_less] = keys[is_less]
    return found


def _keys(tables: BoardTables, rows: Rows, symmetry: int) -> Words:
    """Return numbers that compare, from the left, as the rows do under a symmetry.

    The largest number of a set weighs most: so all begin with the last cell. Of the bridges that
    begin at a cell there is one at most, so its direction stands for it.
    """
    backwards = tables.cell_from[symmetry, ::-1]
    tiles = rows.tiles.take(backwards, axis=1)
    spans_to = _spans_to(tables, symmetry)
    begins = np.where(spans_to <= len(FORWARD), spans_to, 0).astype(np.uint8)
    first = _first_to(tables, symmetry, rows.first).astype(">i2")
    first[first == NONE] = 0
    parts = (
        *(np.packbits(tiles == each.index + 1, axis=1) for each in COLORS),
        begins.take(rows.spans.take(backwards, axis=1)),
        first[:, np.newaxis].view(np.uint8),
    )
    length = sum(part.shape[1] for part in parts)
    filling = np.zeros((len(tiles), -length % _WORD), np.uint8)
    return np.concatenate((*parts, filling), axis=1).view(">u8").astype(np.uint64)


def _spans_to(tables: BoardTables, symmetry: int) -> npt.NDArray[np.int8]:
    """Return what each entry of a row's spans becomes."""
    return np.concatenate(([0], tables.direction_to[symmetry] + 1), dtype=np.int8)


def _first_to(
    tables: BoardTables, symmetry: int, first: npt.NDArray[np.int16]
) -> npt.NDArray[np.int16]:
    return np.where(first == NONE, NONE, tables.cell_to[symmetry, first]).astype(np.int16)
