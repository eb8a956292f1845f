"""What is near a cell: a window of 16 rows of 16 columns, on a board of any size.

What a tile changes is near it, and so is all that the change depends on: five cells that hang
together, one of them the tile, reach four cells to every side. So a window around it is enough to
look at. What more tiles beyond the window could change is what lies there: tiles only ever close
cells, and open none.

A window is called by its *origin*, the place of its first cell. A board of up to 16×16 is a single
one with the origin 0; compiled, nothing of what is written here remains of it.
"""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.batch.kernels.cells import column_of, columns, row_of, rows
from pontedeldiavolo.batch.kernels.compiled import inlined

SIDE = 16
HALF = 8
"""Windows are this far apart when they cover a board, and begin as far from a cell in question."""


@inlined
def window_around(game: np.record, place: int) -> int:
    """Return the window with a cell in its midst, or as near to it as the board's edge allows."""
    # Where there is a single one, nothing of this is left when it is compiled.
    row = min(max(row_of(game, place) - HALF, 0), rows(game) - SIDE)
    column = min(max(column_of(game, place) - HALF, 0), columns(game) - SIDE)
    return row * columns(game) + column


@inlined
def window_steps(side: int) -> int:
    """Return how many windows it takes to see each cell of a side with all that is near it."""
    return 1 if side <= SIDE else (side - 1) // HALF


@inlined
def window_at(game: np.record, row: int, column: int) -> int:
    """Return one of the windows that cover the board, by their numbers from 0."""
    return row * HALF * columns(game) + column * HALF
