"""Sets of the whole board: cell by cell, in windows, and in bands.

Boards of up to 16×16 are a single window and a single band that begin at place 0; compiled, nothing
of the arithmetic below remains of them.

A *window* is 16 rows of 16 columns, and is called by its *origin*, the place of its first cell.
The effects of a tile, and all that they depend on, are near it: five cells that hang together, one
of them the tile, reach four cells to every side. So a window around it is enough to look at. What
more tiles beyond the window could change is what lies there: tiles only ever close cells.

A *band* is some rows in their full width. Questions about the whole board are answered band by
band, each for its own rows, with two more to either side in sight: no bridge reaches further.
Boards whose sets in memory have up to 1,024 places are one band. Of larger ones a band has 16 rows,
or 32 if they have 32 columns.
"""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.batch.kernels.cells import (
    Cells,
    column_of,
    columns,
    count,
    lanes,
    load,
    load_word,
    lowest_bit,
    nth_bit,
    row_of,
    row_range,
    rows,
    store,
    store_word,
)
from pontedeldiavolo.batch.kernels.jit import njit_inline, njit_internal
from pontedeldiavolo.batch.rows import NONE

WORD_SHIFT, WORD_LAST = 6, 63
SIDE = 16
HALF = 8
"""Windows are this far apart when they cover a board, and begin as far from a cell in question."""


@njit_inline
def window_around(game: np.record, place: int) -> int:
    """Return the window with a cell in its middle, or as near to it as the edge allows."""
    # Compiled to a constant where there is a single one.
    row = min(max(row_of(game, place) - HALF, 0), rows(game) - SIDE)
    column = min(max(column_of(game, place) - HALF, 0), columns(game) - SIDE)
    return row * columns(game) + column


@njit_inline
def window_count(side: int) -> int:
    """Return how many windows it takes to see each cell of a side with all that is near it."""
    return 1 if side <= SIDE else (side - 1) // HALF


@njit_inline
def window_at(game: np.record, row: int, column: int) -> int:
    """Return one of the windows that cover the board, by their numbers from 0."""
    return row * HALF * columns(game) + column * HALF


REACH = 2
OWN_ROWS = 12
"""The rows of a band that are its own, at most: 16 less the reach to either side."""


@njit_inline
def is_one_band(game: np.record, height: int) -> bool:
    """Tell whether a board of this height is a single band."""
    # Of sets that are one vector, the compiler knows it.
    return rows(game) == lanes(game) or height <= lanes(game)


@njit_inline
def band_count(game: np.record, height: int) -> int:
    """Return how many bands there are on a board of this height."""
    if is_one_band(game, height):
        return 1
    return (height + OWN_ROWS - 1) // OWN_ROWS


@njit_inline
def band_row(game: np.record, band: int) -> int:
    """Return the first row of a band."""
    # Compiled to a constant where there is a single one.
    return min(max(band * OWN_ROWS - REACH, 0), rows(game) - lanes(game))


@njit_inline
def own_rows(game: np.record, height: int, band: int, like: Cells) -> Cells:
    """Return the places of a band's own rows."""
    if is_one_band(game, height):
        return row_range(like, 0, lanes(game))
    begin = band * OWN_ROWS - band_row(game, band)
    return row_range(like, begin, min(begin + OWN_ROWS, lanes(game)))


@njit_inline
def add_cell(game: np.record, which: int, place: int) -> None:
    """Put a cell into a set."""
    index = place >> WORD_SHIFT
    bit = np.uint64(1) << np.uint64(place & WORD_LAST)
    store_word(game, which, index, load_word(game, which, index) | bit)


@njit_inline
def remove_cell(game: np.record, which: int, place: int) -> None:
    """Take a cell out of a set, if it is there."""
    index = place >> WORD_SHIFT
    bit = np.uint64(1) << np.uint64(place & WORD_LAST)
    store_word(game, which, index, load_word(game, which, index) & ~bit)


@njit_inline
def contains(game: np.record, which: int, place: int) -> bool:
    """Tell whether a cell is in a set."""
    bits = load_word(game, which, place >> WORD_SHIFT) >> np.uint64(place & WORD_LAST)
    return bits & np.uint64(1) != np.uint64(0)


@njit_inline
def next_cell(game: np.record, which: int, begin: int) -> int:
    """Return the first cell of a set from a place on; no cell if there is none."""
    # What is before it is shifted out.
    passed = np.uint64(begin & WORD_LAST)
    for index in range(begin >> WORD_SHIFT, columns(game) * rows(game) >> WORD_SHIFT):
        rest = load_word(game, which, index) >> passed << passed
        if rest != np.uint64(0):
            return (index << WORD_SHIFT) + lowest_bit(rest)
        passed = np.uint64(0)
    return NONE


@njit_internal
def count_on_board(game: np.record, which: int) -> int:
    """Count the cells of a set of the whole board."""
    found = 0
    for row in range(0, rows(game), lanes(game)):
        found += count(load(game, which, row))
    return found


@njit_internal
def nth_on_board(game: np.record, which: int, n: int) -> int:
    """Return the place of the *n*-th cell of a set of the whole board, from 0."""
    row, left = 0, n
    while row + lanes(game) < rows(game):
        here = count(load(game, which, row))
        if left < here:
            break
        left -= here
        row += lanes(game)
    return row * columns(game) + nth_bit(load(game, which, row), left)


@njit_inline
def copy_set(game: np.record, source: int, target: int) -> None:
    """Make one set of the whole board what another is."""
    for row in range(0, rows(game), lanes(game)):
        store(game, target, row, load(game, source, row))
