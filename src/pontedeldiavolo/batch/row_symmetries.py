"""Rows turned and mirrored, and their canonical forms."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.batch.board_tables import board_tables
from pontedeldiavolo.batch.kernels.layout import Rows
from pontedeldiavolo.batch.kernels.turning import Turns, find_least, turn_rows
from pontedeldiavolo.batch.symmetry_codes import symmetry_number
from pontedeldiavolo.batch.whole_numbers import whole_numbers
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.geometry import FORWARD
from pontedeldiavolo.board.symmetry import Symmetry


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
    found = Rows._make(each.copy() for each in rows)
    turn_rows(_turns(board.width, board.height), rows, symmetries, found)
    return found


def canonical_symmetries(board: Board, rows: Rows) -> npt.NDArray[np.intp]:
    """Return the number of the symmetry that makes each row canonical."""
    found = np.empty(len(rows.phase), np.intp)
    find_least(_turns(board.width, board.height), rows, found)
    return found


@lru_cache(maxsize=16)
def _turns(width: int, height: int) -> Turns:
    tables = board_tables(width, height)
    span_to = np.pad(tables.direction_to + 1, ((0, 0), (1, 0))).astype(np.int8)
    begin_to = np.where(span_to <= len(FORWARD), span_to, 0).astype(np.int8)
    return Turns(tables.cell_to, tables.cell_from, span_to, begin_to)
